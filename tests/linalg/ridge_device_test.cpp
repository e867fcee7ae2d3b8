// The equations of ridge and its path where a device solves them, beside a dense solution.
#include "dense_algebra.hpp"
#include "devices.hpp"
#include "linalg/ridge_case.hpp"
#include "linalg/ridge_path.hpp"

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

using namespace test;
using weft::testing::device_name, weft::testing::every_device;

class RidgeOnEveryDevice : public weft::testing::DeviceTest {
 protected:
  Worker worker() const { return {device(), 2}; }
};

TEST_P(RidgeOnEveryDevice, SolvesAndAppliesTheInverse) {
  const RidgeCase c = make_case(90, 400, 3, 21);
  const Matrix regulariser = matrix(some_regulariser(90));
  const RidgeSolution solution =
      solve_regularised(c.sums.gram_lower(), regulariser, 0.3, 1e-3, c.sums.cross(), worker());
  const Dense a = dense(c.sums.gram()) + 0.3 * some_regulariser(90) + 1e-3 * Dense::Identity(90, 90);
  EXPECT_LT(largest_difference(dense(solution.coefficients), weft::testing::solve_symmetric(a, dense(c.sums.cross()))),
            1e-11);
  EXPECT_EQ(solution.report.jitter, 0);
  Matrix right = random_matrix(90, 4, 22);
  const Dense expected = weft::testing::solve_symmetric(a, dense(right));
  const std::vector<double> forms = solution.factor.inverse_forms(right, 2);
  for (Index i = 0; i < 4; ++i)
    EXPECT_NEAR(forms[static_cast<std::size_t>(i)], dense(right).col(i).dot(expected.col(i)), 1e-11);
  solution.factor.solve(right, 2);
  EXPECT_LT(largest_difference(dense(right), expected), 1e-12);
}

// The factor stays where it was made until something asks for its numbers.
TEST_P(RidgeOnEveryDevice, HandsOutWhatItsFactorSays) {
  const Index n = 300;
  const RidgeCase c = make_case(n, 400, 2, 27);
  const Matrix regulariser = matrix(some_regulariser(n));
  const RidgeSolution solution =
      solve_regularised(c.sums.gram_lower(), regulariser, 0.3, 1e-3, c.sums.cross(), worker());
  const RidgeSolution expected = solve_regularised(c.sums.gram_lower(), regulariser, 0.3, 1e-3, c.sums.cross(), 2);
  EXPECT_LT(largest_difference(dense(solution.coefficients), dense(expected.coefficients)), 1e-11);
  EXPECT_LT(solution.report.relative_residual, 1e-13);
  EXPECT_NEAR(solution.report.reciprocal_condition, expected.report.reciprocal_condition,
              1e-9 * expected.report.reciprocal_condition);
  EXPECT_LT(largest_difference(dense(solution.factor.unscaled_lower()), dense(expected.factor.unscaled_lower())), 1e-9);
  const std::vector<double> diagonal = solution.factor.inverse_diagonal(2), same = expected.factor.inverse_diagonal(2);
  for (std::size_t i = 0; i < same.size(); ++i) EXPECT_NEAR(diagonal[i], same[i], 1e-11);
  const std::vector<Index> sizes = {10, 270, 300};
  const std::vector<Matrix> leading = solution.factor.solve_leading(c.sums.cross(), sizes);
  const std::vector<Matrix> same_leading = expected.factor.solve_leading(c.sums.cross(), sizes);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    EXPECT_LT(largest_difference(dense(leading[i]), dense(same_leading[i])), 1e-11);
}

// Equal columns: the factorisation fails until something is added to the diagonal.
TEST_P(RidgeOnEveryDevice, AddsToTheDiagonalWhereTheFactorisationFails) {
  Matrix phi = random_matrix(20, 100, 23);
  for (Index i = 0; i < 100; ++i) phi(7, i) = phi(3, i);
  Accumulator sums(20, 1);
  sums.add(phi.view(), random_matrix(1, 100, 24), nullptr, 1);
  const RidgeSolution solution = solve_regularised(sums.gram_lower(), {}, 0, 0, sums.cross(), worker());
  EXPECT_LT(solution.report.relative_residual, 1e-8);
  EXPECT_GE(solution.report.reciprocal_condition, kLeastReciprocalCondition);
}

TEST_P(RidgeOnEveryDevice, FollowsThePathOfLambdas) {
  for (const auto& [features, rows] : {std::pair<Index, Index>{60, 500}, {150, 70}}) {
    const RidgeCase c = make_case(features, rows, 2, 25);
    const Matrix dense_regulariser = matrix(some_regulariser(features));
    const auto lambdas = some_lambdas(16);
    for (const View<const double> regulariser : {View<const double>(), dense_regulariser.view()}) {
      const RidgePath path = ridge_path(c.sums.gram_lower(), regulariser, lambdas, 1e-3, c.sums.cross(), worker());
      EXPECT_EQ(path.tridiagonal, !device().has_own_memory());
      for (std::size_t i = 0; i < lambdas.size(); ++i) {
        const Dense r = regulariser.data != nullptr ? some_regulariser(features) : Dense::Identity(features, features);
        const Dense a = dense(c.sums.gram()) + lambdas[i] * r + 1e-3 * Dense::Identity(features, features);
        EXPECT_LT(
            largest_difference(dense(path.coefficients[i]), weft::testing::solve_symmetric(a, dense(c.sums.cross()))),
            1e-9)
            << lambdas[i];
      }
    }
  }
}

// A penalty that overflows takes its feature out; a singular one cannot be factorised.
TEST_P(RidgeOnEveryDevice, FollowsThePathWithAnyPenalty) {
  const RidgeCase c = make_case(40, 200, 1, 29);
  const auto lambdas = some_lambdas(30);
  Matrix penalty = matrix(Dense::Ones(40, 40));
  for (Index j = 0; j < 40; ++j) penalty(39, j) = penalty(j, 39) = j == 39 ? 1e308 : 0;
  const RidgePath path = ridge_path(c.sums.gram_lower(), penalty, lambdas, 0, c.sums.cross(), worker());
  EXPECT_FALSE(path.tridiagonal);
  for (std::size_t i = 0; i < lambdas.size(); ++i) {
    const Dense a = dense(c.sums.gram()).topLeftCorner(39, 39) + lambdas[i] * Dense::Ones(39, 39);
    const Dense expected = weft::testing::solve_symmetric(a, dense(c.sums.cross()).topRows(39));
    EXPECT_LT(largest_difference(dense(path.coefficients[i]).topRows(39), expected), 1e-10);
    EXPECT_NEAR(path.coefficients[i](39, 0), 0, 1e-100);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, RidgeOnEveryDevice, every_device(), device_name);

}  // namespace
}  // namespace weft
