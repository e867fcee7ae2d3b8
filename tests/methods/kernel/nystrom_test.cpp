// Kernel ridge regression on landmarks: conjugate gradients and sums against dense solutions and against each other.
#include "methods/kernel/nystrom.hpp"

#include "dense_algebra.hpp"
#include "methods/kernel_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

namespace weft {

using namespace detail;
namespace {

using namespace testing_rows;

FitResult fit_iteratively(const KernelCase& c, const FittedMap& landmarks) {
  return fit_nystrom({landmarks.map, c.rows, Task::regression, c.options, c.family, c.run, landmarks.shares});
}

/// min Σ w (y − c − Kβ)² + Wλ βᵀK_MMβ, with a column of ones for the intercept.
RowMatrix dense_nystrom(const KernelCase& c, const Matrix& z, double lambda, const Matrix& x) {
  const Index extra = c.options.intercept ? 1 : 0;
  const auto design = [&](const Matrix& at) {
    RowMatrix k = RowMatrix::Ones(at.cols(), z.cols() + extra);
    k.leftCols(z.cols()) = rbf_matrix(at, z, c.bandwidth());
    return k;
  };
  const RowMatrix k = design(c.rows.x);
  Eigen::VectorXd w = Eigen::VectorXd::Ones(k.rows());
  for (std::size_t i = 0; i < c.rows.weights.size(); ++i) w(static_cast<Eigen::Index>(i)) = c.rows.weights[i];
  RowMatrix normal = k.transpose() * w.asDiagonal() * k;
  normal.topLeftCorner(z.cols(), z.cols()) += w.sum() * lambda * rbf_matrix(z, z, c.bandwidth());
  const RowMatrix y = to_eigen(c.rows.y.view()).transpose();
  return design(x) * testing::solve(normal, k.transpose() * (w.asDiagonal() * y));
}

TEST(Nystrom, EqualsTheDenseSolution) {
  const Matrix fresh = smooth_problem(3, 40, 1, 12).x;
  for (const bool intercept : {true, false})
    for (const bool weighted : {true, false})
      for (const LandmarkSolver solver : {LandmarkSolver::cg, LandmarkSolver::direct})
        for (const LandmarkSampling sampling :
             {LandmarkSampling::uniform, LandmarkSampling::leverage, LandmarkSampling::pivoted}) {
          SCOPED_TRACE(std::string(name_of(solver)) + name_of(sampling) + std::to_string(intercept) +
                       std::to_string(weighted));
          KernelCase c = KernelCase::smooth(400, 2);
          c.options.intercept = intercept;
          c.options.lambda = 1e-3;
          c.own().landmarks = 25;
          c.own().landmark_sampling = sampling;
          c.own().solver = solver;
          c.own().tolerance = 1e-12;
          c.rows.block_rows = 150;
          if (weighted) c.add_weights();
          const FittedMap landmarks = c.landmarks();
          ASSERT_EQ(landmarks.map.features(), 25);
          const RowMatrix truth = dense_nystrom(c, landmarks.map.sections()->landmarks, 1e-3, fresh);
          EXPECT_LE((predictions(landmarks.map, c.fit(landmarks), fresh) - truth).cwiseAbs().maxCoeff(), 1e-7);
        }
}

TEST(Nystrom, WithAllRowsIsExact) {
  const Matrix fresh = smooth_problem(3, 40, 1, 12).x;
  for (const bool intercept : {true, false}) {
    KernelCase c = KernelCase::smooth(150, 2);
    c.options.intercept = intercept;
    c.options.lambda = 1e-4;
    c.own().tolerance = 1e-12;
    const FittedMap landmarks = c.landmarks();
    const RowMatrix exact = predictions(landmarks.map, c.fit(landmarks), fresh);
    const FitResult fit = fit_iteratively(c, landmarks);
    EXPECT_LE((predictions(landmarks.map, fit, fresh) - exact).cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_LE(fit.report.number("iterations").value(), 5);  // the preconditioner is the matrix itself
    EXPECT_NEAR(fit.report.number("train_mse").value(), c.fit(landmarks).report.number("train_mse").value(), 1e-8);
  }
  KernelCase more = KernelCase::smooth(30);
  more.own().landmarks = 100;
  EXPECT_TRUE(more.fit(more.landmarks()).report.number("loo_mse").has_value());
}

TEST(Nystrom, ChoosesALambdaAsGoodAsAnyOnNewRows) {
  const TableRows fresh = smooth_problem(3, 400, 1, 12);
  KernelCase c = KernelCase::smooth(800);
  c.own().landmarks = 60;
  c.own().solver = LandmarkSolver::cg;
  const FittedMap landmarks = c.landmarks();
  const auto error = [&](const FitResult& fit) {
    return (predictions(landmarks.map, fit, fresh.x) - to_eigen(fresh.y.view()).transpose()).squaredNorm() / 400;
  };
  const double chosen = error(c.fit(landmarks));
  for (const double lambda : {1e-1, 1e-3, 1e-5, 1e-7}) {
    c.options.lambda = lambda;
    EXPECT_LE(chosen, 1.1 * error(c.fit(landmarks))) << lambda;
  }
}

TEST(Nystrom, BitsDoNotDependOnThreads) {
  for (const LandmarkSampling sampling :
       {LandmarkSampling::uniform, LandmarkSampling::leverage, LandmarkSampling::pivoted}) {
    KernelCase c = KernelCase::smooth(700);
    c.own().landmarks = 300;
    c.own().solver = LandmarkSolver::cg;
    c.own().landmark_sampling = sampling;
    c.run.threads = 1;
    const FitResult one = c.fit(c.landmarks());
    c.run.threads = 3;
    const FitResult three = c.fit(c.landmarks());
    for (Index i = 0; i < 300; ++i) ASSERT_EQ(one.coefficients(i, 0), three.coefficients(i, 0));
  }
}

TEST(Nystrom, RepeatedLandmarksAndConstantTargetsAreNoTrouble) {
  KernelCase c = KernelCase::smooth(200);
  for (Index i = 100; i < 200; ++i) {
    for (Index j = 0; j < 4; ++j) c.rows.x(j, i) = c.rows.x(j, i - 100);
    c.rows.y(0, i) = c.rows.y(0, i - 100);
  }
  c.own().landmarks = 150;
  c.own().solver = LandmarkSolver::cg;
  c.options.lambda = 1e-4;
  const FitResult fit = c.fit(c.landmarks());
  EXPECT_GT(fit.report.number("jitter").value(), 0);
  EXPECT_LT(fit.report.number("train_mse").value(), 0.1);
  for (Index i = 0; i < 200; ++i) c.rows.y(0, i) = 5;
  c.options.lambda.reset();
  const FitResult flat = c.fit(c.landmarks());
  EXPECT_NEAR(flat.intercepts[0], 5, 1e-12);
  EXPECT_EQ(flat.coefficients(0, 0), 0);
}

TEST(Nystrom, TimeAndCancellationAreHonoured) {
  KernelCase c = KernelCase::smooth(300);
  c.own().landmarks = 50;
  c.own().solver = LandmarkSolver::cg;
  for (const bool given : {true, false}) {
    if (given) c.options.lambda = 1e-3;
    const FittedMap landmarks = c.landmarks();
    c.run.max_seconds = 1e-9;
    c.run.started = Run::Clock::now();
    const FitResult fit = c.fit(landmarks);
    EXPECT_FALSE(fit.report.warnings.empty());
    EXPECT_TRUE(std::isfinite(fit.coefficients(0, 0)));
    c.run.max_seconds = 0;
    c.options.lambda.reset();
  }
  std::atomic<bool> stop = true;
  const FittedMap landmarks = c.landmarks();
  c.run.cancel = &stop;
  EXPECT_THROW(c.fit(landmarks), Error);
}

TEST(Landmarks, LeverageAndPivotsFindTheRowsThatStandAlone) {
  KernelCase c = KernelCase::smooth(600);
  for (Index i = 0; i < 6; ++i) c.rows.x(0, 100 * i) = 20 + 10 * static_cast<double>(i);
  c.own().landmarks = 40;
  c.options.lambda = 1e-3;
  c.own().bandwidth = "3";
  const auto loners = [&](LandmarkSampling sampling) {
    c.own().landmark_sampling = sampling;
    const Matrix z = c.landmarks().map.sections()->landmarks;
    return std::count_if(z.row(0), z.row(0) + z.cols(), [](double v) { return v >= 20; });
  };
  EXPECT_LE(loners(LandmarkSampling::uniform), 2);
  EXPECT_GE(loners(LandmarkSampling::leverage), 4);
  EXPECT_EQ(loners(LandmarkSampling::pivoted), 6);
}

TEST(Landmarks, PivotsAreNoMoreThanTheDifferentRows) {
  KernelCase c = KernelCase::smooth(200);
  for (Index i = 50; i < 200; ++i)
    for (Index j = 0; j < 4; ++j) c.rows.x(j, i) = c.rows.x(j, i % 50);
  c.own().landmarks = 80;
  c.own().landmark_sampling = LandmarkSampling::pivoted;
  c.options.lambda = 1e-3;
  const FittedMap landmarks = c.landmarks();
  EXPECT_EQ(landmarks.map.features(), 50);
  EXPECT_EQ(c.fit(landmarks).coefficients.rows(), 50);
  EXPECT_EQ(pivot_candidates(15000, 10), 15000);
  EXPECT_EQ(pivot_candidates(1000000, 10), 20000);
  EXPECT_EQ(pivot_candidates(1000000, 8000), 40000);
}

TEST(Landmarks, FewerAreTheFirstOfMore) {
  KernelCase c = KernelCase::smooth(100);
  c.own().landmarks = 30;
  const Matrix more = c.landmarks().map.sections()->landmarks;
  c.own().landmarks = 10;
  const Matrix fewer = c.landmarks().map.sections()->landmarks;
  for (Index k = 0; k < 10; ++k) EXPECT_NE(std::find(more.row(0), more.row(0) + 30, fewer(0, k)), more.row(0) + 30);
}

TEST(Landmarks, BandwidthsAreWhatTheyAreCalled) {
  KernelCase c = KernelCase::smooth(31);
  std::vector<double> squares, sums;
  for (Index i = 0; i < 31; ++i)
    for (Index k = 0; k < i; ++k) {
      squares.push_back(0);
      sums.push_back(0);
      for (Index j = 0; j < 4; ++j) {
        const double d = c.rows.x(j, i) - c.rows.x(j, k);
        squares.back() += d * d;
        sums.back() += std::abs(d);
      }
    }
  const auto mean = [](const std::vector<double>& v) {
    double sum = 0;
    for (const double x : v) sum += x;
    return sum / static_cast<double>(v.size());
  };
  const auto median = [](std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
  };
  const auto bandwidth = [&](const char* kernel, const char* rule) {
    c.own().kernel = kernel;
    c.own().bandwidth = rule;
    return c.landmarks().map.sections()->kernel.bandwidth();
  };
  EXPECT_NEAR(bandwidth("rbf", "mean"), std::sqrt(mean(squares)), 1e-12);
  EXPECT_NEAR(bandwidth("rbf", "median"), std::sqrt(median(squares)), 1e-12);
  EXPECT_NEAR(bandwidth("laplace", "mean"), mean(sums), 1e-12);
  EXPECT_NEAR(bandwidth("laplace", "median"), median(sums), 1e-12);
  EXPECT_EQ(bandwidth("laplace", "2.5"), 2.5);
  for (double& square : squares) square = std::sqrt(square);
  EXPECT_NEAR(bandwidth("laplace-l2", "mean"), mean(squares), 1e-12);
  EXPECT_NEAR(bandwidth("laplace-l2", "median"), median(squares), 1e-12);
  c.own().exponent = 0.7;
  EXPECT_EQ(c.landmarks().map.sections()->kernel.exponent(), 0.7);
}

}  // namespace
}  // namespace weft
