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
      EXPECT_TRUE(path.tridiagonal);
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

INSTANTIATE_TEST_SUITE_P(Devices, RidgeOnEveryDevice, every_device(), device_name);

}  // namespace
}  // namespace weft
