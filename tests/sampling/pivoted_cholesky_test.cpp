// Randomly pivoted Cholesky against a dense factorisation and its definition.
#include "sampling/pivoted_cholesky.hpp"

#include "core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace weft::detail {
namespace {

Matrix rows_of(Index inputs, Index count) {
  const Random random(1, RandomStream::generator);
  Matrix x(inputs, count);
  for (Index j = 0; j < inputs; ++j)
    for (Index i = 0; i < count; ++i)
      x(j, i) = random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(j));
  return x;
}

/// One row per pivot, one pivot at a time, from the whole matrix, which is left with the rest.
Matrix partial_cholesky(Matrix& k, const std::vector<Index>& pivots) {
  Matrix factor(static_cast<Index>(pivots.size()), k.cols());
  for (std::size_t p = 0; p < pivots.size(); ++p) {
    const double root = std::sqrt(k(pivots[p], pivots[p]));
    double* row = factor.row(static_cast<Index>(p));
    for (Index i = 0; i < k.cols(); ++i) row[i] = k(pivots[p], i) / root;
    for (Index s = 0; s < k.rows(); ++s)
      for (Index t = 0; t < k.cols(); ++t) k(s, t) -= row[s] * row[t];
  }
  return factor;
}

TEST(PivotedCholesky, IsTheFactorOfItsPivots) {
  const Matrix x = rows_of(4, 700);
  for (const Kernel& kernel : {Kernel::laplace(4), Kernel::laplace_l2(2, 1.4), Kernel::rbf(1)}) {
    const PivotedCholesky found = pivoted_cholesky(kernel, x, 300, 5);
    ASSERT_EQ(found.pivots.size(), 300U);
    Matrix rest = kernel.gram(x);
    const Matrix factor = partial_cholesky(rest, found.pivots);
    for (Index i = 0; i < 700; ++i) {
      for (Index p = 0; p < 300; ++p) ASSERT_NEAR(found.factor(p, i), factor(p, i), 1e-9) << kernel.name();
      ASSERT_NEAR(found.residual[static_cast<std::size_t>(i)], rest(i, i), 1e-11) << kernel.name();
    }
  }
}

TEST(PivotedCholesky, BitsDoNotDependOnThreads) {
  const Matrix x = rows_of(5, 1300);
  const PivotedCholesky one = pivoted_cholesky(Kernel::laplace(5), x, 150, 3, {.threads = 1});
  const PivotedCholesky three = pivoted_cholesky(Kernel::laplace(5), x, 150, 3, {.threads = 3});
  EXPECT_EQ(one.pivots, three.pivots);
  EXPECT_EQ(one.residual, three.residual);
}

// P(s, t) = k_ss/Σk · r_tt/Σr, r what s leaves of the diagonal, for the first two pivots in their order.
TEST(PivotedCholesky, PivotsFollowTheirLaw) {
  Matrix x(1, 6);
  for (Index i = 0; i < 6; ++i) x(0, i) = std::array{0.0, 0.1, 0.5, 0.6, 2.0, 4.0}[static_cast<std::size_t>(i)];
  const Kernel kernel = Kernel::rbf(0.7);
  constexpr int kSeeds = 20000;
  std::map<std::pair<Index, Index>, int> counts;
  for (int seed = 0; seed < kSeeds; ++seed) {
    const PivotedCholesky found = pivoted_cholesky(kernel, x, 2, static_cast<std::uint64_t>(seed), {.threads = 1});
    ASSERT_EQ(found.pivots.size(), 2U);
    ++counts[{found.pivots[0], found.pivots[1]}];
  }
  double chi_square = 0;
  int cells = 0;
  for (Index s = 0; s < 6; ++s) {
    Matrix rest = kernel.gram(x);
    partial_cholesky(rest, {s});
    double total = 0;
    for (Index t = 0; t < 6; ++t) total += t == s ? 0 : rest(t, t);
    for (Index t = 0; t < 6; ++t) {
      if (t == s) continue;
      const double expected = kSeeds / 6.0 * rest(t, t) / total;
      const double difference = counts[{s, t}] - expected;
      chi_square += difference * difference / expected;
      ++cells;
    }
  }
  // 29 degrees of freedom: beyond 58 with probability 0.001.
  EXPECT_EQ(cells, 30);
  EXPECT_LT(chi_square, 58);
}

TEST(PivotedCholesky, NothingIsChosenTwiceAndTheRankEndsIt) {
  Matrix x(3, 400);  // 40 different rows
  const Matrix different = rows_of(3, 40);
  for (Index j = 0; j < 3; ++j)
    for (Index i = 0; i < 400; ++i) x(j, i) = different(j, i % 40);
  for (const Kernel& kernel : {Kernel::laplace(3), Kernel::laplace_l2(2, 0.7), Kernel::rbf(0.5)})
    for (const Index count : {20, 40, 41, 400, 1000}) {
      const PivotedCholesky found = pivoted_cholesky(kernel, x, count, 9);
      std::set<Index> rows;
      for (const Index i : found.pivots) rows.insert(i % 40);
      EXPECT_EQ(rows.size(), found.pivots.size()) << kernel.name();
      EXPECT_EQ(static_cast<Index>(rows.size()), std::min<Index>(count, 40)) << kernel.name();
      EXPECT_EQ(found.factor.rows(), static_cast<Index>(rows.size()));
      if (count >= 40) {
        EXPECT_EQ(*std::max_element(found.residual.begin(), found.residual.end()), 0);
      }
    }
}

}  // namespace
}  // namespace weft::detail
