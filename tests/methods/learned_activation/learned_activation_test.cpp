#include "dense_algebra.hpp"
#include "methods/learned_case.hpp"
#include "methods/least_squares/least_squares.hpp"
#include "methods/method.hpp"
#include "methods/newton/logistic.hpp"

namespace weft {

using namespace detail;
namespace {

using testing::Dense;
using testing::dense_objective;
using testing::learned_problem;
using testing::number;
using testing::sectors;
using testing::slope;
using testing::TableRows;
using testing::waves;
using Case = testing::LearnedCase;

std::vector<double> objectives(const FitReport& report) {
  std::vector<double> values;
  for (const auto& [name, value] : report.numbers)
    if (name.starts_with("sweep ")) values.push_back(value);
  return values;
}

const LearnedActivation& activation_of(const FitResult& result) {
  return dynamic_cast<const LearnedActivation&>(*result.map->parts().front().family.activation);
}

double correlation(const Activation& learned, const std::function<double(double)>& truth, double low, double high) {
  double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (double z = low; z <= high; z += (high - low) / 200, ++n) {
    const double a = learned.value(z), b = truth(z);
    x += a, y += b, xx += a * a, yy += b * b, xy += a * b;
  }
  return (xy - x * y / n) / std::sqrt((xx - x * x / n) * (yy - y * y / n));
}

TEST(LearnedActivationFit, WeightsOfAFixedActivationEqualDenseRidge) {
  Case c(waves(300, 2), Task::regression, 12, "rks-relu");
  c.rows.weights.assign(300, 1);
  for (std::size_t i = 0; i < 300; ++i) c.rows.weights[i] = 0.5 + static_cast<double>(i % 3);
  const Problem problem = c.problem();
  const LearnedProblem learned = learned_problem(problem);
  LearnedPoint point;
  for (int i = 0; i < 10; ++i) point.a.push_back(std::cos(0.9 * i));
  const double lambda = 1e-3;
  ASSERT_TRUE(squared_steps(learned)->fit_weights(point, lambda));
  // The same activation as the features of ordinary least squares.
  FitOptions options;
  options.method = LeastSquaresOptions{.regularizer = Regularizer::ridge, .epsilon = 0};
  options.lambda = lambda * learned.squared_norm(point.a) / 12;
  const FeatureMap map = learned.map(point.a);
  const FitResult fixed = fit_least_squares({map, c.rows, c.task, options, c.family, c.run});
  for (Index i = 0; i < 24; ++i) EXPECT_NEAR(point.v.data()[i], fixed.coefficients.data()[i], 1e-8);
  for (std::size_t o = 0; o < 2; ++o) EXPECT_NEAR(point.intercepts[o], fixed.intercepts[o], 1e-8);
  EXPECT_NEAR(point.objective, dense_objective(c, learned, point, lambda), 1e-10);
}

TEST(LearnedActivationFit, WeightsOfAFixedActivationEqualTheSoftmaxFit) {
  Case c(sectors(300, 2, 3, false), Task::multiclass, 12, "rks-relu");
  c.own().tolerance = 1e-14;
  const Problem problem = c.problem();
  const LearnedProblem learned = learned_problem(problem);
  LearnedPoint point;
  for (int i = 0; i < 10; ++i) point.a.push_back(std::cos(0.9 * i));
  const double lambda = 1e-3;
  for (int k = 0; k < 4; ++k) ASSERT_TRUE(logistic_steps(learned)->fit_weights(point, lambda));
  FitOptions options;
  options.method = LogisticOptions{.regularizer = Regularizer::ridge, .tolerance = 1e-14, .iterations = 2000};
  options.lambda = lambda * learned.squared_norm(point.a) / 12;
  const FeatureMap map = learned.map(point.a);
  const FitResult fixed = fit_logistic({map, c.rows, c.task, options, c.family, c.run});
  EXPECT_NEAR(point.objective, number(fixed.report, "objective"), 1e-10);
  EXPECT_NEAR(point.objective, dense_objective(c, learned, point, lambda), 1e-10);
}

TEST(LearnedActivationFit, AnActivationIsMeasuredWhereTheRowsAre) {
  Case c(waves(300, 1), Task::regression, 12, "rks-relu");
  c.own().smoothness = 0;
  const Problem problem = c.problem();
  const double mean_square = c.features(c.map).squaredNorm() / (300.0 * 12);
  for (const Index end : {20, 80}) {
    // Hats on the integers: relu exactly.
    const LearnedProblem learned(
        problem, ActivationBasis::bspline(-static_cast<double>(end), static_cast<double>(end), 2 * end + 1, 1));
    std::vector<double> relu;
    for (Index i = -end; i <= end; ++i) relu.push_back(static_cast<double>(std::max<Index>(0, i)));
    EXPECT_NEAR(learned.squared_norm(relu), mean_square, 1e-4 * mean_square) << end;
  }
}

TEST(LearnedActivationFit, TheCoefficientNormGivesTheConstrainedProblem) {
  // Ma et al. 2025, eq. 5: min over ‖a‖ ≤ R and v of (1/n)‖Z(a)v − y‖² + λs‖v‖². At a minimum on the sphere the
  // gradient in v is 0 and that in a points inwards, −μa with μ ≥ 0.
  Case c(waves(300, 1), Task::regression, 12, "rks-relu");
  const double radius = 3, lambda = 1e-3;
  c.own().activation_norm = ActivationNorm::coefficients;
  c.own().activation_radius = radius;
  c.own().tolerance = 1e-15;
  c.own().iterations = 1000;
  c.options.lambda = lambda;
  c.options.intercept = false;
  const FitResult result = fit_learned_activation(c.problem());
  const LearnedActivation& learned = activation_of(result);
  Eigen::VectorXd a = Eigen::Map<const Eigen::VectorXd>(learned.coefficients().data(), 10);
  Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXd>(result.coefficients.data(), 12);
  v *= a.norm() / radius;
  a *= radius / a.norm();
  const Eigen::VectorXd y = Eigen::Map<const Eigen::VectorXd>(c.rows.y.data(), 300);
  Dense z = Dense::Zero(12, 300);
  Dense u(10, 300);
  for (Index i = 0; i < 10; ++i) {
    const Dense bump = c.features(c.map.with_activation(LearnedActivation::basis_function(learned.basis(), i)));
    z += a(i) * bump;
    u.row(i) = v.transpose() * bump;
  }
  const Eigen::VectorXd residual = z.transpose() * v - y;
  const Eigen::VectorXd in_v = 2.0 / 300 * z * residual + 2 * lambda * 12 * v;
  const Eigen::VectorXd in_a = 2.0 / 300 * u * residual;
  const double inwards = -in_a.dot(a) / (radius * radius);
  EXPECT_GT(inwards, 0);
  EXPECT_LT(in_v.norm(), 1e-4 * (2.0 / 300 * z * y).norm());
  EXPECT_LT((in_a + inwards * a).norm(), 1e-4 * (2.0 / 300 * u * y).norm());
  EXPECT_LT(residual.squaredNorm(), 0.8 * y.squaredNorm());
}

TEST(LearnedActivationFit, TheLambdaOfTheStartServesLearningToo) {
  // Some rows are far out, so that most of the grid is empty. Sectors do not depend on lengths: relu is right already.
  Case c(sectors(500, 2, 3, false), Task::multiclass, 30, "rks-relu");
  const Random random(23, RandomStream::noise);
  for (Index i = 0; i < 500; ++i)
    for (Index j = 0; j < 2; ++j) c.rows.x(j, i) *= std::exp(1.5 * random.normal(static_cast<std::uint64_t>(i)));
  c.own().basis = ActivationBasis::Kind::bspline;
  c.own().grid_points = 32;
  c.options.lambda.reset();
  const FitReport report = fit_learned_activation(c.problem()).report;
  EXPECT_LT(number(report, "1 times lambda, held-out loss"), 1.1 * number(report, "fixed_held_out_loss"));
}

TEST(LearnedActivationFit, SplinesAreSummedWhereTheyAreAsEverywhere) {
  Case c(waves(300, 2), Task::regression, 7, "rks-cos");
  c.map = c.map.subset({0, 1, 2, 3, 4, 5, 6}, {1, 0.5, 2, 3, 0.1, 1, 4});
  for (const Index degree : {1, 2, 3, 5}) {
    const Problem problem = c.problem();
    const LearnedProblem learned(problem, ActivationBasis::bspline(-2, 1.5, 10, degree));  // some rows lie outside
    Matrix v(7, 2), u;
    for (Index i = 0; i < 14; ++i) v.data()[i] = std::sin(1.7 * static_cast<double>(i));
    basis_sums(learned, c.rows.x, v, u);
    for (Index i = 0; i < 10; ++i) {
      const Dense phi = c.features(c.map.with_activation(learned.bumps[static_cast<std::size_t>(i)]));
      for (Index o = 0; o < 2; ++o)
        for (Index r = 0; r < 300; ++r) {
          double sum = 0;
          for (Index m = 0; m < 7; ++m) sum += v(m, o) * phi(m, r);
          ASSERT_NEAR(u(o * 10 + i, r), sum, 1e-13);
        }
    }
  }
}

struct Setting {
  const char* family;
  Task task;
  Index outputs;
  bool bspline;
};

class EverySetting : public ::testing::TestWithParam<Setting> {
 protected:
  static TableRows rows() {
    const Setting s = GetParam();
    TableRows data = s.task == Task::regression ? waves(240, s.outputs)
                                                : sectors(240, 2, std::max<Index>(2, s.outputs), s.outputs == 1);
    data.weights.assign(240, 1);
    for (std::size_t i = 0; i < 240; i += 4) data.weights[i] = 2.5;
    return data;
  }
  Case c_{rows(), GetParam().task, 9, GetParam().family};
};

TEST_P(EverySetting, BothHalfStepsAreStationaryPointsOfOneObjective) {
  c_.own().tolerance = 1e-18;
  const Problem problem = c_.problem();
  const LearnedProblem learned = learned_problem(problem, GetParam().bspline);
  const double lambda = 1e-3;
  const auto steps = c_.task == Task::regression ? squared_steps(learned) : logistic_steps(learned);
  LearnedPoint point;
  for (int i = 0; i < 10; ++i) point.a.push_back(0.3 + std::cos(0.9 * i));
  for (int k = 0; k < 4; ++k) ASSERT_TRUE(steps->fit_weights(point, lambda));  // softmax: at most 25 steps a call
  const double first = dense_objective(c_, learned, point, lambda);
  EXPECT_NEAR(point.objective, first, 1e-10);
  for (Index m = 0; m < 9; ++m)
    EXPECT_NEAR(slope(c_, learned, point, lambda, [m](LearnedPoint& p) -> double& { return p.v(m, 0); }), 0, 1e-6);
  EXPECT_NEAR(slope(c_, learned, point, lambda, [](LearnedPoint& p) -> double& { return p.intercepts[0]; }), 0, 1e-6);

  balance(point, learned);
  EXPECT_NEAR(dense_objective(c_, learned, point, lambda), first, 1e-10);
  EXPECT_NEAR(learned.squared_norm(point.a) / penalty_form(learned.penalty, point.v, 1), 1, 1e-10);

  for (int k = 0; k < 4; ++k) ASSERT_TRUE(steps->fit_activation(point, lambda));
  const double second = dense_objective(c_, learned, point, lambda);
  EXPECT_NEAR(point.objective, second, 1e-10);
  EXPECT_LT(second, first);
  for (std::size_t i = 0; i < 10; ++i)
    EXPECT_NEAR(slope(c_, learned, point, lambda, [i](LearnedPoint& p) -> double& { return p.a[i]; }), 0, 1e-6);
}

TEST_P(EverySetting, SweepsNeverRaiseTheObjective) {
  c_.own().basis = GetParam().bspline ? ActivationBasis::Kind::bspline : ActivationBasis::Kind::rbf;
  c_.own().iterations = 12;
  c_.own().tolerance = 1e-12;
  const FitResult result = fit_learned_activation(c_.problem());
  const std::vector<double> values = objectives(result.report);
  ASSERT_GE(values.size(), 3U);
  for (std::size_t k = 1; k < values.size(); ++k) EXPECT_LE(values[k], values[k - 1]);
  EXPECT_LT(values.back(), values.front());
  EXPECT_EQ(result.probabilistic, c_.task != Task::regression);
  // What is returned is the point whose objective is reported.
  const LearnedActivation& h = activation_of(result);
  const Problem problem = c_.problem();
  const LearnedProblem learned(problem, h.basis());
  const LearnedPoint point{h.coefficients(), result.coefficients, result.intercepts};
  EXPECT_NEAR(dense_objective(c_, learned, point, learned.penalty.effective(*c_.options.lambda)), values.back(), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(All, EverySetting,
                         ::testing::Values(Setting{"rks-relu", Task::regression, 1, false},
                                           Setting{"rks-cos", Task::regression, 2, true},
                                           Setting{"rw-relu", Task::regression, 1, true},
                                           Setting{"rw-relu/sparse:2", Task::regression, 1, false},
                                           Setting{"rks-relu", Task::binary, 1, false},
                                           Setting{"rw-relu", Task::multiclass, 3, false},
                                           Setting{"rks-erf", Task::multiclass, 3, true}));

// Ma et al. 2025, eq. 8, from the rows alone: the fit is a stationary point of it for every λ₀, because both factors
// have one size, and the penalty of its half-steps is lost in rounding.
TEST(LearnedActivationFit, TheBalancedObjectiveIsEquation8ForEveryLambda0) {
  Case c(waves(300, 1), Task::regression, 6, "rks-relu");
  c.own().objective = LearnedObjective::balanced;
  c.own().activation_norm = ActivationNorm::coefficients;
  c.own().tolerance = 1e-15;
  c.own().iterations = 3000;
  c.options.lambda.reset();
  const FitResult result = fit_learned_activation(c.problem());
  EXPECT_EQ(result.report.number("lambda"), 0.0);
  const LearnedActivation& h = activation_of(result);
  const Problem problem = c.problem();
  const LearnedProblem learned(problem, h.basis());
  const LearnedPoint point{h.coefficients(), result.coefficients, result.intercepts};
  double a = 0, v = 0;
  for (const double value : point.a) a += value * value;
  for (Index m = 0; m < 6; ++m) v += point.v(m, 0) * point.v(m, 0);
  EXPECT_NEAR(a / v, 1, 1e-12);
  const double least = dense_objective(c, learned, point, 0);
  EXPECT_NEAR(least, result.report.number("objective").value(), 1e-3 * least);
  // λ₀(‖a‖² − ‖v‖²)² is 0 with all its slopes. The loss is least in the weights for this activation, and in the
  // activation for these weights, by dense least squares with an intercept.
  const auto least_in = [&](const Dense& columns) {
    Eigen::MatrixXd with_one(300, columns.rows() + 1);
    with_one << columns.transpose(), Eigen::VectorXd::Ones(300);
    Eigen::VectorXd y(300);
    for (Index i = 0; i < 300; ++i) y(i) = c.rows.y(0, i);
    return (y - with_one * testing::least_squares(with_one, y)).squaredNorm() / 300;
  };
  EXPECT_LE(least, least_in(c.features(learned.map(point.a))) * (1 + 1e-4));
  Dense sums(*c.own().grid_points, 300);
  const Eigen::Map<const Eigen::VectorXd> weights(point.v.data(), 6);
  for (Index i = 0; i < sums.rows(); ++i)
    sums.row(i) = weights.transpose() * c.features(c.map.with_activation(learned.bumps[static_cast<std::size_t>(i)]));
  EXPECT_LE(least, least_in(sums) * (1 + 1e-4));
}

TEST(LearnedActivationFit, KnownActivationsAreRecovered) {
  struct Shape {
    const char* name;
    double (*h)(double);
  };
  for (const Shape& shape : {Shape{"bump", [](double z) { return std::exp(-2 * (z - 0.5) * (z - 0.5)); }},
                             Shape{"sine", [](double z) { return std::sin(2 * z); }},
                             Shape{"ramp", [](double z) { return std::clamp(z, -1.0, 1.0); }}})
    for (const ActivationBasis::Kind basis : {ActivationBasis::Kind::rbf, ActivationBasis::Kind::bspline}) {
      Case c(sectors(1500, 3, 2, true), Task::regression, 20, "rks-gaussian");
      const auto truth = custom_activation(shape.name, shape.h);
      const FeatureMap generator = c.map.with_activation(truth);
      const Dense phi = c.features(generator);
      const Random random(11, RandomStream::noise);
      for (Index i = 0; i < 1500; ++i) {
        c.rows.y(0, i) = 0.3;
        for (Index m = 0; m < 20; ++m) c.rows.y(0, i) += random.normal(static_cast<std::uint64_t>(m)) * phi(m, i);
      }
      c.own().basis = basis;
      c.own().grid_points = 30;
      c.options.lambda = 1e-9;
      c.own().tolerance = 1e-8;
      c.own().iterations = 300;
      c.own().starts = 4;  // the ramp is odd: from an even start the sweeps end in a worse minimum
      const FitResult result = fit_learned_activation(c.problem());
      // The sign is not determined, nor is a constant: an intercept stands beside the weights. Where the rows are.
      EXPECT_GT(std::abs(correlation(activation_of(result), shape.h, -4, 4)), 0.99)
          << shape.name << " " << name_of(basis);
    }
}

TEST(LearnedActivationFit, TheGridCoversProjectionsWhateverScalesFeatures) {
  for (const char* family : {"rks-cos", "rw-relu"}) {
    Case c(waves(200, 1), Task::regression, 4, family);
    c.own().iterations = 1;
    const FitResult plain = fit_learned_activation(c.problem());
    c.map = c.map.subset({0, 1, 2, 3}, {0.01, 50, 3, 1});
    const FitResult scaled = fit_learned_activation(c.problem());
    for (const char* end : {"grid_low", "grid_high"})
      EXPECT_EQ(number(plain.report, end), number(scaled.report, end)) << family;
    EXPECT_EQ(scaled.map->parts().front().centres.scales, c.map.parts().front().centres.scales);
  }
}

TEST(LearnedActivationFit, ChoosesLambdaAndBeatsTheActivationItStartedFrom) {
  Case c(waves(1200, 1, 0.1), Task::regression, 10, "rks-relu");
  c.options.lambda.reset();
  c.own().grid_points = 20;
  const FitResult result = fit_learned_activation(c.problem());
  EXPECT_LT(number(result.report, "held_out_error"), 0.9 * number(result.report, "fixed_held_out_error"));
  EXPECT_GT(number(result.report, "lambda"), 0);
}

TEST(LearnedActivationFit, ClassesAreLearnedWhereHeldOutRowsGainByIt) {
  // Sectors by the sign of a wave: one relu direction cannot bend, a learned activation can.
  Case c(waves(1200, 1, 0.1), Task::binary, 10, "rks-relu");
  for (Index i = 0; i < 1200; ++i) c.rows.y(0, i) = c.rows.y(0, i) > 0 ? 1 : -1;
  c.options.lambda.reset();
  c.own().grid_points = 20;
  const FitResult learned = fit_learned_activation(c.problem());
  EXPECT_LT(number(learned.report, "held_out_loss"), 0.9 * number(learned.report, "fixed_held_out_loss"));
  EXPECT_GT(number(learned.report, "sweeps"), 0);
  // Labels of chance: nothing to learn, and the start is kept.
  const Random random(3, RandomStream::noise);
  for (Index i = 0; i < 1200; ++i) c.rows.y(0, i) = random.uniform(static_cast<std::uint64_t>(i)) < 0.5 ? 1 : -1;
  const FitResult kept = fit_learned_activation(c.problem());
  EXPECT_EQ(number(kept.report, "sweeps"), 0);
  EXPECT_EQ(testing::word(kept.report, "stopped"), "no activation did better on the held-out rows");
}

TEST(LearnedActivationFit, SeveralStartsKeepTheBest) {
  Case c(waves(300, 1), Task::regression, 8, "rks-relu");
  c.own().starts = 4;
  const FitResult result = fit_learned_activation(c.problem());
  for (int k = 0; k < 4; ++k)
    EXPECT_LE(number(result.report, "objective"), number(result.report, "start " + std::to_string(k) + " objective"));
}

TEST(LearnedActivationFit, IsTheSameForEveryThreadCount) {
  Case c(waves(700, 2), Task::regression, 15, "rw-relu");
  c.rows.block_rows = 300;
  c.own().iterations = 3;
  const FitResult one = fit_learned_activation(c.problem());
  c.run.threads = 3;
  const FitResult three = fit_learned_activation(c.problem());
  for (Index i = 0; i < 30; ++i) EXPECT_EQ(one.coefficients.data()[i], three.coefficients.data()[i]);
  EXPECT_EQ(activation_of(one).coefficients(), activation_of(three).coefficients());
}

TEST(LearnedActivationFit, AConstantTargetGivesItsMean) {
  Case c(waves(60, 1), Task::regression, 5, "rks-relu");
  for (Index i = 0; i < 60; ++i) c.rows.y(0, i) = 7;
  const FitResult result = fit_learned_activation(c.problem());
  EXPECT_NEAR(result.intercepts[0], 7, 1e-9);
  for (Index m = 0; m < 5; ++m) EXPECT_NEAR(result.coefficients(m, 0), 0, 1e-9);
}

TEST(LearnedActivationFit, RefusesWhatDoesNotFit) {
  const auto refuse = [](const LearnedActivationOptions& own, const std::string& place) {
    Case c(waves(50, 1), Task::regression, 4, "rks-relu");
    c.options.method = own;
    try {
      check_fit_options(c.options, c.family);
      fit_learned_activation(c.problem());
      ADD_FAILURE() << place;
    } catch (const Error& error) {
      EXPECT_EQ(error.field(), place);
      EXPECT_FALSE(error.hint().empty());
    }
  };
  refuse({.basis = ActivationBasis::Kind::rbf, .grid_range = "50:60"}, "grid_range");
  refuse({.basis = ActivationBasis::Kind::rbf, .grid_range = "3:3"}, "grid_range");
  refuse({.basis = ActivationBasis::Kind::rbf, .grid_range = "much"}, "grid_range");
  refuse({.loss = LearnedLoss::logistic}, "loss");
  refuse({.basis = ActivationBasis::Kind::bspline, .basis_width = 0.5}, "basis_width");
  refuse({.basis = ActivationBasis::Kind::bspline, .grid_points = 3}, "grid_points");
  refuse({.basis = ActivationBasis::Kind::rbf, .degree = 3}, "degree");
  Case part(waves(50, 1), Task::regression, 4, "rks-relu");
  part.own().grid_range = "-0.5:0.5";
  EXPECT_EQ(fit_learned_activation(part.problem()).report.warnings.size(), 1U);
}

}  // namespace
}  // namespace weft
