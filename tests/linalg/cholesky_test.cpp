#include "linalg/cholesky.hpp"

#include "dense_algebra.hpp"
#include "linalg/dense.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace weft {

using namespace detail;
namespace {

using namespace test;

Dense positive_definite(Index n, std::uint64_t seed) {
  const Dense a = dense(random_matrix(n, n + 10, seed));
  return a * a.transpose() / static_cast<double>(n) + 0.1 * Dense::Identity(n, n);
}

Matrix factor_of(const Dense& a, int threads) {
  Matrix lower = matrix(a);
  EXPECT_TRUE(cholesky_factor(lower, threads));
  return lower;
}

TEST(Cholesky, FactorsAndLeavesTheUpperTriangleAlone) {
  for (const Index n : {1, 5, 192, 193, 500}) {
    const Dense a = positive_definite(n, 1);
    const Matrix factored = factor_of(a, 2);
    const Dense lower = dense(factored).triangularView<Eigen::Lower>();
    EXPECT_LT(largest_difference(lower * lower.transpose(), a), 1e-13 * a.norm()) << n;
    const Dense above = (dense(factored) - a).triangularView<Eigen::StrictlyUpper>();
    EXPECT_EQ(above.norm(), 0) << n;
  }
}

TEST(Cholesky, HasTheSameBitsForEveryThreadCount) {
  const Dense a = positive_definite(700, 2);
  const Matrix one = factor_of(a, 1);
  Matrix solved_by_one = random_matrix(700, 150, 3);
  const Matrix rhs = solved_by_one;
  solve_cholesky(one, solved_by_one, 1);
  for (const int threads : {2, 3}) {
    EXPECT_TRUE(same_bits(factor_of(a, threads), one));
    Matrix solved = rhs;
    solve_cholesky(one, solved, threads);
    EXPECT_TRUE(same_bits(solved, solved_by_one));
    EXPECT_EQ(inverse_diagonal(one, threads), inverse_diagonal(one, 1));
  }
}

TEST(Cholesky, SolvesForOneAndManyRightHandSides) {
  const Dense a = positive_definite(300, 4);
  const Matrix lower = factor_of(a, 2);
  for (const Index k : {1, 2, 65, 200}) {
    const Matrix rhs = random_matrix(300, k, 5);
    Matrix solution = rhs;
    solve_cholesky(lower, solution, 2);
    EXPECT_LT(largest_difference(a * dense(solution), dense(rhs)), 1e-11) << k;
    Matrix half = rhs;
    solve_lower(lower, half, 2);
    const Dense l = dense(lower).triangularView<Eigen::Lower>();
    EXPECT_LT(largest_difference(l * dense(half), dense(rhs)), 1e-11) << k;
  }
}

TEST(Cholesky, SaysWhenTheMatrixIsNotPositiveDefinite) {
  for (const Index at : {0, 150, 399}) {
    Matrix indefinite = matrix(positive_definite(400, 6));
    indefinite(at, at) = -1;
    EXPECT_FALSE(cholesky_factor(indefinite, 2)) << at;
    Matrix broken = matrix(positive_definite(400, 6));
    broken(at, at) = std::nan("");
    EXPECT_FALSE(cholesky_factor(broken, 2)) << at;
  }
}

TEST(Cholesky, EstimatesTheConditionOfKnownMatrices) {
  // A = V diag(s) Vᵀ with a known spectrum; 1-norm and 2-norm conditions differ by at most a factor n.
  const Index n = 60;
  const Dense v = testing::orthonormal(dense(random_matrix(n, n, 7)));
  for (const double condition : {1e1, 1e5, 1e10}) {
    Eigen::VectorXd spectrum(n);
    for (Index i = 0; i < n; ++i)
      spectrum(i) = std::pow(condition, -static_cast<double>(i) / static_cast<double>(n - 1));
    const Dense a = v * spectrum.asDiagonal() * v.transpose();
    const Dense inverse = v * spectrum.cwiseInverse().asDiagonal() * v.transpose();
    const auto one_norm = [](const Dense& m) { return m.cwiseAbs().colwise().sum().maxCoeff(); };
    EXPECT_NEAR(symmetric_one_norm(matrix(a)), one_norm(a), 1e-12 * one_norm(a));
    const double rcond = reciprocal_condition(factor_of(a, 1), symmetric_one_norm(matrix(a)));
    const double exact = 1 / (one_norm(a) * one_norm(inverse));
    EXPECT_GE(rcond, 0.999 * exact) << "an estimate never exceeds the condition number";
    EXPECT_LE(rcond, 3 * exact);
    const double two_norm = spectrum(n - 1) / spectrum(0);
    EXPECT_LE(rcond, two_norm * static_cast<double>(n));
    EXPECT_GE(rcond, two_norm / static_cast<double>(n));
  }
}

TEST(Cholesky, GivesTheDiagonalOfTheInverse) {
  const Dense a = positive_definite(200, 8);
  const auto diagonal = inverse_diagonal(factor_of(a, 2), 2);
  const Dense inverse = testing::inverse(a);
  for (Index i = 0; i < 200; ++i) EXPECT_NEAR(diagonal[i], inverse(i, i), 1e-11);
}

TEST(Cholesky, MultipliesByASymmetricMatrix) {
  const Dense a = positive_definite(90, 9);
  Matrix lower = matrix(a);
  for (Index i = 0; i < 90; ++i)
    for (Index j = i + 1; j < 90; ++j) lower(i, j) = std::nan("");  // must not be read
  for (const Index k : {1, 70}) {
    const Matrix x = random_matrix(90, k, 10);
    Matrix out(90, k);
    add_symmetric_product(-2, lower, x, out, 2);
    EXPECT_LT(largest_difference(dense(out), -2 * a * dense(x)), 1e-12 * a.norm());
  }
}

}  // namespace
}  // namespace weft
