// Iterative fits whose features a GPU holds, beside those of the processor, which their own tests compare with dense
// solutions.
#include "devices.hpp"
#include "methods/kernel_case.hpp"
#include "methods/logistic_case.hpp"
#include "methods/newton/newton_fit.hpp"
#include "methods/newton_case.hpp"

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
