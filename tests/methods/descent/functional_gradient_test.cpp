#include "methods/descent/functional_gradient.hpp"

#include "methods/checkpoint.hpp"
#include "methods/descent_problem.hpp"
#include "methods/method.hpp"
#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>

#include <fmt/format.h>

namespace weft {

using namespace detail;

using Scene = BasicScene<FunctionalGradientOptions>;
namespace {

std::vector<double> uneven_weights(Index rows) {
  std::vector<double> weights;
  for (Index i = 0; i < rows; ++i) weights.push_back(0.5 + static_cast<double>(i % 4));
  return weights;
}

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

/// Anonymous 2026, Algorithm 3 as it is written, with η = 1/(2λt): every norm and prediction from scratch, every
/// iterate kept.
Eigen::VectorXd algorithm_3(const Scene& scene, double intercept) {
  const FitOptions& o = scene.options;
  const Index features = scene.map.features();
  const Index m = scene.x.cols();
  const TrainingBlock& rows = *scene.rows.in_memory();
  const EigenMatrix phi = features_of(scene);
  const EigenMatrix gram = to_eigen(scene.map.gram());
  std::vector<FeaturePart> plain = scene.map.parts();
  for (FeaturePart& part : plain) part.family.kernel = WeightKernel();
  Matrix raw(features, m);
  FeatureMap::from_parts(plain, scene.map.inputs()).smoothings(scene.x, raw.view());
  double mean_weight = 1;
  if (rows.weights != nullptr) mean_weight = sum_of({rows.weights, rows.weights + m}) / static_cast<double>(m);

  const auto& own = o.own<FunctionalGradientOptions>();
  const Loss loss = functional_gradient_method().loss(o, scene.task);
  const Random random(scene.family.seed, RandomStream::fit);
  Eigen::VectorXd a = Eigen::VectorXd::Zero(features);
  Eigen::VectorXd total = a;
  Index steps = 0;
  for (Index first = 0; first < features; first += own.features_per_step) {
    const double t = static_cast<double>(++steps);
    const Index count = std::min<Index>(own.features_per_step, features - first);
    Eigen::VectorXd gradient = 2 * *o.lambda * a;
    for (Index i = 0; i < own.batch; ++i) {
      const Index row = random.below(m, static_cast<std::uint64_t>(steps), static_cast<std::uint32_t>(i));
      const double weight = rows.weights == nullptr ? 1 : rows.weights[row] / mean_weight;
      const double slope = weight * loss.derivative(intercept + phi.col(row).dot(a), rows.y(0, row));
      for (Index j = first; j < first + count; ++j)
        gradient[j] += slope * raw(j, row) / static_cast<double>(own.batch * count);
    }
    a -= gradient / (2 * *o.lambda * t);
    const double norm = std::sqrt(a.dot(gram * a));
    if (own.radius > 0 && norm > own.radius) a *= own.radius / norm;
    total += a;
  }
  return total / static_cast<double>(steps + 1);
}

struct DescentCase {
  const char* family;
  DescentLoss loss;
  Index features_per_step;
  double radius;
  bool weights;
};

class AgainstAlgorithm3 : public ::testing::TestWithParam<DescentCase> {};

TEST_P(AgainstAlgorithm3, CoefficientsAreEqual) {
  const DescentCase& c = GetParam();
  const bool classes = c.loss != DescentLoss::squared;
  for (const Predictions mode : {Predictions::all_rows, Predictions::batches}) {
    Scene scene(c.family, 100, 150, 1, classes, c.weights ? uneven_weights(150) : std::vector<double>{});
    scene.own().loss = c.loss;
    scene.own().features_per_step = c.features_per_step;
    scene.own().radius = c.radius;
    scene.options.intercept = false;
    const FitResult fit = fit_functional_gradient(scene.problem(), mode);
    const Eigen::VectorXd truth = algorithm_3(scene, 0);
    EXPECT_LT((raw_coefficients(scene, fit) - truth).norm(), 1e-9 * truth.norm());
    EXPECT_GT(truth.norm(), 1e-3);
  }
}

INSTANTIATE_TEST_SUITE_P(All, AgainstAlgorithm3,
                         ::testing::Values(DescentCase{"rw-sign", DescentLoss::squared, 1, 0, false},
                                           DescentCase{"rw-relu", DescentLoss::squared, 1, 0.4, true},
                                           DescentCase{"rw-exp-sign", DescentLoss::logistic, 3, 0, true},
                                           DescentCase{"rw-relu/sparse:2", DescentLoss::hinge, 7, 0.3, false},
                                           DescentCase{"rw-stumps", DescentLoss::squared, 4, 0, true},
                                           DescentCase{"rks-cos", DescentLoss::huber, 1, 0, false}));

TEST(FunctionalGradient, ComesNearTheOptimumOfTheRegularisedRisk) {
  // The dense solve is the best over the same centres; sfgd sees each centre once. What is left of the way from the
  // risk of f = mean to the optimum must fall like 1/T.
  std::vector<double> left;
  for (const Index features : {200, 2000}) {
    Scene scene("rw-relu", features, 300);
    scene.own().batch = 50;
    const FitResult fit = fit_functional_gradient(scene.problem());
    const Loss squared(Loss::Kind::squared);
    const double mean = fit.intercepts[0];
    const double start = risk(scene, squared, Eigen::VectorXd::Zero(features), mean);
    const double best = risk(scene, squared, least_squares_optimum(scene, mean), mean);
    const double reached = risk(scene, squared, raw_coefficients(scene, fit), mean);
    EXPECT_GE(reached, best - 1e-9);
    left.push_back((reached - best) / (start - best));
  }
  EXPECT_LT(left[0], 0.15);
  EXPECT_LT(left[1], 0.015);
}

TEST(FunctionalGradient, TheSquaredLossHasTheMeanAsIntercept) {
  Scene scene("rw-sign", 50, 60, 1, false, uneven_weights(60));
  const TrainingBlock& rows = *scene.rows.in_memory();
  double mean = 0;
  for (Index i = 0; i < 60; ++i) mean += rows.weights[i] * rows.y(0, i);
  mean /= sum_of({rows.weights, rows.weights + 60});
  const FitResult fit = fit_functional_gradient(scene.problem());
  EXPECT_NEAR(fit.intercepts[0], mean, 1e-12);
  const Eigen::VectorXd truth = algorithm_3(scene, mean);
  EXPECT_LT((raw_coefficients(scene, fit) - truth).norm(), 1e-9 * truth.norm());
}

TEST(FunctionalGradient, OtherLossesMoveTheIntercept) {
  // Classes 9 : 1 that the inputs do not explain: the intercept should stay near the log-odds, away from 0.
  Matrix y(1, 400);
  for (Index i = 0; i < 400; ++i) y(0, i) = i % 10 == 0 ? -1 : 1;
  Scene scene("rw-sign", 400, 400, 1, true);
  const TableRows rows(scene.x, y);
  scene.own().loss = DescentLoss::logistic;
  const FitResult fit =
      fit_functional_gradient({scene.map, rows, Task::binary, scene.options, scene.family, scene.run});
  EXPECT_NEAR(fit.intercepts[0], std::log(9.0), 0.5);
  EXPECT_NE(fit.intercepts[0], std::log(9.0));
  EXPECT_TRUE(fit.probabilistic);
}

TEST(FunctionalGradient, KeptAndRemadePredictionsAgree) {
  for (const char* family : {"rw-relu", "rw-stumps:60+rw-sign:40+rks-relu:50"}) {
    Scene scene(family, 150, 200, 2, false, uneven_weights(200));
    scene.own().features_per_step = 4;
    scene.options.lambda = 2;
    const FitResult kept = fit_functional_gradient(scene.problem(), Predictions::all_rows);
    const FitResult remade = fit_functional_gradient(scene.problem(), Predictions::batches);
    EXPECT_LT(largest_difference(kept.coefficients, remade.coefficients),
              1e-12 * to_eigen(kept.coefficients).cwiseAbs().maxCoeff());
    EXPECT_NE(word_of(kept.report, "predictions"), word_of(remade.report, "predictions"));
  }
}

TEST(FunctionalGradient, ChoosesTheCheaperPredictions) {
  Scene scene("rw-sign", 100, 150);  // m < bT/2 with b = 20, not with b = 2
  EXPECT_EQ(word_of(fit_functional_gradient(scene.problem()).report, "predictions"), "kept for all rows");
  scene.own().batch = 2;
  EXPECT_EQ(word_of(fit_functional_gradient(scene.problem()).report, "predictions"), "made anew for every batch");
}

TEST(FunctionalGradient, ThreadsChangeNothing) {
  for (const Predictions mode : {Predictions::all_rows, Predictions::batches}) {
    Scene scene("rw-relu", 600, 700, 2);
    const FitResult one = fit_functional_gradient(scene.problem(), mode);
    scene.run.threads = 3;
    const FitResult three = fit_functional_gradient(scene.problem(), mode);
    EXPECT_EQ(largest_difference(one.coefficients, three.coefficients), 0);
    EXPECT_EQ(number_of(one.report, "largest_norm"), number_of(three.report, "largest_norm"));
  }
}

TEST(FunctionalGradient, ProjectionIsRespected) {
  Scene scene("rw-relu", 200, 100);
  const double free = number_of(fit_functional_gradient(scene.problem()).report, "largest_norm");
  scene.own().radius = free / 3;
  const FitResult fit = fit_functional_gradient(scene.problem());
  EXPECT_LE(number_of(fit.report, "largest_norm"), scene.own().radius * (1 + 1e-12));
  const Eigen::VectorXd a = raw_coefficients(scene, fit);
  EXPECT_LE(std::sqrt(a.dot(to_eigen(scene.map.gram()) * a)), scene.own().radius * (1 + 1e-9));
}

TEST(FunctionalGradient, ARunThatWentAstraySaysSoAndTheRemedyHelps) {
  Scene scene("rw-relu", 100, 300);
  scene.options.lambda = 0.01;
  const Loss squared(Loss::Kind::squared);
  const FitResult astray = fit_functional_gradient(scene.problem());
  const double mean = astray.intercepts[0];
  ASSERT_EQ(astray.report.warnings.size(), 1u);
  const double start = risk(scene, squared, Eigen::VectorXd::Zero(100), mean);
  scene.own().radius = std::sqrt(start / 0.01);
  EXPECT_NE(astray.report.warnings[0].find(fmt::format("‹radius› {:.3g}", scene.own().radius)), std::string::npos);
  const Eigen::VectorXd best = least_squares_optimum(scene, mean);
  EXPECT_LT(std::sqrt(best.dot(to_eigen(scene.map.gram()) * best)), scene.own().radius);
  const FitResult held = fit_functional_gradient(scene.problem());
  EXPECT_TRUE(held.report.warnings.empty());
  EXPECT_LT(risk(scene, squared, raw_coefficients(scene, held), mean),
            risk(scene, squared, raw_coefficients(scene, astray), mean));
}

TEST(FunctionalGradient, OutputsDoNotInfluenceEachOther) {
  Scene both("rw-relu", 120, 90, 2);
  both.own().radius = 0.3;
  const FitResult together = fit_functional_gradient(both.problem());
  for (Index k = 0; k < 2; ++k) {
    Matrix y(1, 90);
    for (Index i = 0; i < 90; ++i) y(0, i) = both.rows.y(k, i);
    const TableRows rows(both.x, y);
    const FitResult alone = fit_functional_gradient({both.map, rows, both.task, both.options, both.family, both.run});
    for (Index t = 0; t < 120; ++t)
      EXPECT_NEAR(together.coefficients(t, k), alone.coefficients(t, 0), 1e-13) << k << ' ' << t;
    EXPECT_EQ(together.intercepts[static_cast<std::size_t>(k)], alone.intercepts[0]);
  }
}

class Interrupted : public ::testing::TestWithParam<Predictions> {
 protected:
  TemporaryFolder folder_;
  std::string path_ = folder_.file("checkpoint");
};

TEST_P(Interrupted, ByTheBudgetResumesToTheSameResult) {
  Scene scene("rw-relu", 700, 300, 2);
  const FitResult whole = fit_functional_gradient(scene.problem(), GetParam());
  scene.own().checkpoint = path_;
  scene.run.max_seconds = 1e-9;
  const FitResult part = fit_functional_gradient(scene.problem(), GetParam());
  EXPECT_EQ(word_of(part.report, "stopped"), "time budget");
  EXPECT_EQ(part.report.warnings.size(), 1u);
  EXPECT_GT(number_of(part.report, "steps"), 0);
  EXPECT_LT(number_of(part.report, "steps"), 700);
  scene.own().resume = true;
  scene.run.max_seconds = 0;
  scene.run.threads = 2;
  const FitResult resumed = fit_functional_gradient(scene.problem(), GetParam());
  EXPECT_EQ(largest_difference(whole.coefficients, resumed.coefficients), 0);
  EXPECT_EQ(whole.intercepts, resumed.intercepts);
  EXPECT_EQ(whole.report.numbers, resumed.report.numbers);
}

TEST_P(Interrupted, ByTheUserResumesToTheSameResult) {
  Scene scene("rw-sign", 700, 300);
  const FitResult whole = fit_functional_gradient(scene.problem(), GetParam());
  std::atomic<bool> cancel = false;
  scene.own().checkpoint = path_;
  scene.run.cancel = &cancel;
  scene.run.on_progress = [&](const Progress&) { cancel = true; };
  try {
    fit_functional_gradient(scene.problem(), GetParam());
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
  cancel = false;
  scene.run.on_progress = {};
  scene.own().resume = true;
  const FitResult resumed = fit_functional_gradient(scene.problem(), GetParam());
  EXPECT_EQ(largest_difference(whole.coefficients, resumed.coefficients), 0);
  scene.options.lambda = 0.07;
  EXPECT_THROW(fit_functional_gradient(scene.problem(), GetParam()), Error);
}

TEST_P(Interrupted, CraftedCheckpointsAreRefused) {
  Scene scene("rw-sign", 700, 300);
  scene.own().checkpoint = path_;
  scene.run.max_seconds = 1e-9;
  fit_functional_gradient(scene.problem(), GetParam());
  scene.run.max_seconds = 0;
  scene.own().resume = true;
  const std::string digest = checkpoint_digest(scene.problem());
  const Checkpoint good = Checkpoint::load(path_, "sfgd", digest);
  const auto expect_refused = [&](const std::function<void(Checkpoint&)>& change) {
    Checkpoint bad = good;
    change(bad);
    bad.save(path_);
    EXPECT_THROW(fit_functional_gradient(scene.problem(), GetParam()), Error);
  };
  for (std::size_t a = 0; a < good.arrays.size(); ++a) {
    expect_refused([&](Checkpoint& c) { c.arrays[a].push_back(0); });
    expect_refused([&](Checkpoint& c) { c.arrays.erase(c.arrays.begin() + static_cast<Index>(a)); });
    if (good.arrays[a].empty()) continue;
    expect_refused([&](Checkpoint& c) { c.arrays[a].pop_back(); });
    expect_refused([&](Checkpoint& c) { c.arrays[a][0] = std::nan(""); });
  }
  expect_refused([](Checkpoint& c) { c.arrays.emplace_back(); });
  for (const Index step : {Index{-1}, Index{0}, good.step + 1, std::numeric_limits<Index>::max()})
    expect_refused([&](Checkpoint& c) { c.step = step; });
  good.save(path_);
  EXPECT_NO_THROW(fit_functional_gradient(scene.problem(), GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Both, Interrupted, ::testing::Values(Predictions::all_rows, Predictions::batches));

TEST(FunctionalGradient, IterationsEndItEarly) {
  Scene scene("rw-sign", 300, 100);
  scene.own().iterations = 40;
  const FitResult fit = fit_functional_gradient(scene.problem());
  EXPECT_EQ(number_of(fit.report, "steps"), 40);
  EXPECT_EQ(word_of(fit.report, "iterate"), "average of 0 to 40");
  EXPECT_NE(fit.coefficients(39, 0), 0);
  EXPECT_EQ(fit.coefficients(40, 0), 0);
}

TEST(FunctionalGradient, ChoosesALambdaThatLearns) {
  for (const char* family : {"rw-relu", "rw-sign", "rks-relu"}) {
    Scene scene(family, 400, 300);
    scene.options.lambda = std::nullopt;
    const FitResult fit = fit_functional_gradient(scene.problem());
    Matrix smooth(400, 300);
    scene.map.smoothings(scene.x, smooth.view());
    const Eigen::VectorXd f = to_eigen(smooth).transpose() * to_eigen(fit.coefficients).col(0);
    double error = 0;
    double variance = 0;
    for (Index i = 0; i < 300; ++i) {
      const double centred = scene.rows.y(0, i) - fit.intercepts[0];
      error += (centred - f[i]) * (centred - f[i]);
      variance += centred * centred;
    }
    EXPECT_LT(error, 0.5 * variance) << family << ' ' << number_of(fit.report, "lambda");
    EXPECT_EQ(word_of(fit.report, "lambda_choice"), "held-out rows");
  }
}

TEST(FunctionalGradient, SearchForLambdaHeedsTheTimeBudget) {
  Scene scene("rw-relu", 600, 300);
  scene.options.lambda = std::nullopt;
  scene.run.max_seconds = 1e-9;
  int trials = 0;
  scene.run.on_progress = [&](const Progress& progress) { trials += progress.stage == "choosing lambda" ? 1 : 0; };
  const FitResult fit = fit_functional_gradient(scene.problem());
  EXPECT_EQ(trials, 1);
  EXPECT_EQ(word_of(fit.report, "lambda_choice"), "held-out rows, cut short by the time budget after 1 of 15 values");
  EXPECT_EQ(word_of(fit.report, "stopped"), "time budget");
}

TEST(FunctionalGradient, HighDimensionsGiveNumbers) {
  for (const char* family : {"rw-sign", "rw-exp-relu"}) {
    FamilyOptions options = Scene::options_of(family, 64);
    options.gamma = std::string(family) == "rw-sign" ? 0.3 : 1.0;  // amplitudes far below and far above 1
    const FeatureMap map = FeatureMap::draw(options, Inputs::plain(784));
    const Matrix x = normal_matrix(784, 50, 8);
    const TableRows rows(x, targets(x, 1));
    FitOptions fit_options;
    fit_options.method = FunctionalGradientOptions{.batch = 10, .radius = 1};
    fit_options.lambda = 1;
    const FitResult fit = fit_functional_gradient({map, rows, Task::regression, fit_options, options, {}});
    EXPECT_TRUE(to_eigen(fit.coefficients).allFinite()) << family;
    const double norm = number_of(fit.report, "largest_norm");
    EXPECT_TRUE(norm > 0 && norm <= 1 + 1e-9) << family << ' ' << norm;
  }
}

ErrorKind kind_of_failure(const Scene& scene) {
  try {
    fit_functional_gradient(scene.problem());
  } catch (const Error& error) {
    EXPECT_FALSE(error.hint().empty());
    return error.kind();
  }
  ADD_FAILURE() << "no error";
  return ErrorKind::file;
}

TEST(FunctionalGradient, MistakesAreNamed) {
  Scene scene("rw-relu", 400, 100);
  scene.own().regularizer = Regularizer::l2p;
  EXPECT_EQ(kind_of_failure(scene), ErrorKind::option);
  scene.own().regularizer = Regularizer::automatic;
  scene.options.lambda = 1e-12;  // steps of 1e12 on a quadratic
  EXPECT_EQ(kind_of_failure(scene), ErrorKind::option);
  scene.rows.streamed = true;
  EXPECT_EQ(kind_of_failure(scene), ErrorKind::memory);
  scene.rows.streamed = false;
  scene.run.max_memory = 1000;
  EXPECT_EQ(kind_of_failure(scene), ErrorKind::memory);
}

}  // namespace
}  // namespace weft
