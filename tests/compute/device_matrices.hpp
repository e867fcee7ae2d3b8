// Matrices to compute with, and their products by the definition.
#pragma once

#include "core/random.hpp"

#include <weft/matrix.hpp>

#include <gtest/gtest.h>

namespace weft::testing {

using namespace detail;

inline Matrix random_matrix(Index rows, Index cols, std::uint64_t seed) {
  const Random random(seed, RandomStream::noise);
  Matrix a(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j)
      a(i, j) = random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(j));
  return a;
}

inline Matrix transposed(View<const double> a) {
  Matrix out(a.cols, a.rows);
  for (Index i = 0; i < a.rows; ++i)
    for (Index j = 0; j < a.cols; ++j) out(j, i) = a(i, j);
  return out;
}

inline Matrix product(View<const double> a, View<const double> b) {
  Matrix c(a.rows, b.cols);
  for (Index i = 0; i < a.rows; ++i)
    for (Index k = 0; k < a.cols; ++k)
      for (Index j = 0; j < b.cols; ++j) c(i, j) += a(i, k) * b(k, j);
  return c;
}

/// AAᵀ/n + I: positive definite.
inline Matrix definite(Index n, std::uint64_t seed) {
  const Matrix a = random_matrix(n, n, seed);
  Matrix c = product(a, transposed(a));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) c(i, j) = c(i, j) / static_cast<double>(n) + (i == j ? 1 : 0);
  return c;
}

inline Matrix lower_part(View<const double> a) {
  Matrix lower(a.rows, a.cols);
  for (Index i = 0; i < a.rows; ++i)
    for (Index j = 0; j <= i; ++j) lower(i, j) = a(i, j);
  return lower;
}

inline void expect_near(View<const double> got, View<const double> expected, double tolerance) {
  ASSERT_EQ(got.rows, expected.rows);
  ASSERT_EQ(got.cols, expected.cols);
  for (Index i = 0; i < got.rows; ++i)
    for (Index j = 0; j < got.cols; ++j) ASSERT_NEAR(got(i, j), expected(i, j), tolerance) << i << ", " << j;
}

}  // namespace weft::testing
