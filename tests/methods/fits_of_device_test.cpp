// Iterative fits whose features a GPU holds, beside those of the processor, which their own tests compare with dense
// solutions.
#include "devices.hpp"
#include "methods/kernel_case.hpp"
#include "methods/logistic_case.hpp"
#include "methods/newton/newton_fit.hpp"
#include "methods/newton_case.hpp"

#include <weft/fit.hpp>

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

/// Enough rows and features for a GPU to be asked (kOnGpu).
constexpr Index kRows = 900, kFeatures = 40;

class FitsOfDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    if (testing::tested_gpu() == nullptr) GTEST_SKIP() << "no GPU: " << gpus().problem;
  }

  /// The largest difference between the scores of the training rows.
  template <class Case>
  static double difference(Case c, FitResult (*fit)(const Problem&)) {
    c.run.device = "cpu";
    const FitResult here = fit(c.problem());
    c.run.device = "gpu";
    EXPECT_TRUE(FeatureRows::device_for(c.problem()).has_own_memory());
    const FitResult there = fit(c.problem());
    const testing::Dense phi = c.phi();
    double largest = 0;
    for (Index k = 0; k < here.coefficients.cols(); ++k) {
      const auto at = static_cast<std::size_t>(k);
      const Eigen::VectorXd apart = testing::column(here.coefficients, k) - testing::column(there.coefficients, k);
      largest = std::max(largest, (phi.transpose() * apart).cwiseAbs().maxCoeff() +
                                      std::abs(here.intercepts[at] - there.intercepts[at]));
    }
    return largest;
  }
};

/// Blocks whose rows lie in several parts fill the memory of a part more than once.
TEST_F(FitsOfDevice, SumsOfParts) {
  constexpr Index kMany = 70'000, kInputs = 3;
  const Random random(1, RandomStream::noise);
  Matrix x(kMany, kInputs), y(kMany, 1), weights(kMany, 1);
  for (Index i = 0; i < kMany; ++i) {
    const auto row = static_cast<std::uint64_t>(i);
    for (Index j = 0; j < kInputs; ++j) x(i, j) = random.normal(row, static_cast<std::uint32_t>(j));
    y(i, 0) = std::sin(x(i, 0)) + x(i, 1) * x(i, 2);
    weights(i, 0) = random.uniform(row, 7);
  }
  for (const bool weighted : {false, true})
    for (const Precision precision : {Precision::float64, Precision::float32}) {
      const bool single = precision == Precision::float32;
      std::vector<Model> models;
      const Data data = array(x, y, weighted ? weights.view() : View<double>());
      for (const char* device : {"cpu", "gpu"}) {
        FitRequest request{.train = data};
        request.family.family = "rw-relu:12";
        request.fit.use<LeastSquaresOptions>().precision = precision;
        if (single) request.fit.lambda = 1e-4;  // one that is chosen may be the next
        request.run.device = device;
        models.push_back(fit(request));
      }
      const double tolerance = single ? 1e-3 : 1e-9;
      const char* error = single ? "train_mse" : "held_out_error";
      EXPECT_NEAR(*models[0].parts().report.number(error), *models[1].parts().report.number(error), tolerance);
      const Matrix here = models[0].predict(data), there = models[1].predict(data);
      double apart = 0;
      for (Index i = 0; i < kMany; ++i) apart = std::max(apart, std::abs(here(i, 0) - there(i, 0)));
      EXPECT_LT(apart, tolerance);
    }
}

TEST_F(FitsOfDevice, Logistic) {
  for (const Index classes : {2, 4})
    for (const bool intercept : {true, false}) {
      testing_logistic::Case c(testing::sectors(kRows, 6, classes, classes == 2),
                               classes == 2 ? Task::binary : Task::multiclass, kFeatures);
      c.options.intercept = intercept;
      EXPECT_LT(difference(c, fit_logistic), 1e-9) << classes << " classes";
      c.options.lambda.reset();  // chosen along a path, on held-out rows
      EXPECT_LT(difference(c, fit_logistic), 1e-9) << classes << " classes, chosen lambda";
    }
}

TEST_F(FitsOfDevice, LossesOfNumbers) {
  for (const RegressionLoss loss : {RegressionLoss::squared, RegressionLoss::huber})
    EXPECT_LT(difference(testing::LossCase(testing::noisy_rows(kRows), loss, kFeatures), fit_newton), 1e-7)
        << name_of(loss);
  EXPECT_LT(difference(testing::LossCase(testing::counted_rows(kRows), RegressionLoss::poisson, kFeatures), fit_newton),
            1e-9);
  testing::LossCase quantile(testing::noisy_rows(kRows), RegressionLoss::quantile, kFeatures);
  quantile.own().quantiles = "0.2,0.8";
  quantile.own().tolerance = 1e-7;
  EXPECT_LT(difference(quantile, fit_newton), 1e-3);
}

// What does not fit the memory is computed again in every pass.
TEST_F(FitsOfDevice, LogisticWithoutKeepingFeatures) {
  testing_logistic::Case c(testing::sectors(kRows, 6, 3, false), Task::multiclass, kFeatures);
  c.run.max_memory = 400e3;
  c.run.device = "gpu";
  const Problem problem = c.problem();
  FeatureRows rows(problem, plan_newton_memory(problem, 3).cache, FeatureRows::device_for(problem));
  rows.for_each([](const FeatureBlock&) {});
  EXPECT_FALSE(rows.cached());
  EXPECT_LT(difference(c, fit_logistic), 1e-9);
}

TEST_F(FitsOfDevice, LandmarksByConjugateGradients) {
  testing_rows::KernelCase c = testing_rows::KernelCase::smooth(kRows, 2);
  c.options.lambda = 1e-3;
  c.own().landmarks = kFeatures;
  c.own().solver = LandmarkSolver::cg;
  c.own().tolerance = 1e-12;
  c.rows.block_rows = 250;
  const FittedMap landmarks = c.landmarks();
  const auto here = testing_rows::predictions(landmarks.map, c.fit(landmarks), c.rows.x);
  c.run.device = "gpu";
  const auto there = testing_rows::predictions(landmarks.map, c.fit(landmarks), c.rows.x);
  EXPECT_LT((here - there).cwiseAbs().maxCoeff(), 1e-9);
}

}  // namespace
}  // namespace weft
