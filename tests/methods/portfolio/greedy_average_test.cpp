#include "methods/portfolio/greedy_average.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace weft {

using namespace detail;
namespace {

Matrix constant(double a, double b) {
  Matrix result(2, 1);
  result(0, 0) = a;
  result(1, 0) = b;
  return result;
}

/// Squared distance from (0, 0).
double error(const Matrix& mean) {
  return mean(0, 0) * mean(0, 0) + mean(1, 0) * mean(1, 0);
}

TEST(GreedyAverage, CombinesErrorsThatCancel) {
  const Matrix a = constant(1, 0), b = constant(-1, 0), c = constant(3, 3);
  const std::vector<double> weights = greedy_average({&a, &b, &c}, error, 10);
  EXPECT_EQ(weights, (std::vector<double>{0.5, 0.5, 0}));
}

TEST(GreedyAverage, AddsACandidateAgainWhereThatIsBetter) {
  const Matrix a = constant(1, 0), b = constant(-2, 0);
  const std::vector<double> weights = greedy_average({&a, &b}, error, 10);
  EXPECT_NEAR(weights[0], 2.0 / 3, 1e-15);
  EXPECT_NEAR(weights[1], 1.0 / 3, 1e-15);
}

TEST(GreedyAverage, OneIsTheBest) {
  const Matrix a = constant(1, 0), b = constant(-1, 0.5);
  EXPECT_EQ(greedy_average({&b, &a}, error, 1), (std::vector<double>{0, 1}));
}

TEST(GreedyAverage, NeverChoosesWhatIsNotANumber) {
  const Matrix a = constant(std::numeric_limits<double>::quiet_NaN(), 0), b = constant(1, 1);
  EXPECT_EQ(greedy_average({&a, &b}, error, 5), (std::vector<double>{0, 1}));
}

}  // namespace
}  // namespace weft
