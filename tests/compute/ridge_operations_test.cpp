// What devices do for ridge equations of many unknowns, against its definition.
#include "compute/device_matrices.hpp"
#include "compute/device_matrix.hpp"
#include "devices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::detail {
namespace {

using namespace weft::testing;

class RidgeOfDevice : public DeviceTest {};

double one_norm(const Device& device, View<const double> lower) {
  const std::vector<double> sums = device.absolute_sums(lower);
  return sums.empty() ? 0 : *std::max_element(sums.begin(), sums.end());
}

// Few right-hand sides have a way of their own on a GPU, from 1024 equations on; 64 of them are a panel.
TEST_P(RidgeOfDevice, SolvesForFewRightHandSides) {
  for (const Index n : {1024, 1050}) {
    Matrix lower = random_matrix(n, n + 3, 1);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n + 3; ++j)
        lower(i, j) = j > i ? std::numeric_limits<double>::quiet_NaN() : i == j ? 1.5 : lower(i, j) / 100;
    const View<const double> factor = lower.view().col_range(0, n);
    const Matrix part = lower_part(factor);
    for (const Index columns : {1, 3, 9}) {
      const Matrix x = random_matrix(n, columns + 2, 2);
      for (const bool transpose : {false, true}) {
        Matrix solution = product(transpose ? transposed(part) : part, x);
        const Matrix right = solution;
        device().solve_lower(factor, transpose, solution.view().col_range(1, columns), 2);
        expect_near(solution.view().col_range(1, columns), x.view().col_range(1, columns), 1e-11);
        for (Index i = 0; i < n; ++i) {
          EXPECT_EQ(solution(i, 0), right(i, 0));
          EXPECT_EQ(solution(i, columns + 1), right(i, columns + 1));
        }
      }
    }
  }
}

TEST_P(RidgeOfDevice, EstimatesConditionsOfManyEquations) {
  const Index n = 300;
  Matrix lower = lower_part(definite(n, 1)), inverse(n, n);
  const double norm = one_norm(device(), lower);
  ASSERT_TRUE(device().factor(lower, 2));
  for (Index i = 0; i < n; ++i) inverse(i, i) = 1;
  device().solve_lower(lower, false, inverse, 2);
  device().solve_lower(lower, true, inverse, 2);
  const double rcond = 1 / norm / one_norm(device(), inverse);
  const double estimate = device().reciprocal_condition(lower, norm);  // never less than it
  EXPECT_GE(estimate, rcond * (1 - 1e-12));
  EXPECT_LE(estimate, 3 * rcond);
  EXPECT_NEAR(estimate, cpu().reciprocal_condition(lower, norm), 1e-10 * estimate);
}

TEST_P(RidgeOfDevice, FindsNormsOfSymmetricMatrices) {
  EXPECT_EQ(one_norm(device(), Matrix()), 0);
  for (const Index n : {1, 31, 32, 100}) {
    const Matrix a = random_matrix(n, n + 5, 7);  // more columns than rows: a stride, and something above the diagonal
    double largest = 0;
    for (Index i = 0; i < n; ++i) {
      double sum = 0;
      for (Index j = 0; j < n; ++j) sum += std::abs(j <= i ? a(i, j) : a(j, i));
      largest = std::max(largest, sum);
    }
    EXPECT_NEAR(one_norm(device(), a.view().col_range(0, n)), largest, 1e-12);
  }
}

TEST_P(RidgeOfDevice, AssemblesScaledNormalMatrices) {
  const Index n = 70;
  Matrix gram = random_matrix(n, n, 1), penalty = random_matrix(n, n, 2);
  const Matrix scales_of = random_matrix(n, 1, 3);
  std::vector<double> scale(scales_of.data(), scales_of.data() + n);
  scale[5] = 0;  // of a penalty that overflows
  penalty(40, 5) = std::numeric_limits<double>::infinity();
  const Matrix before = random_matrix(n, n, 4);
  for (const View<const double> some : {View<const double>(), View<const double>(penalty.view())}) {
    Matrix out = before;
    device().scaled_normal(gram, some, 0.5, scale.data(), 0.25, out, 2);
    for (Index s = 0; s < n; ++s)
      for (Index t = 0; t < n; ++t) {
        const double entry = gram(s, t) + (some.data != nullptr ? 0.5 * penalty(s, t) : 0);
        const double scales = scale[static_cast<std::size_t>(s)] * scale[static_cast<std::size_t>(t)];
        const double expected = t > s ? before(s, t) : t == s ? 1.25 : scales == 0 ? 0 : entry * scales;
        ASSERT_NEAR(out(s, t), expected, 1e-14) << s << ", " << t;
      }
  }
}

TEST_P(RidgeOfDevice, CopiesLowerTrianglesBetweenMemories) {
  const Index n = 1100;  // three strips
  const Matrix a = random_matrix(n, n, 1), above = random_matrix(n, n, 2);
  DeviceMatrix<double> there(device(), above);
  device().copy_lower(a, there.view());
  const Matrix got = there.on_host();
  Matrix back(n, n);
  device().copy_lower(View<const double>(there.view()), back.view());
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      ASSERT_EQ(got(i, j), j <= i ? a(i, j) : above(i, j)) << i << ", " << j;
      ASSERT_EQ(back(i, j), j <= i ? a(i, j) : 0) << i << ", " << j;
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, RidgeOfDevice, every_device(), device_name);

}  // namespace
}  // namespace weft::detail
