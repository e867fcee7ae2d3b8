// Every operation of the device against its definition. Blocks of features and kernels are tested in tests/features.
#include "compute/device_matrices.hpp"
#include "compute/device_matrix.hpp"
#include "devices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace weft::detail {
namespace {

using namespace weft::testing;

class EveryDevice : public DeviceTest {};

TEST_P(EveryDevice, MultipliesMatricesAndTheirTransposes) {
  const Matrix a = random_matrix(37, 53, 1), b = random_matrix(53, 29, 2), start = random_matrix(37, 29, 3);
  const Matrix at = transposed(a), bt = transposed(b);
  Matrix expected = product(a, b);
  for (Index i = 0; i < 37; ++i)
    for (Index j = 0; j < 29; ++j) expected(i, j) = 2 * expected(i, j) + 0.5 * start(i, j);
  for (const bool left : {false, true})
    for (const bool right : {false, true}) {
      Matrix c = start;
      device().multiply(2, left ? transpose(at) : Operand(a), right ? transpose(bt) : Operand(b), 0.5, c);
      expect_near(c, expected, 1e-12);
    }
}

TEST_P(EveryDevice, MultipliesPartsOfMatrices) {
  const Matrix a = random_matrix(20, 30, 1), b = random_matrix(30, 25, 2);
  Matrix c(40, 40);
  const View<double> part = c.view().row_range(3, 7).col_range(5, 11);
  device().multiply(1, a.view().row_range(4, 7), b.view().col_range(2, 11), 0, part);
  const Matrix whole = product(a, b);
  expect_near(part, whole.view().row_range(4, 7).col_range(2, 11), 1e-12);
  EXPECT_EQ(c(2, 5), 0);
  EXPECT_EQ(c(3, 16), 0);
}

// Short rows, rows of which few go together, and a row longer than memory that a GPU reads at once.
TEST_P(EveryDevice, IsSentNumbersThatAreMade) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{33, 5}, {7, 200'000}, {2, 600'000}}) {
    const Matrix before = random_matrix(rows + 2, cols + 4, 1);
    const auto made = [](Index i, Index k) { return static_cast<double>(i * 1000 + k % 997); };
    DeviceMatrix<double> there(device(), before.view());
    device().send(there.view().row_range(1, rows).col_range(2, cols), [&](Index first, View<double> some) {
      ASSERT_EQ(some.cols, cols);
      for (Index i = 0; i < some.rows; ++i)
        for (Index k = 0; k < cols; ++k) some(i, k) = made(first + i, k);
    });
    const Matrix out = there.on_host();
    for (Index i = 0; i < out.rows(); ++i)
      for (Index k = 0; k < out.cols(); ++k) {
        const bool sent = i >= 1 && i <= rows && k >= 2 && k < cols + 2;
        ASSERT_EQ(out(i, k), sent ? made(i - 1, k - 2) : before(i, k)) << rows << " " << i << " " << k;
      }
  }
  Matrix none(3, 0);
  device().send(none, [](Index, View<double>) {});
}

// A GPU takes such triangles in squares.
TEST_P(EveryDevice, AddsSumsOfManyFeatures) {
  constexpr Index kFeatures = 4100, kRows = 7;
  const Matrix phi = random_matrix(kFeatures, kRows, 1), right = random_matrix(2, kRows, 2);
  Matrix gram(kFeatures, kFeatures), moments(kFeatures, 2);
  gram(3000, 10) = 0.5;
  device().add_sums(phi.view(), phi.view(), right, gram, moments, 2);
  double largest = 0, above = 0;
  for (Index s = 0; s < kFeatures; ++s)
    for (Index t = 0; t < kFeatures; ++t) {
      double expected = s == 3000 && t == 10 ? 0.5 : 0;
      for (Index i = 0; i < kRows && t <= s; ++i) expected += phi(s, i) * phi(t, i);
      if (t <= s) largest = std::max(largest, std::abs(gram(s, t) - expected));
      if (t / 2048 > s / 2048) above = std::max(above, std::abs(gram(s, t)));
    }
  EXPECT_LT(largest, 1e-13);
  EXPECT_EQ(above, 0);
  expect_near(moments, product(phi, transposed(right)), 1e-13);
}

