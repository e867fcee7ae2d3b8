// Blocks of kernels of distances against loops over pairs, in both precisions, and their gradients.
#include <weft/feature_map.hpp>

#include "core/random.hpp"
#include "data/expect_error.hpp"
#include "features/gradient_outer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace weft {

using namespace detail;
namespace {

struct Sizes {
  Index inputs, left, right;
};

/// Normal inputs; the last is constant, and of each four rows one repeats the row before it.
Matrix rows_with_ties(Index inputs, Index count, std::uint32_t seed, double offset = 0) {
  const Random random(seed, RandomStream::generator);
  Matrix x(inputs, count);
  for (Index j = 0; j < inputs; ++j)
    for (Index i = 0; i < count; ++i) {
      const Index same = i % 4 == 3 ? i - 1 : i;
      x(j, i) = offset + (j + 1 == inputs && inputs > 1
                              ? 0.5
                              : random.normal(static_cast<std::uint64_t>(same), static_cast<std::uint32_t>(j)));
    }
  return x;
}

/// Some rows of `a` among those of b: duplicates across the two sides, and rows nearer than rounding of their norms.
void plant_near_rows(const Matrix& a, Matrix& b) {
  for (Index i = 0; i < std::min(a.cols(), b.cols()); i += 5)
    for (Index j = 0; j < a.rows(); ++j) b(j, i) = a(j, i) + (i % 10 == 0 ? 0 : 1e-7 * static_cast<double>(j + 1));
}

double distance(const Kernel& kernel, const Matrix& a, Index t, const Matrix& b, Index i) {
  double sum = 0;
  for (Index j = 0; j < a.rows(); ++j) {
    const double difference = a(j, t) - b(j, i);
    sum += kernel.kind() == Kernel::Kind::laplace ? std::abs(difference) : difference * difference;
  }
  return kernel.kind() == Kernel::Kind::laplace ? sum : std::sqrt(sum);
}

double naive(const Kernel& kernel, const Matrix& a, Index t, const Matrix& b, Index i) {
  const double d = distance(kernel, a, t, b, i) / kernel.bandwidth();
  return kernel.kind() == Kernel::Kind::rbf ? std::exp(-d * d / 2) : std::exp(-std::pow(d, kernel.exponent()));
}

std::vector<Kernel> kernels(Index inputs) {
  const double scale = static_cast<double>(inputs);
  std::vector<Kernel> all = {Kernel::rbf(std::sqrt(scale))};
  for (const double q : {0.7, 1.0, 1.4}) {
    all.push_back(Kernel::laplace(scale, q));
    all.push_back(Kernel::laplace_l2(std::sqrt(scale), q));
  }
  return all;
}

std::string label(const Kernel& kernel) {
  return kernel.name() + " " + std::to_string(kernel.exponent());
}

class KernelBlocks : public ::testing::TestWithParam<Sizes> {};

TEST_P(KernelBlocks, EqualALoopOverPairs) {
  const auto [inputs, left, right] = GetParam();
  const Matrix a = rows_with_ties(inputs, left, 1, 3);
  Matrix b = rows_with_ties(inputs, right, 2, 3);
  plant_near_rows(a, b);
  for (const Kernel& kernel : kernels(inputs)) {
    SCOPED_TRACE(label(kernel));
    Matrix values(left, right), single(left, right);
    kernel.values(a, b, values);
    kernel.values(a, kernel.prepare(a, Precision::float32), b, single);
    for (Index t = 0; t < left; ++t)
      for (Index i = 0; i < right; ++i) {
        const double truth = naive(kernel, a, t, b, i);
        ASSERT_NEAR(values(t, i), truth, 1e-13) << t << ", " << i;
        ASSERT_NEAR(single(t, i), truth, 1e-5) << t << ", " << i;
      }
  }
}

TEST_P(KernelBlocks, HaveGradients) {
  const auto [inputs, left, right] = GetParam();
  constexpr Index kGradientOutputs = 6;
  const Matrix a = rows_with_ties(inputs, left, 1, 3), x = rows_with_ties(inputs, std::min<Index>(right, 12), 3, 3);
  const Random random(4, RandomStream::noise);
  Matrix coefficients(left, kGradientOutputs);
  for (Index t = 0; t < left; ++t)
    for (Index o = 0; o < kGradientOutputs; ++o)
      coefficients(t, o) = random.normal(static_cast<std::uint64_t>(t), static_cast<std::uint32_t>(o)) /
                           std::sqrt(static_cast<double>(left));
  for (const Kernel& kernel : kernels(inputs)) {
    SCOPED_TRACE(label(kernel));
    Matrix gradients(kGradientOutputs * inputs, x.cols()), single = gradients;
    kernel.gradients(a, kernel.prepare(a), coefficients, x, gradients);
    kernel.gradients(a, kernel.prepare(a, Precision::float32), coefficients, x, single);
    for (Index i = 0; i < x.cols(); ++i)
      for (Index j = 0; j < inputs; ++j) {
        std::vector<double> sums(kGradientOutputs);
        for (Index t = 0; t < left; ++t) {
          // Differences of one kernel value at a time, without the pairs whose difference in x_j changes sign or is 0.
          constexpr double kStep = 1e-5;
          const double gap = x(j, i) - a(j, t);
          if (gap == 0 || distance(kernel, a, t, x, i) == 0) continue;
          const double step = std::min(kStep, std::abs(gap) / 2);
          Matrix up(inputs, 1), down(inputs, 1);
          for (Index k = 0; k < inputs; ++k) up(k, 0) = down(k, 0) = x(k, i);
          up(j, 0) += step;
          down(j, 0) -= step;
          const double slope = (naive(kernel, a, t, up, 0) - naive(kernel, a, t, down, 0)) / (up(j, 0) - down(j, 0));
          for (Index o = 0; o < kGradientOutputs; ++o) sums[static_cast<std::size_t>(o)] += coefficients(t, o) * slope;
        }
        for (Index o = 0; o < kGradientOutputs; ++o) {
          ASSERT_NEAR(gradients(o * inputs + j, i), sums[static_cast<std::size_t>(o)], 1e-6) << i << ", " << j;
          ASSERT_NEAR(single(o * inputs + j, i), sums[static_cast<std::size_t>(o)], 1e-4) << i << ", " << j;
        }
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, KernelBlocks,
                         ::testing::Values(Sizes{1, 1, 1}, Sizes{3, 67, 270}, Sizes{130, 66, 33}, Sizes{9, 5, 515},
                                           Sizes{130, 67, 1}, Sizes{5, 201, 257}),
                         [](const auto& sizes) {
                           return std::to_string(sizes.param.inputs) + "x" + std::to_string(sizes.param.left) + "x" +
                                  std::to_string(sizes.param.right);
                         });

// Threads share the rows of the left side where the right one has few.
TEST(KernelValues, OfMoreRowsThanOneThreadTakesEqualALoopOverPairs) {
  const Matrix a = rows_with_ties(3, 9001, 1, 3), b = rows_with_ties(3, 2, 2, 3);
  for (const Kernel& kernel : kernels(3)) {
    SCOPED_TRACE(label(kernel));
    Matrix one(a.cols(), b.cols()), three = one;
    kernel.values(a, b, one, {.threads = 1});
    kernel.values(a, b, three, {.threads = 3});
    for (Index t = 0; t < a.cols(); ++t)
      for (Index i = 0; i < b.cols(); ++i) {
        ASSERT_EQ(one(t, i), three(t, i)) << t;
        ASSERT_NEAR(one(t, i), naive(kernel, a, t, b, i), 1e-13) << t;
      }
  }
}

// A single row on the right takes loops of its own.
TEST(KernelValues, OfOneRowHaveTheBitsThatTheyHaveAmongOthers) {
  const Matrix a = rows_with_ties(131, 203, 1, 3);
  Matrix b = rows_with_ties(131, 2, 2, 3);
  plant_near_rows(a, b);
  for (const Kernel& kernel : kernels(131))
    for (const Precision precision : {Precision::float64, Precision::float32}) {
      SCOPED_TRACE(label(kernel));
      const PreparedRows prepared = kernel.prepare(a, precision);
      Matrix together(203, 2), alone(203, 1);
      kernel.values(a, prepared, b, together);
      for (Index i = 0; i < 2; ++i) {
        kernel.values(a, prepared, b.view().col_range(i, 1), alone);
        for (Index t = 0; t < 203; ++t)
          if (kernel.kind() == Kernel::Kind::laplace)
            ASSERT_EQ(alone(t, 0), together(t, i)) << t;
          else  // products of matrices of another shape
            ASSERT_NEAR(alone(t, 0), together(t, i), precision == Precision::float64 ? 1e-13 : 1e-5) << t;
      }
    }
}

// Rows nearer than rounding of their norms, where a difference of products would have no digits left.
TEST(KernelGradients, OfNearRowsKeepTheirDigits) {
  const Matrix a = rows_with_ties(4, 12, 1);
  for (const double step : {1e-3, 1e-6, 1e-9}) {
    Matrix x = a;
    for (Index j = 0; j < 4; ++j) x(j, 1) += step * static_cast<double>(j + 1);
    Matrix coefficients(12, 1), gradients(4, 12);
    coefficients(1, 0) = 1;
    for (const double q : {0.7, 1.0, 1.4}) {
      const Kernel kernel = Kernel::laplace_l2(2, q);
      kernel.gradients(a, kernel.prepare(a), coefficients, x, gradients);
      const double d = distance(kernel, a, 1, x, 1), u = std::pow(d / 2, q);
      for (Index j = 0; j < 4; ++j) {
        const double slope = -q * u / d * std::exp(-u) * (x(j, 1) - a(j, 1)) / d;
        EXPECT_NEAR(gradients(j, 1), slope, 1e-6 * std::abs(slope)) << step << ", " << q;
      }
    }
  }
}

TEST(KernelGradients, OfEqualRowsAreZero) {
  const Matrix a = rows_with_ties(4, 30, 1);
  Matrix coefficients(30, 1), gradients(4, 30);
  coefficients(7, 0) = 1;
  for (const Kernel& kernel : kernels(4)) {
    kernel.gradients(a, kernel.prepare(a), coefficients, a, gradients);
    for (Index j = 0; j < 4; ++j) {
      EXPECT_EQ(gradients(j, 7), 0) << label(kernel);
      EXPECT_EQ(gradients(j, 6), 0) << label(kernel);  // repeats row 7
    }
    EXPECT_NE(gradients(0, 8), 0) << label(kernel);
  }
}

TEST(KernelGradients, BitsDoNotDependOnThreads) {
  const Matrix a = rows_with_ties(11, 300, 1), x = rows_with_ties(11, 700, 2);
  Matrix coefficients(300, 3);
  for (Index t = 0; t < 300; ++t)
    for (Index o = 0; o < 3; ++o) coefficients(t, o) = std::sin(static_cast<double>(t * 3 + o));
  for (const Kernel& kernel : kernels(11)) {
    Matrix one(33, 700), three(33, 700);
    kernel.gradients(a, kernel.prepare(a), coefficients, x, one, {.threads = 1});
    kernel.gradients(a, kernel.prepare(a), coefficients, x, three, {.threads = 3});
    for (Index k = 0; k < 33 * 700; ++k) ASSERT_EQ(one.data()[k], three.data()[k]) << label(kernel);
  }
}

TEST(KernelGradients, MistakesAreNamed) {
  const Matrix a = rows_with_ties(3, 5, 1);
  Matrix coefficients(5, 1), out(3, 5);
  const Kernel angular = Kernel::angular(Inputs::plain(3));
  testing::expect_error([&] { angular.gradients(a, angular.prepare(a), coefficients, a, out); }, ErrorKind::option,
                        {"angular", "laplace"});
  testing::expect_error([&] { Kernel::rbf(1).gradients(a, {}, a, a, out); }, ErrorKind::data, {"columns"});
}

TEST(GradientOuter, SumsProductsOfGradients) {
  const Matrix a = rows_with_ties(5, 40, 1), x = rows_with_ties(5, 1100, 2);
  Matrix coefficients(40, 2), gradients(10, 1100), expected(5, 5);
  std::vector<double> weights;
  for (Index t = 0; t < 40; ++t)
    for (Index o = 0; o < 2; ++o) coefficients(t, o) = std::cos(static_cast<double>(t + 40 * o));
  for (Index i = 0; i < 1100; ++i) weights.push_back(static_cast<double>(i % 3));
  const FeatureMap map = FeatureMap::from_sections({Kernel::laplace(4), a}, Inputs::plain(5));
  map.gradients(x, coefficients, gradients);
  for (Index i = 0; i < 1100; ++i)
    for (Index r = 0; r < 10; ++r)
      for (Index k = 0; k < 5; ++k)
        expected(r % 5, k) += weights[static_cast<std::size_t>(i)] * gradients(r, i) * gradients(r / 5 * 5 + k, i);
  const Matrix outer = gradient_outer(map, coefficients, x, weights.data(), {.threads = 2});
  const std::vector<double> squares = gradient_squares(map, coefficients, x, weights.data(), {});
  for (Index j = 0; j < 5; ++j) {
    for (Index k = 0; k < 5; ++k) EXPECT_NEAR(outer(j, k), expected(j, k), 1e-12 * expected(0, 0));
    EXPECT_NEAR(squares[static_cast<std::size_t>(j)], expected(j, j), 1e-12 * expected(0, 0));
  }
}

}  // namespace
}  // namespace weft
