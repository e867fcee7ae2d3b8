#include "linalg/conjugate_gradient.hpp"

#include "core/random.hpp"
#include "dense_algebra.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>

namespace weft {

using namespace detail;
namespace {

constexpr Index kSize = 30;

/// A well-conditioned matrix, and right-hand sides of which the last is zero.
struct System {
  Eigen::MatrixXd a = Eigen::MatrixXd::Identity(kSize, kSize);
  Matrix rhs{kSize, 3};

  System() {
    const Random random(5, RandomStream::generator);
    Eigen::MatrixXd b(kSize, kSize);
    for (Index i = 0; i < kSize; ++i)
      for (Index j = 0; j < kSize; ++j)
        b(i, j) = random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(j)) / 5;
    a += b * b.transpose();
    for (Index i = 0; i < kSize; ++i)
      for (Index c = 0; c < 2; ++c)
        rhs(i, c) = random.normal(static_cast<std::uint64_t>(i), 100 + static_cast<std::uint32_t>(c));
  }
  bool multiply(const Matrix& in, Matrix& out) const {
    for (Index i = 0; i < kSize; ++i)
      for (Index c = 0; c < in.cols(); ++c) {
        out(i, c) = 0;
        for (Index j = 0; j < kSize; ++j) out(i, c) += a(i, j) * in(j, c);
      }
    return true;
  }
  LinearOperator product() const {
    return [this](const Matrix& in, Matrix& out) { return multiply(in, out); };
  }
};

TEST(ConjugateGradient, SolvesEveryColumn) {
  const System system;
  const auto result = conjugate_gradient(system.product(), system.rhs, {}, {.tolerance = 1e-13, .max_iterations = 60});
  ASSERT_TRUE(result.converged);
  for (Index c = 0; c < 3; ++c) {
    Eigen::VectorXd b(kSize);
    for (Index i = 0; i < kSize; ++i) b(i) = system.rhs(i, c);
    const Eigen::VectorXd truth = testing::solve_symmetric(system.a, b);
    for (Index i = 0; i < kSize; ++i) EXPECT_NEAR(result.x(i, c), truth(i), 1e-11);
  }
}

TEST(ConjugateGradient, AGoodStartSavesSteps) {
  const System system;
  const ConjugateGradientOptions options{.tolerance = 1e-8, .max_iterations = 60};
  const auto cold = conjugate_gradient(system.product(), system.rhs, {}, options);
  Matrix start = cold.x;
  start(0, 2) = 3;  // of the right-hand side that is zero
  const auto warm = conjugate_gradient(system.product(), system.rhs, start, options);
  EXPECT_TRUE(warm.converged);
  EXPECT_LT(warm.iterations, 2);
  EXPECT_EQ(warm.x(0, 2), 0);
}

TEST(ConjugateGradient, SaysWhyItStopped) {
  const System system;
  const auto few = conjugate_gradient(system.product(), system.rhs, {}, {.tolerance = 1e-13, .max_iterations = 2});
  EXPECT_FALSE(few.converged);
  EXPECT_FALSE(few.stopped);
  EXPECT_EQ(few.iterations, 2);
  int left = 3;
  const auto ended =
      conjugate_gradient([&](const Matrix& in, Matrix& out) { return left-- > 0 && system.multiply(in, out); },
                         system.rhs, {}, {.tolerance = 1e-13, .max_iterations = 60});
  EXPECT_TRUE(ended.stopped);
  EXPECT_EQ(ended.iterations, 3);
  EXPECT_LT(ended.relative_residual, few.relative_residual);
}

}  // namespace
}  // namespace weft
