// The equations of kernel ridge regression on rows in memory against dense solutions.
#include "methods/local/kernel_equations.hpp"

#include "dense_algebra.hpp"
#include "methods/local_case.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>

#include <cmath>

namespace weft {

using namespace detail;
using namespace testing_local;
namespace {

using Dense = Eigen::MatrixXd;

LabelledRows sample(Index count, bool weighted, std::uint64_t seed) {
  LabelledRows rows = function_rows(
      3, count, [](const double* x) { return std::sin(3 * x[0]) + x[1] * x[2]; }, 0.1, seed);
  if (weighted)
    for (Index i = 0; i < count; ++i) rows.weights.push_back(0.5 + static_cast<double>(i % 3));
  return rows;
}

double kernel_value(const Matrix& a, Index i, const Matrix& b, Index k, double bandwidth) {
  double distance = 0;
  for (Index j = 0; j < a.rows(); ++j) distance += std::abs(a(j, i) - b(j, k));
  return std::exp(-distance / bandwidth);
}

Dense kernel_matrix(const Matrix& a, const Matrix& b, double bandwidth) {
  Dense result(a.cols(), b.cols());
  for (Index i = 0; i < a.cols(); ++i)
    for (Index k = 0; k < b.cols(); ++k) result(i, k) = kernel_value(a, i, b, k, bandwidth);
  return result;
}

/// Solves (K + λW⁻¹)a + c1 = y, 1ᵀa = 0 as one bordered system; the last element is c.
Eigen::VectorXd bordered(const LabelledRows& rows, double bandwidth, double lambda) {
  const Index n = rows.rows();
  Dense system = Dense::Zero(n + 1, n + 1);
  system.topLeftCorner(n, n) = kernel_matrix(rows.x, rows.x, bandwidth);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n + 1);
  for (Index i = 0; i < n; ++i) {
    system(i, i) += lambda / rows.weight(i);
    system(i, n) = system(n, i) = 1;
    right(i) = rows.y(i, 0);
  }
  return testing::solve(system, right);
}

TEST(KernelEquations, ExactEqualsTheBorderedSystem) {
  for (const bool weighted : {false, true}) {
    const LabelledRows rows = sample(70, weighted, 1);
    DeviceMatrix<double> kernel = lower_kernel(Kernel::laplace(1.5), rows.x, {});
    const std::optional<KernelFit> fit = solve_exact(kernel, rows.y, rows.weights, 0.01, 1);
    ASSERT_TRUE(fit);
    const Eigen::VectorXd truth = bordered(rows, 1.5, 0.01);
    for (Index i = 0; i < rows.rows(); ++i) EXPECT_NEAR(fit->coefficients(i, 0), truth(i), 1e-9);
    EXPECT_NEAR(fit->intercepts[0], truth(rows.rows()), 1e-10);
  }
}

TEST(KernelEquations, ASearchSolvesInSinglePrecisionWhereLambdaAllowsIt) {
  for (const bool weighted : {false, true}) {
    const LabelledRows rows = sample(300, weighted, 3);
    const Matrix kernel = Kernel::laplace(1.5).gram(rows.x, {}, Precision::float32);
    const auto largest_difference = [&](double lambda) {
      DeviceMatrix<double> copy(cpu(), kernel);
      const KernelFit exact = solve_exact(copy, rows.y, rows.weights, lambda, 1).value();
      const KernelFit fit =
          solve_for_search(DeviceMatrix<double>(cpu(), kernel), rows.y, rows.weights, lambda, 2).value();
      double largest = std::abs(fit.intercepts[0] - exact.intercepts[0]);
      for (Index i = 0; i < rows.rows(); ++i) {
        double difference = 0;
        for (Index k = 0; k < rows.rows(); ++k)
          difference += kernel(i, k) * (fit.coefficients(k, 0) - exact.coefficients(k, 0));
        largest = std::max(largest, std::abs(difference));
      }
      return largest;
    };
    for (const double lambda : {1e-3, 1e-2, 1.0}) {
      EXPECT_GT(largest_difference(lambda), 0) << lambda;
      EXPECT_LT(largest_difference(lambda), 1e-4) << lambda;
    }
    EXPECT_EQ(largest_difference(1e-5), 0);  // double precision
  }
}

TEST(KernelEquations, HeldOutPredictionsEqualARefitWithoutThem) {
  for (const bool weighted : {false, true}) {
    const LabelledRows rows = sample(60, weighted, 2);
    for (const Index held : {1, 20, 59}) {
      std::vector<Index> first;
      for (Index i = 0; i < rows.rows() - held; ++i) first.push_back(i);
      LabelledRows without = rows.subset(first);
      for (Index i = 0; i < without.rows(); ++i)
        without.y(i, 0) += std::cos(static_cast<double>(i));  // targets of its own
      DeviceMatrix<double> kernel = lower_kernel(Kernel::laplace(1.5), rows.x, {});
      const auto both = solve_with_held_out(kernel, rows.y, without.y, rows.weights, 0.05, 1);
      ASSERT_TRUE(both);
      const Eigen::VectorXd truth = bordered(without, 1.5, 0.05);
      for (Index k = 0; k < held; ++k) {
        double prediction = truth(without.rows());
        for (Index i = 0; i < without.rows(); ++i)
          prediction += truth(i) * kernel_value(without.x, i, rows.x, without.rows() + k, 1.5);
        EXPECT_NEAR(both->held_scores(k, 0), prediction, 1e-9);
      }
      const Eigen::VectorXd all = bordered(rows, 1.5, 0.05);
      for (Index i = 0; i < rows.rows(); ++i) EXPECT_NEAR(both->fit.coefficients(i, 0), all(i), 1e-9);
    }
  }
}

TEST(KernelEquations, LandmarksEqualTheDenseNormalEquations) {
  const LabelledRows rows = sample(5000, true, 3);  // several blocks
  std::vector<Index> chosen;
  for (Index i = 0; i < 30; ++i) chosen.push_back(150 * i);
  const weft::Run run{.threads = 1};
  LandmarkEquations equations(Kernel::laplace(2.0), {}, gather_columns(rows.x, chosen), 1, run);
  equations.add(rows);
  const std::optional<KernelFit> fit = equations.solve(0.3);
  ASSERT_TRUE(fit);
  const Matrix landmarks = gather_columns(rows.x, chosen);
  const Dense cross = kernel_matrix(rows.x, landmarks, 2.0);
  Eigen::VectorXd w(rows.rows()), y(rows.rows());
  for (Index i = 0; i < rows.rows(); ++i) {
    w(i) = rows.weight(i);
    y(i) = rows.y(i, 0);
  }
  const double total = w.sum();
  const Eigen::RowVectorXd mean = w.transpose() * cross / total;
  const double target = w.dot(y) / total;
  const Dense centred = cross.rowwise() - mean;
  const Dense normal = centred.transpose() * w.asDiagonal() * centred + 0.3 * kernel_matrix(landmarks, landmarks, 2.0);
  const Eigen::VectorXd right = centred.transpose() * w.asDiagonal() * (y.array() - target).matrix();
  const Eigen::VectorXd truth = testing::solve_symmetric(normal, right);
  const Eigen::VectorXd predicted = cross * truth + Eigen::VectorXd::Constant(rows.rows(), target - mean.dot(truth));
  for (Index i = 0; i < rows.rows(); i += 97) {
    double own = fit->intercepts[0];
    for (Index t = 0; t < 30; ++t) own += fit->coefficients(t, 0) * cross(i, t);
    EXPECT_NEAR(own, predicted(i), 1e-4);  // blocks of kernel values are in single precision
  }
}

TEST(KernelEquations, PartsOfTheRowsAddUp) {
  const LabelledRows rows = sample(900, false, 4);
  std::vector<Index> first, second, centres{3, 50, 700};
  for (Index i = 0; i < rows.rows(); ++i) (i < 400 ? first : second).push_back(i);
  const weft::Run run{.threads = 1};
  LandmarkEquations whole(Kernel::laplace(1), {}, gather_columns(rows.x, centres), 1, run);
  LandmarkEquations parts(Kernel::laplace(1), {}, gather_columns(rows.x, centres), 1, run);
  whole.add(rows);
  parts.add(rows.subset(first));
  parts.add(rows.subset(second));
  const KernelFit a = whole.solve(0.1).value(), b = parts.solve(0.1).value();
  for (Index t = 0; t < 3; ++t) EXPECT_NEAR(a.coefficients(t, 0), b.coefficients(t, 0), 1e-9);
  EXPECT_NEAR(a.intercepts[0], b.intercepts[0], 1e-9);
}

TEST(KernelEquations, AMatrixThatIsNotPositiveDefiniteIsReported) {
  Matrix indefinite(2, 2);
  indefinite(0, 0) = indefinite(1, 1) = 1;
  indefinite(0, 1) = indefinite(1, 0) = 2;
  DeviceMatrix<double> kernel(cpu(), indefinite);
  EXPECT_FALSE(solve_exact(kernel, Matrix(2, 1), {}, 1e-3, 1));
}

}  // namespace
}  // namespace weft