TEST_P(EveryDevice, MultipliesVectors) {
  const Matrix a = random_matrix(31, 17, 1), x = random_matrix(17, 3, 2), z = random_matrix(31, 1, 3);
  Matrix y(31, 2);
  device().multiply_vector(3, a, {x.data() + 1, 3}, 0, {y.data(), 2});
  const Matrix expected = product(a, x);
  for (Index i = 0; i < 31; ++i) EXPECT_NEAR(y(i, 0), 3 * expected(i, 1), 1e-12);
  Matrix sums(17, 1);
  device().multiply_vector(1, transpose(a), z.data(), 1, sums.data());
  expect_near(sums, product(transposed(a), z), 1e-12);
  EXPECT_NEAR(device().dot(31, z.data(), z.data()), product(transposed(z), z)(0, 0), 1e-12);
  EXPECT_NEAR(device().norm(31, z.data()), std::sqrt(product(transposed(z), z)(0, 0)), 1e-12);
  const Matrix before = sums;
  device().add_scaled(17, 2, x.data(), sums.data());
  for (Index i = 0; i < 17; ++i) EXPECT_NEAR(sums(i, 0), before(i, 0) + 2 * x.data()[i], 1e-12);
}

TEST_P(EveryDevice, MultipliesBySymmetricAndTriangularMatrices) {
  for (const Index columns : {1, 70}) {
    const Matrix a = definite(90, 1), x = random_matrix(90, columns, 2);
    Matrix out(90, columns);
    device().add_symmetric_product(1, lower_part(a), x, out, 2);
    expect_near(out, product(a, x), 1e-11);
    Matrix triangular = x;
    device().multiply_lower_transposed(a, triangular);
    expect_near(triangular, product(transposed(lower_part(a)), x), 1e-11);
  }
}

TEST_P(EveryDevice, Scores) {
  const Matrix coefficients = random_matrix(40, 3, 1), phi = random_matrix(40, 600, 2);
  const std::vector<double> intercepts = {1, -2, 0.5};
  Matrix scores(3, 600);
  device().scores(coefficients, intercepts.data(), phi, scores, 2);
  Matrix expected = product(transposed(coefficients), phi);
  for (Index k = 0; k < 3; ++k)
    for (Index i = 0; i < 600; ++i) expected(k, i) += intercepts[static_cast<std::size_t>(k)];
  expect_near(scores, expected, 1e-12);
}

TEST_P(EveryDevice, AddsSumsInBothPrecisions) {
  const Matrix phi = random_matrix(300, 700, 1), right = random_matrix(2, 700, 2);
  const Matrix gram = lower_part(product(phi, transposed(phi)));
  const Matrix moments = product(phi, transposed(right));
  Matrix got_gram(300, 300), got_moments(300, 2);
  device().add_sums(phi, phi, right, got_gram, got_moments, 2);
  expect_near(got_gram, gram, 1e-10);
  expect_near(got_moments, moments, 1e-10);
  BasicMatrix<float> phi_single(300, 700), right_single(2, 700);
  std::copy(phi.data(), phi.data() + 300 * 700, phi_single.data());
  std::copy(right.data(), right.data() + 2 * 700, right_single.data());
  Matrix single_gram(300, 300), single_moments(300, 2);
  device().add_sums(phi_single, phi_single, right_single, single_gram, single_moments, 2);
  expect_near(single_gram, gram, 1e-3);
  expect_near(single_moments, moments, 1e-3);
}

TEST_P(EveryDevice, FactorsAndSolves) {
  const Matrix a = definite(450, 1), x = random_matrix(450, 5, 2);
  Matrix lower = lower_part(a);
  ASSERT_TRUE(device().factor(lower, 2));
  expect_near(product(lower, transposed(lower)), a, 1e-11);
  Matrix solution = product(a, x);
  device().solve_lower(lower, false, solution, 2);
  device().solve_lower(lower, true, solution, 2);
  expect_near(solution, x, 1e-10);
  Matrix indefinite = lower_part(a);
  indefinite(449, 449) = -1;
  EXPECT_FALSE(device().factor(indefinite, 2));
}

