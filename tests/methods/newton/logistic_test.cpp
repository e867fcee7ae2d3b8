#include "dense_algebra.hpp"
#include "methods/logistic_case.hpp"

namespace weft {

using namespace detail;
namespace {

using namespace testing_logistic;

/// Plain Newton on the dense problem, the intercept as one more column: last entry of the result.
Vector dense_newton(const Case& c) {
  double lambda = 0;
  const Index t = c.map.features();
  Dense penalty = Dense::Zero(t + 1, t + 1);
  penalty.topLeftCorner(t, t) = 2 * c.penalty(lambda);
  penalty *= lambda;
  if (!c.options.intercept) penalty(t, t) = 1;
  Dense a(t + 1, c.rows.rows());
  a.topRows(t) = c.phi();
  a.row(t).setConstant(c.options.intercept ? 1 : 0);
  double total = 0;
  for (Index i = 0; i < c.rows.rows(); ++i) total += c.weight(i);
  Vector b = Vector::Zero(t + 1);
  for (int step = 0; step < 60; ++step) {
    Vector gradient = penalty * b;
    Dense hessian = penalty;
    for (Index i = 0; i < c.rows.rows(); ++i) {
      const double p = 1 / (1 + std::exp(-b.dot(a.col(i))));
      gradient += c.weight(i) / total * (p - (c.rows.y(0, i) > 0 ? 1 : 0)) * a.col(i);
      hessian += c.weight(i) / total * p * (1 - p) * a.col(i) * a.col(i).transpose();
    }
    b -= testing::solve_symmetric(hessian, gradient);
  }
  return b;
}
double distance_to_newton(const Case& c, const FitResult& result) {
  const Vector b = dense_newton(c);
  const Vector expected = (c.phi().transpose() * b.head(b.size() - 1)).array() + b(b.size() - 1);
  return (scores(c, result).row(0).transpose() - expected).cwiseAbs().maxCoeff();
}

class Regularized : public ::testing::TestWithParam<Regularizer> {};

TEST_P(Regularized, BinaryEqualsDenseNewton) {
  Case c(sectors(400, 3, 2, true), Task::binary);
  c.own().regularizer = GetParam();
  // The effective strengths differ by the amplitudes: pick each so that the penalty matters and is not all.
  const Penalty penalty = make_penalty(c.map, c.own().regularizer, c.run);
  c.options.lambda = penalty.user_lambda(1e-3);
  const FitResult result = fit_logistic(c.problem());
  EXPECT_EQ(word(result, "stopped"), "converged");
  EXPECT_TRUE(result.probabilistic);
  EXPECT_LT(distance_to_newton(c, result), 1e-8);
  const Vector b = dense_newton(c);
  for (Index t = 0; t < c.map.features(); ++t)
    EXPECT_NEAR(result.coefficients(t, 0), b(t), 1e-8 * std::max(1.0, b.cwiseAbs().maxCoeff()));
  EXPECT_NEAR(result.intercepts[0], b(b.size() - 1), 1e-8 * std::max(1.0, b.cwiseAbs().maxCoeff()));
}

INSTANTIATE_TEST_SUITE_P(All, Regularized, ::testing::Values(Regularizer::rkhs, Regularizer::l2p, Regularizer::ridge));

TEST(Logistic, ManyFeaturesNeedNoNewGramAndStillEqualNewton) {
  // With 200 features the preconditioner is kept for several iterations: this is L-BFGS, not Newton.
  Case c(sectors(500, 3, 2, true), Task::binary, 200, "rks-relu");
  const FitResult result = fit_logistic(c.problem());
  EXPECT_LT(number(result, "grams"), number(result, "iterations"));
  EXPECT_LT(distance_to_newton(c, result), 1e-8);
}

TEST(Logistic, WithoutInterceptEqualsDenseNewton) {
  Case c(sectors(300, 3, 2, true), Task::binary);
  c.options.intercept = false;
  c.own().regularizer = Regularizer::ridge;
  const FitResult result = fit_logistic(c.problem());
  EXPECT_EQ(result.intercepts[0], 0);
  EXPECT_LT(distance_to_newton(c, result), 1e-8);
}

TEST(Logistic, GradientEqualsFiniteDifferences) {
  for (const Index classes : {2, 4}) {
    Case c(sectors(150, 3, classes, classes == 2), classes == 2 ? Task::binary : Task::multiclass, 12);
    const Problem problem = c.problem();
    FeatureRows rows(problem, 0);
    const Penalty penalty = make_penalty(c.map, Regularizer::rkhs, c.run);
    const ClassLoss log_loss(problem.rows.outputs());
    NewtonObjective objective(problem, log_loss, rows, penalty, 0.3, true);
    objective.set_lambda(0.05);
    const Random random(3, RandomStream::fit);
    Matrix x(13, c.rows.outputs());
    for (Index i = 0; i < 13 * x.cols(); ++i) x.data()[i] = random.normal(static_cast<std::uint64_t>(i));
    ObjectiveValue here, up, down;
    ASSERT_TRUE(objective.evaluate(x, here));
    for (Index i = 0; i < 13 * x.cols(); ++i) {
      const double h = 1e-5, before = x.data()[i];
      x.data()[i] = before + h;
      objective.evaluate(x, up);
      x.data()[i] = before - h;
      objective.evaluate(x, down);
      x.data()[i] = before;
      EXPECT_NEAR(here.gradient.data()[i], (up.value - down.value) / (2 * h), 1e-8) << classes << " " << i;
    }
  }
}

TEST(Logistic, PreconditionerIsTheHessianOfABinaryProblem) {
  Case c(sectors(200, 3, 2, true), Task::binary, 10);
  const Problem problem = c.problem();
  FeatureRows rows(problem, 1e9);
  const Penalty penalty = make_penalty(c.map, Regularizer::rkhs, c.run);
  const ClassLoss log_loss(problem.rows.outputs());
  NewtonObjective objective(problem, log_loss, rows, penalty, 0, true);
  objective.set_lambda(0.01);
  const Random random(4, RandomStream::fit);
  Matrix x(11, 1), step(11, 1);
  for (Index i = 0; i < 11; ++i) {
    x(i, 0) = random.normal(static_cast<std::uint64_t>(i));
    step(i, 0) = random.normal(static_cast<std::uint64_t>(i), 1);
  }
  ASSERT_TRUE(objective.renew(x));
  // P⁻¹ applied to the change of the gradient along a step gives the step back.
  ObjectiveValue up, down;
  const double h = 1e-5;
  Matrix forward = x, backward = x, change(11, 1);
  for (Index i = 0; i < 11; ++i) {
    forward(i, 0) += h * step(i, 0);
    backward(i, 0) -= h * step(i, 0);
  }
  objective.evaluate(forward, up);
  objective.evaluate(backward, down);
  for (Index i = 0; i < 11; ++i) change(i, 0) = (up.gradient(i, 0) - down.gradient(i, 0)) / (2 * h);
  objective.precondition(change);
  for (Index i = 0; i < 11; ++i) EXPECT_NEAR(change(i, 0), step(i, 0), 1e-5);
}

TEST(Softmax, WithTwoClassesIsBinary) {
  // Two outputs ±f/2 have the binary loss of f and, in sum, half its penalty: λ doubles.
  Case binary(sectors(300, 3, 2, true), Task::binary);
  Case softmax(sectors(300, 3, 2, false), Task::multiclass);
  softmax.options.lambda = 2 * *binary.options.lambda;
  const FitResult one = fit_logistic(binary.problem());
  const FitResult two = fit_logistic(softmax.problem());
  EXPECT_NEAR(number(one, "objective"), number(two, "objective"), 1e-12);
  const Dense f = scores(binary, one), g = scores(softmax, two);
  EXPECT_LT((f.row(0) - (g.row(1) - g.row(0))).cwiseAbs().maxCoeff(), 1e-7);
}

/// Value and gradient of the softmax problem, written out.
double dense_softmax(const Case& c, const Dense& x, Dense& gradient) {
  double lambda = 0;
  const Index t = c.map.features();
  const Dense r = c.penalty(lambda), phi = c.phi(), b = x.topRows(t);
  double value = lambda * (b.transpose() * r * b).trace();
  gradient = Dense::Zero(t + 1, x.cols());
  gradient.topRows(t) = 2 * lambda * r * b;
  for (Index i = 0; i < c.rows.rows(); ++i) {
    Vector p = (b.transpose() * phi.col(i) + x.row(t).transpose()).array().exp();
    p /= p.sum();
    for (Index k = 0; k < x.cols(); ++k) {
      if (c.rows.y(k, i) < 0) continue;
      value -= std::log(p(k)) / static_cast<double>(c.rows.rows());
      p(k) -= 1;
    }
    gradient.topRows(t) += phi.col(i) * p.transpose() / static_cast<double>(c.rows.rows());
    gradient.row(t) += p.transpose() / static_cast<double>(c.rows.rows());
  }
  return value;
}

TEST(Softmax, IsStationaryAndBelowGradientDescent) {
  Case c(sectors(250, 3, 5, false), Task::multiclass, 20);
  c.own().regularizer = Regularizer::ridge;
  const FitResult result = fit_logistic(c.problem());
  EXPECT_EQ(word(result, "stopped"), "converged");
  Dense x(21, 5), gradient;
  x.topRows(20) = Eigen::Map<const Dense>(result.coefficients.data(), 20, 5);
  for (Index k = 0; k < 5; ++k) x(20, k) = result.intercepts[static_cast<std::size_t>(k)];
  const double solved = dense_softmax(c, x, gradient);
  EXPECT_LT(gradient.cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_NEAR(solved, number(result, "objective"), 1e-12);
  EXPECT_NEAR(x.rowwise().sum().cwiseAbs().maxCoeff(), 0, 1e-8);
  Dense descent = Dense::Zero(21, 5);
  double reached = 0;
  for (int step = 0; step < 1500; ++step) {
    reached = dense_softmax(c, descent, gradient);
    descent -= 0.1 * gradient;
  }
  EXPECT_LE(solved, reached + 1e-12);
  EXPECT_NEAR(solved, reached, 0.02);
}

TEST(Softmax, EndsInTheSameMinimumWithOneGramForAllClasses) {
  Case c(sectors(300, 3, 4, false), Task::multiclass, 40, "rks-relu");
  c.own().tolerance = 1e-18;
  c.own().iterations = 2000;
  const FitResult blocks = fit_logistic(c.problem());
  c.run.max_memory = 5.5 * 40 * 40 * 8;
  const FitResult shared = fit_logistic(c.problem());
  EXPECT_EQ(word(shared, "stopped"), "converged");
  EXPECT_GT(number(shared, "passes"), number(blocks, "passes"));
  EXPECT_LT((scores(c, blocks) - scores(c, shared)).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Logistic, WeightsAreCopies) {
  for (const Index classes : {2, 3}) {
    const TableRows once = sectors(120, 2, classes, classes == 2);
    Index copies = 0;
    Case weighted(once, classes == 2 ? Task::binary : Task::multiclass, 15);
    for (Index i = 0; i < once.rows(); ++i) {
      weighted.rows.weights.push_back(static_cast<double>(i % 4));
      copies += i % 4;
    }
    TableRows repeated;
    repeated.x = Matrix(once.x.rows(), copies);
    repeated.y = Matrix(once.y.rows(), copies);
    for (Index i = 0, to = 0; i < once.rows(); ++i)
      for (Index k = 0; k < i % 4; ++k, ++to) {
        for (Index j = 0; j < once.x.rows(); ++j) repeated.x(j, to) = once.x(j, i);
        for (Index j = 0; j < once.y.rows(); ++j) repeated.y(j, to) = once.y(j, i);
      }
    Case duplicated(repeated, weighted.task, 15);
    const FitResult a = fit_logistic(weighted.problem());
    const FitResult b = fit_logistic(duplicated.problem());
    for (Index i = 0; i < a.coefficients.rows() * a.coefficients.cols(); ++i)
      EXPECT_NEAR(a.coefficients.data()[i], b.coefficients.data()[i], 1e-7);
  }
}

TEST(Logistic, SeparableDataStayFinite) {
  for (const Index classes : {2, 3}) {
    Case c(sectors(200, 2, classes, classes == 2, 0), classes == 2 ? Task::binary : Task::multiclass, 100, "rks-relu");
    c.options.lambda = 1e-9;
    c.own().tolerance = 1e-6;
    const FitResult result = fit_logistic(c.problem());
    EXPECT_EQ(word(result, "stopped"), "converged") << number(result, "gradient_norm");
    const Dense f = scores(c, result);
    EXPECT_TRUE(f.allFinite());
    EXPECT_LT(number(result, "objective"), 0.05);
  }
}

TEST(Logistic, OverwhelmingLambdaLeavesTheClassShares) {
  Case c(sectors(300, 2, 3, false), Task::multiclass);
  c.options.lambda = 1e300;
  c.own().regularizer = Regularizer::ridge;
  c.rows.weights.assign(300, 2.5);
  for (const double lambda : {1e9, 1e308}) {  // the second is infinite once the number of features multiplies it
    c.options.lambda = lambda;
    const FitResult result = fit_logistic(c.problem());
    double total = 0;
    for (const double intercept : result.intercepts) total += std::exp(intercept);
    for (Index k = 0; k < 3; ++k) {
      double share = 0;
      for (Index i = 0; i < 300; ++i) share += (c.rows.y(k, i) > 0 ? 1 : 0) / 300.0;
      EXPECT_NEAR(std::exp(result.intercepts[static_cast<std::size_t>(k)]) / total, share, 1e-6);
    }
    for (Index i = 0; i < c.map.features() * 3; ++i) EXPECT_NEAR(result.coefficients.data()[i], 0, 1e-6);
  }
}

TEST(Logistic, ChoosesLambdaOnHeldOutRows) {
  Case c(sectors(600, 2, 2, true, 1.0), Task::binary, 100, "rks-relu");
  c.options.lambda.reset();
  c.own().tolerance = 1e-20;
  const FitResult result = fit_logistic(c.problem());
  double least = 1e9, lambda = 0;
  for (int i = 1; i <= 8; ++i) {
    const std::string step = "path " + std::to_string(i);
    bool there = false;
    for (const auto& entry : result.report.numbers) there = there || entry.first == step + " lambda";
    if (!there) break;
    if (number(result, step + " held-out log loss") < least) {
      least = number(result, step + " held-out log loss");
      lambda = number(result, step + " lambda");
    }
  }
  EXPECT_LT(least, std::log(2.0));
  EXPECT_DOUBLE_EQ(number(result, "lambda"), lambda);
  // The final fit is the fit of that lambda on all rows.
  c.options.lambda = lambda;
  EXPECT_LT(distance_to_newton(c, result), 1e-6);
}

TEST(Logistic, HeldOutLossIsThatOfTheHeldOutRows) {
  Case c(sectors(200, 2, 2, true), Task::binary, 10);
  const Problem problem = c.problem();
  FeatureRows rows(problem, 0);
  const Penalty penalty = make_penalty(c.map, Regularizer::ridge, c.run);
  const ClassLoss log_loss(problem.rows.outputs());
  NewtonObjective objective(problem, log_loss, rows, penalty, 0.25, true);
  Matrix x(11, 1);
  for (Index t = 0; t < 11; ++t) x(t, 0) = 0.1 * static_cast<double>(t);
  ObjectiveValue value;
  objective.evaluate(x, value);
  const Dense phi = c.phi();
  double loss[2] = {0, 0}, count[2] = {0, 0};
  for (Index i = 0; i < 200; ++i) {
    double f = x(10, 0);
    for (Index t = 0; t < 10; ++t) f += x(t, 0) * phi(t, i);
    const int part = Random(c.family.seed, RandomStream::split).uniform(static_cast<std::uint64_t>(i)) < 0.25 ? 1 : 0;
    loss[part] += std::log(1 + std::exp(-c.rows.y(0, i) * f));
    count[part] += 1;
  }
  EXPECT_GT(count[1], 0);
  EXPECT_NEAR(value.value, loss[0] / count[0], 1e-13);
  EXPECT_NEAR(value.held_out, loss[1] / count[1], 1e-13);
}

}  // namespace
}  // namespace weft
