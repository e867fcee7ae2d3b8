// Exact kernel ridge regression where a GPU holds the factor, beside the processor, which its own tests compare with
// dense solutions.
#include "devices.hpp"
#include "methods/kernel/kernel_left_out.hpp"
#include "methods/kernel_case.hpp"

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

using namespace testing_rows;

constexpr Index kKernelRows = 150;  // enough for a GPU to be asked (kOnGpu)

class KernelRidgeOfDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    if (testing::tested_gpu() == nullptr) GTEST_SKIP() << "no GPU: " << gpus().problem;
  }
};

/// Smooth targets with noise, so that errors have a minimum between the ends of the grid.
KernelCase noisy(Index outputs) {
  KernelCase c = KernelCase::smooth(kKernelRows, outputs);
  const Random random(9, RandomStream::noise);
  for (Index i = 0; i < kKernelRows; ++i)
    for (Index o = 0; o < outputs; ++o)
      c.rows.y(o, i) += random.uniform(static_cast<std::uint64_t>(i * outputs + o)) - 0.5;
  return c;
}

/// Both have the number or neither has.
void expect_near(const FitReport& here, const FitReport& there, const char* name) {
  const auto expected = here.number(name), found = there.number(name);
  ASSERT_EQ(expected.has_value(), found.has_value()) << name;
  if (expected) {
    EXPECT_NEAR(*found, *expected, 1e-9 * (1 + std::abs(*expected))) << name;
  }
}

/// Everything that two fits of the same rows say.
void expect_same(KernelCase c, Task task = Task::regression) {
  const FittedMap landmarks = c.landmarks();
  c.run.device = "cpu";
  const FitResult here = c.fit(landmarks, task);
  c.run.device = "gpu";
  const Problem problem{landmarks.map, c.rows, task, c.options, c.family, c.run};
  ASSERT_EQ(scaled_kernel(problem, std::vector<double>(kKernelRows, 1.0))->held(), nullptr);
  const FitResult there = c.fit(landmarks, task);
  EXPECT_LT(
      (predictions(landmarks.map, here, c.rows.x) - predictions(landmarks.map, there, c.rows.x)).cwiseAbs().maxCoeff(),
      1e-9);
  for (const char* name :
       {"lambda", "train_mse", "effective_dimension", "gcv", "loo_mse", "loo_error", "fold_mse", "fold_error"})
    expect_near(here.report, there.report, name);
  ASSERT_EQ(here.left_out.rows.weights.size(), there.left_out.rows.weights.size());
  ASSERT_EQ(here.calibration.slope.size(), there.calibration.slope.size());
  for (std::size_t k = 0; k < here.calibration.slope.size(); ++k)
    EXPECT_NEAR(here.calibration.slope[k], there.calibration.slope[k], 1e-6);
  EXPECT_EQ(there.report.number("jitter"), 0);
  EXPECT_LT(there.report.number("relative_residual").value(), 1e-10);
  if (const auto condition = here.report.number("reciprocal_condition")) {
    EXPECT_NEAR(there.report.number("reciprocal_condition").value() / *condition, 1, 1e-6);
  }
}

TEST_F(KernelRidgeOfDevice, EqualsTheProcessor) {
  for (const bool intercept : {true, false})
    for (const bool weighted : {true, false})
      for (const bool given : {true, false}) {
        SCOPED_TRACE(std::to_string(intercept) + std::to_string(weighted) + std::to_string(given));
        KernelCase c = noisy(2);
        c.options.intercept = intercept;
        if (weighted) c.add_weights();
        if (weighted) c.rows.weights[3] = c.rows.weights[140] = 0;
        if (given) c.options.lambda = 1e-3;
        expect_same(c);
      }
}

TEST_F(KernelRidgeOfDevice, EveryKernelItComputes) {
  for (const char* kernel : {"laplace", "laplace-l2", "angular"}) {
    SCOPED_TRACE(kernel);
    KernelCase c = noisy(1);
    c.own().kernel = kernel;
    c.options.lambda = 1e-3;
    expect_same(c);
  }
}

// A kernel that it does not compute is held by the processor and factorised there.
TEST_F(KernelRidgeOfDevice, KernelsOfTheProcessor) {
  for (const bool given : {true, false}) {
    KernelCase c = noisy(1);
    c.own().kernel = "implicit:rw-sign";
    if (given) c.options.lambda = 1e-3;
    expect_same(c);
  }
}

TEST_F(KernelRidgeOfDevice, Classes) {
  for (const bool given : {true, false}) {
    KernelCase c = noisy(1);
    for (Index i = 0; i < kKernelRows; ++i) c.rows.y(0, i) = c.rows.y(0, i) > 3 ? 1 : -1;
    c.own().calibrate = true;
    if (given) c.options.lambda = 1e-3;
    expect_same(c, Task::binary);
  }
}