TEST_P(EveryDevice, FactorsAndSolvesInSinglePrecision) {
  const Index n = 400;  // more than two tiles
  BasicMatrix<float> a(n, n), rhs(n, 3);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) a(i, j) = std::exp(-0.05F * static_cast<float>(std::abs(i - j)));
    a(i, i) += 0.1F;
    for (Index k = 0; k < 3; ++k) rhs(i, k) = static_cast<float>((i + k) % 7);
  }
  for (const int threads : {1, 2}) {
    BasicMatrix<float> lower = a, solution = rhs;
    ASSERT_TRUE(device().factor(lower.view(), threads));
    device().solve_lower(lower.view(), false, solution.view(), threads);
    device().solve_lower(lower.view(), true, solution.view(), threads);
    for (Index i = 0; i < n; ++i)
      for (Index k = 0; k < 3; ++k) {
        double product = 0;
        for (Index j = 0; j < n; ++j) product += static_cast<double>(a(i, j)) * solution(j, k);
        EXPECT_NEAR(product, rhs(i, k), 1e-3);
      }
  }
  BasicMatrix<float> indefinite(2, 2);
  indefinite(0, 0) = indefinite(1, 1) = 1;
  indefinite(1, 0) = 2;
  EXPECT_FALSE(device().factor(indefinite.view(), 1));
}

TEST_P(EveryDevice, EstimatesConditions) {
  Matrix lower(50, 50);
  for (Index i = 0; i < 50; ++i) lower(i, i) = i == 0 ? 1e-3 : 1;
  EXPECT_NEAR(device().reciprocal_condition(lower, 1), 1e-6, 1e-12);
}

TEST_P(EveryDevice, DecomposesSymmetricMatrices) {
  const Matrix a = definite(60, 1);
  Matrix vectors = a;
  std::vector<double> values;
  ASSERT_TRUE(device().eigen(vectors, values));
  Matrix scaled = vectors;
  for (Index k = 0; k < 60; ++k)
    for (Index j = 0; j < 60; ++j) scaled(k, j) *= values[static_cast<std::size_t>(k)];
  expect_near(product(transposed(vectors), scaled), a, 1e-12);
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
}

TEST_P(EveryDevice, SolvesShiftedSystemsByTridiagonalForm) {
  const Index n = 80;
  const Matrix a = definite(n, 1), r = definite(n, 2), x = random_matrix(n, 3, 3);
  Matrix lower = lower_part(r);
  ASSERT_TRUE(device().factor(lower, 1));
  Tridiagonal form{{device(), a}};
  device().divide_both_sides(lower, form.reflectors);
  const Matrix divided = form.reflectors.on_host();
  expect_near(product(product(lower, divided), transposed(lower)), a, 1e-11);
  device().tridiagonalise(form);
  // (divided + 0.3 I) x, one vector a row.
  Matrix vectors = transposed(product(divided, x));
  for (Index k = 0; k < 3; ++k)
    for (Index i = 0; i < n; ++i) vectors(k, i) += 0.3 * x(i, k);
  device().rotate(form, true, vectors);
  double rcond = 0;
  ASSERT_TRUE(device().solve_tridiagonal(form, 0.3, vectors, rcond));
  device().rotate(form, false, vectors);
  expect_near(vectors, transposed(x), 1e-11);
  EXPECT_GT(rcond, 1e-4);
  EXPECT_FALSE(device().solve_tridiagonal(form, -100, vectors, rcond));
}

TEST_P(EveryDevice, CopiesBetweenItsMemoryAndTheHosts) {
  const Matrix a = random_matrix(9, 14, 1);
  const DeviceMatrix<double> there(device(), a);
  expect_near(there.on_host(), a, 0);
  DeviceMatrix<double> parts(device(), 20, 30);
  device().clear(parts);
  const View<double> part = parts.view().row_range(3, 4).col_range(5, 6);
  device().copy(there.view().row_range(2, 4).col_range(1, 6), part);
  const Matrix host = parts.on_host();
  for (Index i = 0; i < 20; ++i)
    for (Index j = 0; j < 30; ++j)
      EXPECT_EQ(host(i, j), i >= 3 && i < 7 && j >= 5 && j < 11 ? a(i - 1, j - 4) : 0) << i << ", " << j;
  Matrix back(4, 6);
  device().copy(View<const double>(part), back.view());
  expect_near(back, a.view().row_range(2, 4).col_range(1, 6), 0);
}

