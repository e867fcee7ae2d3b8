#include "linalg/ridge.hpp"

#include "dense_algebra.hpp"
#include "linalg/dense.hpp"
#include "linalg/ridge_case.hpp"

#include <weft/error.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace weft {

using namespace detail;
namespace {

using namespace test;

TEST(Ridge, AgreesWithTheDenseSolveTallAndWide) {
  for (const auto& [features, rows] : {std::pair<Index, Index>{60, 500}, {250, 80}}) {
    const RidgeCase c = make_case(features, rows, 3, 1);
    const Dense r = some_regulariser(features);
    const Matrix regulariser = matrix(r);
    const Dense gram = dense(c.sums.gram());
    for (const double lambda : {0.3, 20.0}) {
      const Dense expected = testing::solve_symmetric(gram + lambda * r + 0.01 * Dense::Identity(features, features),
                                                      dense(c.sums.cross()));
      const RidgeSolution found = solve_regularised(c.sums.gram_lower(), regulariser, lambda, 0.01, c.sums.cross(), 2);
      EXPECT_LT(largest_difference(dense(found.coefficients), expected), 1e-10);
      EXPECT_EQ(found.report.jitter, 0);
      EXPECT_LT(found.report.relative_residual, 1e-12);
      const Dense identity_expected =
          testing::solve_symmetric(gram + (lambda + 0.01) * Dense::Identity(features, features), dense(c.sums.cross()));
      const RidgeSolution plain = solve_regularised(c.sums.gram_lower(), {}, lambda, 0.01, c.sums.cross(), 2);
      EXPECT_LT(largest_difference(dense(plain.coefficients), identity_expected), 1e-10);
    }
  }
}

TEST(Ridge, AColumnWhosePenaltyOverflowsGetsTheCoefficientZero) {
  const Index features = 9;
  const RidgeCase c = make_case(features, 400, 2, 3);
  Dense r = some_regulariser(features);
  const Dense gram = dense(c.sums.gram());
  // Column 4 has the penalty λ·1e300·r, the others none of that: without it they are a problem of their own.
  const Index out = 4;
  Dense huge = r;
  huge.row(out) *= 1e150;
  huge.col(out) *= 1e150;
  const double lambda = 1e12;
  Dense normal = gram + lambda * r;
  Dense rhs = dense(c.sums.cross());
  normal.row(out).setZero();
  normal.col(out).setZero();
  normal(out, out) = 1;
  rhs.row(out).setZero();
  const RidgeSolution found = solve_regularised(c.sums.gram_lower(), matrix(huge), lambda, 0, c.sums.cross(), 2);
  const Dense expected = testing::solve_symmetric(normal, rhs);
  EXPECT_LT(largest_difference(dense(found.coefficients), expected), 1e-12 * expected.cwiseAbs().maxCoeff());
}

TEST(Ridge, IsUnmovedByTheScalesOfTheColumns) {
  // Columns from 1e-9 to 1e9: the normal matrix has condition 1e36, its scaled form about 10.
  const Index features = 37;
  RidgeCase c = make_case(features, 400, 1, 3);
  const RidgeSolution plain = solve_regularised(c.sums.gram_lower(), {}, 0, 0, c.sums.cross(), 1);
  Accumulator scaled(features, 1);
  for (Index t = 0; t < features; ++t)
    for (Index i = 0; i < 400; ++i) c.phi(t, i) *= std::pow(10, 0.5 * static_cast<double>(t) - 9);
  scaled.add(c.phi.view(), c.y, nullptr, 1);
  const RidgeSolution found = solve_regularised(scaled.gram_lower(), {}, 0, 0, scaled.cross(), 1);
  EXPECT_GT(found.report.reciprocal_condition, 1e-3);
  for (Index t = 0; t < features; ++t) {
    const double size = std::pow(10, 0.5 * static_cast<double>(t) - 9);
    EXPECT_NEAR(found.coefficients(t, 0) * size, plain.coefficients(t, 0), 1e-11);
  }
}

TEST(Ridge, SolvesASingularSystemWithJitterAndSaysSo) {
  // Every column twice, and one that is zero: rank 40 of 81.
  const Matrix half = random_matrix(40, 300, 5);
  Matrix phi(81, 300);
  for (Index t = 0; t < 80; ++t) std::copy_n(half.row(t % 40), 300, phi.row(t));
  const Matrix y = random_matrix(1, 300, 6);
  Accumulator sums(81, 1);
  sums.add(phi.view(), y, nullptr, 2);
  const RidgeSolution found = solve_regularised(sums.gram_lower(), {}, 0, 0, sums.cross(), 2);
  EXPECT_GT(found.report.jitter, 0);
  EXPECT_LT(found.report.jitter, 1e-10);
  EXPECT_LT(found.report.relative_residual, 1e-9);
  EXPECT_LT(found.report.reciprocal_condition, 1e-10);
  EXPECT_EQ(found.coefficients(80, 0), 0);
  // The fitted values are those of least squares on the 40 distinct columns.
  const Dense p = dense(half).transpose();
  const Dense t = dense(y).transpose();
  const Dense fitted = p * testing::least_squares(p, t);
  EXPECT_LT(largest_difference(dense(phi).transpose() * dense(found.coefficients), fitted), 1e-7);
}

TEST(Ridge, KeepsItsFactorForVariances) {
  const RidgeCase c = make_case(50, 200, 1, 7);
  const Dense a = dense(c.sums.gram()) + 3 * Dense::Identity(50, 50);
  const RidgeSolution found = solve_regularised(c.sums.gram_lower(), {}, 3, 0, c.sums.cross(), 1);
  const Dense inverse = testing::inverse(a);
  const auto diagonal = found.factor.inverse_diagonal(2);
  for (Index t = 0; t < 50; ++t) EXPECT_NEAR(diagonal[t], inverse(t, t), 1e-14);
  const auto forms = found.factor.inverse_forms(c.phi, 2);
  for (Index i = 0; i < 200; ++i) {
    const Eigen::VectorXd row = dense(c.phi).col(i);
    EXPECT_NEAR(forms[i], row.dot(inverse * row), 1e-12);
  }
}

TEST(Ridge, RefusesWhatIsNotAFiniteGram) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Matrix rhs = random_matrix(3, 1, 8);
  for (const double bad : {infinity, -infinity, std::nan("")}) {
    Matrix gram = matrix(Dense::Identity(3, 3));
    gram(2, 1) = bad;
    EXPECT_THROW(solve_regularised(gram, {}, 1, 0, rhs, 1), Error);
    EXPECT_THROW(solve_regularised(matrix(Dense::Identity(3, 3)), gram, 1, 0, rhs, 1), Error);
    Matrix bad_rhs = rhs;
    bad_rhs(1, 0) = bad;
    EXPECT_THROW(solve_regularised(matrix(Dense::Identity(3, 3)), {}, 1, 0, bad_rhs, 1), Error);
    EXPECT_THROW(solve_regularised(matrix(Dense::Identity(3, 3)), {}, bad, 0, rhs, 1), Error);
  }
  Matrix indefinite = matrix(Dense::Identity(3, 3));
  indefinite(2, 1) = 2;
  EXPECT_THROW(solve_regularised(indefinite, {}, 0, 0, rhs, 1), Error);
  EXPECT_NO_THROW(solve_regularised(indefinite, {}, 1.5, 0, rhs, 1));
}

TEST(Ridge, HasTheSameBitsForEveryThreadCount) {
  const RidgeCase c = make_case(450, 900, 2, 9);
  const Matrix regulariser = matrix(some_regulariser(450));
  const auto solve = [&](int threads) {
    return solve_regularised(c.sums.gram_lower(), regulariser, 1e-3, 1e-10, c.sums.cross(), threads).coefficients;
  };
  EXPECT_TRUE(same_bits(solve(1), solve(2)));
  EXPECT_TRUE(same_bits(solve(1), solve(3)));
}

}  // namespace
}  // namespace weft