TEST_F(KernelRidgeOfDevice, FoldsOfARule) {
  for (const bool given : {true, false}) {
    KernelCase c = noisy(2);
    c.add_weights();
    c.rows.weights[3] = 0;
    std::vector<Index> keys;
    for (Index i = 0; i < kKernelRows; ++i) keys.push_back(i / 4);
    c.rows.set_rule({RowRule::Kind::groups, "key", std::move(keys)});
    if (given) c.options.lambda = 1e-3;
    expect_same(c);
  }
}

TEST_F(KernelRidgeOfDevice, LeftOutScoresAlongThePath) {
  KernelCase c = noisy(2);
  c.add_weights();
  const FittedMap all = c.landmarks();
  const auto path = [&] { return kernel_left_out({all.map, c.rows, Task::regression, c.options, c.family, c.run}); };
  const LeftOutPath here = path();
  c.run.device = "gpu";
  const LeftOutPath there = path();
  ASSERT_EQ(here.lambdas.size(), there.lambdas.size());
  EXPECT_TRUE(there.complete);
  // Small λs amplify rounding.
  for (std::size_t k = 0; k < here.lambdas.size(); ++k) {
    const double tolerance = 1e-13 / std::min(1.0, here.lambdas[k]) + 1e-10;
    for (Index o = 0; o < 2; ++o)
      for (Index i = 0; i < kKernelRows; ++i) {
        const Index row = static_cast<Index>(k) * 2 + o;
        ASSERT_NEAR(here.scores(row, i), there.scores(row, i), tolerance) << here.lambdas[k];
      }
  }
}

TEST_F(KernelRidgeOfDevice, AddsToTheDiagonalWhereRowsAreAlike) {
  KernelCase c = noisy(1);
  for (Index i = 0; i < kKernelRows; ++i)
    for (Index j = 0; j < c.rows.x.rows(); ++j) c.rows.x(j, i) = c.rows.x(j, i % 60);
  c.options.lambda = 0;
  c.run.device = "gpu";
  const FitResult fit = c.fit(c.landmarks());
  EXPECT_GT(fit.report.number("jitter").value(), 0);
  EXPECT_FALSE(fit.report.warnings.empty());
}

// It has negative eigenvalues, which a lambda must outweigh.
TEST_F(KernelRidgeOfDevice, ChoosesAmongLambdasThatMakeAKernelDefinite) {
  KernelCase c = noisy(1);
  c.own().kernel = "laplace";
  c.own().exponent = 2;
  c.run.device = "gpu";
  const FittedMap all = c.landmarks();
  const FitResult fit = c.fit(all);
  EXPECT_EQ(fit.report.number("jitter"), 0);
  const LeftOutPath path = kernel_left_out({all.map, c.rows, Task::regression, c.options, c.family, c.run});
  EXPECT_TRUE(path.complete);
  EXPECT_GT(path.lambdas.size(), 2u);
  EXPECT_LT(path.lambdas.size(), 29u);
  EXPECT_GE(fit.report.number("lambda").value(), 0.99 * path.lambdas.back());
}

TEST_F(KernelRidgeOfDevice, WithoutTimeThereAreNoLeaveOneOutErrors) {
  KernelCase c = noisy(1);
  c.run.device = "gpu";
  c.run.started = Run::Clock::now() - std::chrono::seconds(5);
  c.run.max_seconds = 1;
  const FittedMap landmarks = c.landmarks();
  EXPECT_TRUE(c.fit(landmarks).report.number("loo_mse").has_value());  // of the first lambda
  c.options.lambda = 1e-3;
  const FitResult given = c.fit(landmarks);
  EXPECT_FALSE(given.report.number("loo_mse").has_value());
  EXPECT_EQ(given.report.warnings.size(), 1u);
}

// The matrices are the GPU's: the host needs memory for none, and no eigenvectors.
TEST_F(KernelRidgeOfDevice, NeedsLittleMemoryOfTheHost) {
  const KernelCase c = noisy(1);
  const ProblemSize size{.rows = 3000, .inputs = 4};
  weft::Run run;
  run.max_memory = 10e6;
  EXPECT_THROW(check_kernel_memory(c.options, size, run), Error);
  run.device = "gpu";
  EXPECT_GT(check_kernel_memory(c.options, size, run), 9e6);
  EXPECT_TRUE(exact_worker(run, size).device->has_own_memory());
  const double more = 1.1 * std::sqrt(testing::tested_gpu()->free_memory() / sizeof(double));
  EXPECT_FALSE(exact_worker(run, {.rows = static_cast<Index>(more), .inputs = 4}).device->has_own_memory());
}

}  // namespace
}  // namespace weft
