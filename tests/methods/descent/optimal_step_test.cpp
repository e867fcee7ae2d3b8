#include "methods/descent/optimal_step.hpp"

#include "methods/descent/feature_stream.hpp"
#include "methods/descent_problem.hpp"
#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace weft {

using namespace detail;

using OptimalStepScene = BasicScene<OptimalStepOptions>;
namespace {

StepEquation made_up(Loss::Kind kind) {
  StepEquation p{Loss(kind, 0.5)};
  const Random random(4, RandomStream::noise);
  for (std::uint64_t i = 0; i < 200; ++i) {
    p.f.push_back(random.normal(i, 0));
    p.s.push_back(random.normal(i, 2));
    p.y.push_back(random.uniform(i, 4) < 0.5 ? -1 : 1);
    p.w.push_back(0.5 + random.uniform(i, 5));
  }
  p.slope = 0.3;
  p.curvature = 0.05;
  return p;
}

TEST(StepEquation, ClosedFormIsWhatTheRootFinderFinds) {
  const StepEquation p = made_up(Loss::Kind::squared);
  const double x = closed_form_root(p);
  EXPECT_NEAR(bracketed_root(p), x, 1e-13);
  EXPECT_NEAR(p(x), 0, 1e-13);
  EXPECT_GT(std::abs(x), 1e-3);
}

TEST(StepEquation, TheRootMinimisesTheRegularisedLoss) {
  for (const Loss::Kind kind : {Loss::Kind::squared, Loss::Kind::logistic, Loss::Kind::hinge, Loss::Kind::huber}) {
    for (const double slope : {-2.0, 0.3, 2.0}) {
      StepEquation p = made_up(kind);
      p.slope = slope;
      const auto objective = [&](double x) {
        double sum = 0;
        for (std::size_t i = 0; i < p.f.size(); ++i) sum += p.w[i] * p.loss.value(p.f[i] + x * p.s[i], p.y[i]);
        return sum / static_cast<double>(p.f.size()) + p.slope * x + p.curvature * x * x / 2;
      };
      const double x = bracketed_root(p);
      for (const double h : {1e-4, 1e-2, 1.0}) {
        EXPECT_LE(objective(x), objective(x + h) + 1e-12) << p.loss.name();
        EXPECT_LE(objective(x), objective(x - h) + 1e-12) << p.loss.name();
      }
    }
  }
}

TEST(StepEquation, EndsWhereThereIsNoMinimum) {
  StepEquation p{Loss(Loss::Kind::logistic), {0}, {1}, {1}, {1}};
  EXPECT_TRUE(std::isfinite(bracketed_root(p)));
  EXPECT_GT(bracketed_root(p), 30);
  p.s = {0};
  EXPECT_EQ(bracketed_root(p), 0);
  EXPECT_EQ(closed_form_root(p), 0);
}

struct FullBatchScene : OptimalStepScene {
  explicit FullBatchScene(const std::string& name = "rw-relu", Index features = 60)
      : OptimalStepScene(name, features, 120) {
    options.lambda = 1e-3;
    own().batch = 1000;
  }
};

/// Dubé & Marchand 2023, Algorithm 2 with eq. 44, in raw coefficients on all rows; `penalty` multiplies G.
Eigen::VectorXd algorithm_2(const OptimalStepScene& scene, double intercept, double penalty,
                            bool square_integrable = false) {
  const double lambda = *scene.options.lambda;
  const EigenMatrix phi = features_of(scene);
  const EigenMatrix gram = penalty * to_eigen(square_integrable ? scene.map.l2_gram() : scene.map.gram());
  Eigen::VectorXd y(phi.cols());
  for (Index i = 0; i < y.size(); ++i) y[i] = scene.rows.y(0, i) - intercept;
  const auto m = static_cast<double>(y.size());
  Eigen::VectorXd a = Eigen::VectorXd::Zero(phi.rows());
  const FeatureStream order(scene.map, 1);
  for (Index v = 0; v < a.size(); ++v) {
    const Index t = order.column(v);
    a *= 1 - lambda;
    const Eigen::VectorXd residual = y - phi.transpose() * a;
    a[t] = (phi.row(t).dot(residual) / m - lambda * gram.row(t).dot(a)) /
           (phi.row(t).squaredNorm() / m + lambda * gram(t, t));
  }
  return a;
}

// Under the norm of L²(p) M takes the place of G: every step is the best along its centre.
TEST(OptimalStep, HasTheNormOfL2Too) {
  for (const char* family : {"rw-relu", "rw-exp-sign", "rw-stumps", "rw-sign:30+rw-relu/sparse:2:30"}) {
    FullBatchScene scene(family);
    scene.own().regularizer = Regularizer::l2p;
    const FitResult fit = fit_optimal_step(scene.problem());
    const Eigen::VectorXd expected = algorithm_2(scene, fit.intercepts[0], 1, true);
    EXPECT_LT((raw_coefficients(scene, fit) - expected).cwiseAbs().maxCoeff(), 1e-9 * expected.cwiseAbs().maxCoeff())
        << family;
    const double square = expected.dot(to_eigen(scene.map.l2_gram()) * expected);
    EXPECT_NEAR(number_of(fit.report, "last_norm"), std::sqrt(square), 1e-9 * std::sqrt(square)) << family;
    EXPECT_GT((expected - algorithm_2(scene, fit.intercepts[0], 1)).norm(), 1e-6 * expected.norm()) << family;
  }
  FullBatchScene plain("rks-cos");
  plain.own().regularizer = Regularizer::l2p;
  EXPECT_THROW(fit_optimal_step(plain.problem()), Error);
}

TEST(OptimalStep, IsAlgorithm2) {
  for (const char* family : {"rw-relu", "rw-exp-sign", "rw-stumps", "rks-cos", "rw-sign:30+rw-relu/sparse:2:30"}) {
    const FullBatchScene scene(family);
    const FitResult fit = fit_optimal_step(scene.problem());
    const double penalty = std::string(family) == "rks-cos" ? 60 : 1;
    const Eigen::VectorXd truth = algorithm_2(scene, fit.intercepts[0], penalty);
    EXPECT_LT((raw_coefficients(scene, fit) - truth).norm(), 1e-8 * truth.norm()) << family;
    EXPECT_EQ(word_of(fit.report, "iterate"), "last");
  }
}

TEST(OptimalStep, EveryStepLowersTheRiskTowardTheOptimum) {
  FullBatchScene scene("rw-relu", 400);
  scene.options.lambda = 1e-4;
  const Loss squared(Loss::Kind::squared);
  const double mean = fit_optimal_step(scene.problem()).intercepts[0];
  const double start = risk(scene, squared, Eigen::VectorXd::Zero(400), mean);
  const double best = risk(scene, squared, least_squares_optimum(scene, mean), mean);
  double before = start;
  for (const Index steps : {10, 50, 400}) {
    scene.own().iterations = steps;
    const FitResult fit = fit_optimal_step(scene.problem());
    const double reached = risk(scene, squared, raw_coefficients(scene, fit), mean);
    EXPECT_LT(reached, before) << steps;
    EXPECT_GE(reached, best - 1e-9);
    before = reached;
  }
  EXPECT_LT(before - best, 0.05 * (start - best));
}

TEST(OptimalStep, LearnsClassesWithEveryLoss) {
  for (const DescentLoss loss : {DescentLoss::squared, DescentLoss::logistic, DescentLoss::hinge, DescentLoss::huber}) {
    OptimalStepScene scene("rw-relu", 300, 200, 1, true);
    scene.own().loss = loss;
    scene.options.lambda = 1e-4;
    scene.own().batch = 200;
    const FitResult fit = fit_optimal_step(scene.problem());
    Matrix smooth(300, 200);
    scene.map.smoothings(scene.x, smooth.view());
    Index wrong = 0;
    for (Index i = 0; i < 200; ++i) {
      double f = fit.intercepts[0];
      for (Index t = 0; t < 300; ++t) f += fit.coefficients(t, 0) * smooth(t, i);
      wrong += f * scene.rows.y(0, i) <= 0;
    }
    EXPECT_LT(wrong, 24) << name_of(loss);
  }
}

TEST(OptimalStep, ThreadsAndInterruptionsChangeNothing) {
  const TemporaryFolder folder;
  const std::string path = folder.file("checkpoint");
  for (const Index batch : {20, 100000}) {
    OptimalStepScene scene("rw-relu", 70, 70000);  // several pieces of rows, two chunks of features
    scene.own().batch = batch;
    scene.options.lambda = 1e-3;
    scene.own().loss = DescentLoss::huber;
    const FitResult whole = fit_optimal_step(scene.problem());
    scene.run.threads = 3;
    scene.run.max_seconds = 1e-9;
    scene.own().checkpoint = path;
    EXPECT_EQ(word_of(fit_optimal_step(scene.problem()).report, "stopped"), "time budget");
    scene.run.max_seconds = 0;
    scene.own().resume = true;
    EXPECT_EQ(largest_difference(fit_optimal_step(scene.problem()).coefficients, whole.coefficients), 0);
  }
}

TEST(OptimalStep, ChoosesALambdaBelowOne) {
  FullBatchScene scene("rw-relu", 300);
  scene.options.lambda = std::nullopt;
  const FitResult fit = fit_optimal_step(scene.problem());
  const double lambda = number_of(fit.report, "lambda");
  EXPECT_TRUE(lambda > 0 && lambda < 1);
  scene.options.lambda = lambda;
  const Loss squared(Loss::Kind::squared);
  const double start = risk(scene, squared, Eigen::VectorXd::Zero(300), fit.intercepts[0]);
  EXPECT_LT(risk(scene, squared, raw_coefficients(scene, fit), fit.intercepts[0]), 0.3 * start);
  scene.options.lambda = 1;
  EXPECT_THROW(fit_optimal_step(scene.problem()), Error);
}

TEST(OptimalStep, VanishingAmplitudesGiveZeroNotNaN) {
  FamilyOptions options = OptimalStepScene::options_of("rw-sign", 20);
  options.gamma = 0.05;
  const FeatureMap map = FeatureMap::draw(options, Inputs::plain(784));
  const Matrix x = normal_matrix(784, 40, 8);
  const TableRows rows(x, targets(x, 1));
  FitOptions fit_options{.method = OptimalStepOptions{}};
  fit_options.lambda = 1e-6;
  const FitResult fit = fit_optimal_step({map, rows, Task::regression, fit_options, options, {}});
  EXPECT_EQ(to_eigen(fit.coefficients).cwiseAbs().maxCoeff(), 0);
  EXPECT_TRUE(std::isfinite(fit.intercepts[0]));
}

}  // namespace
}  // namespace weft