TEST_P(EveryDevice, KeepsMatricesBetweenOperations) {
  const Matrix a = definite(150, 1), x = random_matrix(150, 2, 2);
  DeviceMatrix<double> lower(device(), a), solution(device(), product(a, x).view());
  ASSERT_TRUE(device().factor(lower.view(), 1));
  device().solve_lower(View<const double>(lower.view()), false, solution.view(), 1);
  device().solve_lower(View<const double>(lower.view()), true, solution.view(), 1);
  expect_near(solution.on_host(), x, 1e-10);
}

TEST_P(EveryDevice, ScalesColumnsAndWorksOnTriangles) {
  const Matrix a = random_matrix(40, 40, 1), penalty = random_matrix(40, 40, 2);
  const std::vector<double> factors(a.data(), a.data() + 40);
  Matrix scaled(40, 40);
  device().scale_columns(a, factors.data(), scaled.view(), 2);
  Matrix copied = a, diagonal = a, normal(40, 40);
  device().copy_lower(penalty, copied.view());
  device().add_to_diagonal(diagonal.view(), factors.data());
  device().penalised_normal(a, factors.data(), 3, 0.5, penalty, 0.25, normal);
  BasicMatrix<float> single(40, 40);
  device().copy_lower(penalty, single.view());
  for (Index i = 0; i < 40; ++i)
    for (Index j = 0; j < 40; ++j) {
      const double factor = factors[static_cast<std::size_t>(j)];
      EXPECT_EQ(scaled(i, j), a(i, j) * factor);
      EXPECT_EQ(copied(i, j), j <= i ? penalty(i, j) : a(i, j));
      EXPECT_EQ(single(i, j), j <= i ? static_cast<float>(penalty(i, j)) : 0);
      EXPECT_EQ(diagonal(i, j), i == j ? a(i, j) + factor : a(i, j));
      const double entry = a(i, j) - factors[static_cast<std::size_t>(i)] * factor / 3 + 0.5 * penalty(i, j);
      if (j <= i) {
        EXPECT_NEAR(normal(i, j), i == j ? entry + 0.25 : entry, 1e-14);
      }
    }
}

TEST_P(EveryDevice, ScalesBothSidesOfTrianglesInPlace) {
  const Index n = 300;
  const Matrix a = random_matrix(n, n, 1), factors = random_matrix(1, n, 2);
  Matrix scaled = a;
  device().scaled_normal(scaled, {}, 0, factors.data(), 0.25, scaled.view(), 2);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const double expected = j < i ? factors(0, i) * a(i, j) * factors(0, j) : j == i ? 1.25 : a(i, j);
      EXPECT_NEAR(scaled(i, j), expected, 1e-14) << i << ", " << j;
    }
}

TEST_P(EveryDevice, AddsAbsoluteValuesOfSymmetricRows) {
  const Index n = 300;
  Matrix a = random_matrix(n, n, 1);
  std::vector<double> expected(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) expected[static_cast<std::size_t>(i)] += std::abs(j <= i ? a(i, j) : a(j, i));
  const std::vector<double> sums = device().absolute_sums(a);
  for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_NEAR(sums[i], expected[i], 1e-11);
  a(7, 3) = std::nan("");
  EXPECT_TRUE(std::isnan(device().absolute_sums(a)[7]));
  EXPECT_TRUE(std::isnan(device().absolute_sums(a)[3]));
}

// More columns than a device takes together.
TEST_P(EveryDevice, FindsTheDiagonalOfTheInverse) {
  for (const Index n : {1, 130, 1100}) {
    Matrix lower = random_matrix(n, n, 3);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < i; ++j) lower(i, j) /= static_cast<double>(n);
      lower(i, i) = 1 + std::abs(lower(i, i));
    }
    const std::vector<double> diagonal = device().inverse_diagonal(lower, 2);
    for (const Index j : {Index{0}, n / 3, n - 1}) {
      Matrix unit(n, 1);
      unit(j, 0) = 1;
      device().solve_lower(lower, false, unit, 1);
      device().solve_lower(lower, true, unit, 1);
      EXPECT_NEAR(diagonal[static_cast<std::size_t>(j)], unit(j, 0), 1e-13) << n;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, EveryDevice, every_device(), device_name);

}  // namespace
}  // namespace weft::detail
