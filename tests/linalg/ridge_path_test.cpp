#include "linalg/ridge_path.hpp"

#include "dense_algebra.hpp"
#include "linalg/dense.hpp"
#include "linalg/ridge_case.hpp"

#include <weft/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace weft {

using namespace detail;
namespace {

using namespace test;

TEST(RidgePath, BothWaysAgreeWithTheSingleSolveTallAndWide) {
  for (const auto& [features, rows] : {std::pair<Index, Index>{60, 500}, {150, 70}}) {
    const RidgeCase c = make_case(features, rows, 2, 11);
    const Matrix dense_regulariser = matrix(some_regulariser(features));
    const auto lambdas = some_lambdas(6);
    for (const View<const double> regulariser : {View<const double>(), dense_regulariser.view()}) {
      const auto gram = c.sums.gram_lower();
      const RidgePath a = ridge_path_cholesky(gram, regulariser, lambdas, 1e-3, c.sums.cross(), 2);
      const RidgePath b = ridge_path_tridiagonal(gram, regulariser, lambdas, 1e-3, c.sums.cross(), 2);
      for (std::size_t i = 0; i < lambdas.size(); ++i) {
        const RidgeSolution one = solve_regularised(gram, regulariser, lambdas[i], 1e-3, c.sums.cross(), 2);
        EXPECT_TRUE(same_bits(a.coefficients[i], one.coefficients));
        EXPECT_LT(largest_difference(dense(b.coefficients[i]), dense(one.coefficients)), 1e-9);
        EXPECT_LT(b.reports[i].relative_residual, 1e-9);
        EXPECT_GT(b.reports[i].reciprocal_condition, 0);
      }
    }
  }
}

TEST(RidgePath, ChoosesByTheNumberOfLambdasAndTheRegulariser) {
  const RidgeCase c = make_case(40, 200, 1, 13);
  const Matrix good = matrix(some_regulariser(40));
  const Matrix singular = matrix(Dense::Ones(40, 40));
  const auto many = some_lambdas(30);
  const auto few = some_lambdas(3);
  const auto gram = c.sums.gram_lower();
  EXPECT_TRUE(ridge_path(gram, {}, many, 0, c.sums.cross(), 1).tridiagonal);
  EXPECT_TRUE(ridge_path(gram, good, many, 0, c.sums.cross(), 1).tridiagonal);
  EXPECT_FALSE(ridge_path(gram, good, few, 0, c.sums.cross(), 1).tridiagonal);
  const RidgePath path = ridge_path(gram, singular, many, 0, c.sums.cross(), 2);
  EXPECT_FALSE(path.tridiagonal);
  for (std::size_t i = 0; i < many.size(); ++i) {
    const Dense expected =
        testing::solve_symmetric(dense(c.sums.gram()) + many[i] * Dense::Ones(40, 40), dense(c.sums.cross()));
    EXPECT_LT(largest_difference(dense(path.coefficients[i]), expected), 1e-10);
  }
  EXPECT_THROW(ridge_path_tridiagonal(gram, singular, many, 0, c.sums.cross(), 1), Error);
}

TEST(RidgePath, SolvesIllConditionedLambdasOnTheirOwn) {
  // Wide, so gram alone is singular: λ = 1e-14 is beyond the tridiagonal form.
  const RidgeCase c = make_case(120, 30, 1, 15);
  std::vector<double> lambdas = some_lambdas(10);
  lambdas.push_back(1e-14);
  const RidgePath path = ridge_path(c.sums.gram_lower(), {}, lambdas, 0, c.sums.cross(), 2);
  const RidgeSolution one = solve_regularised(c.sums.gram_lower(), {}, 1e-14, 0, c.sums.cross(), 1);
  EXPECT_TRUE(path.tridiagonal);
  EXPECT_TRUE(same_bits(path.coefficients.back(), one.coefficients));
}

TEST(RidgePath, HasTheSameBitsForEveryThreadCount) {
  const RidgeCase c = make_case(200, 400, 3, 17);
  const Matrix regulariser = matrix(some_regulariser(200));
  const auto lambdas = some_lambdas(20);
  const RidgePath one = ridge_path(c.sums.gram_lower(), regulariser, lambdas, 1e-10, c.sums.cross(), 1);
  for (const int threads : {2, 3}) {
    const RidgePath more = ridge_path(c.sums.gram_lower(), regulariser, lambdas, 1e-10, c.sums.cross(), threads);
    for (std::size_t i = 0; i < lambdas.size(); ++i) EXPECT_TRUE(same_bits(one.coefficients[i], more.coefficients[i]));
  }
}

}  // namespace
}  // namespace weft
