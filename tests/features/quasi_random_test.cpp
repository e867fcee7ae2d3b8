#include "features/quasi_random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace weft {

using namespace detail;
namespace {

TEST(QuasiRandom, HaltonStartsAsPublished) {
  const Matrix points = halton_points(5, {0, 0, 0});
  const double expected[5][3] = {{1.0 / 2, 1.0 / 3, 1.0 / 5},
                                 {1.0 / 4, 2.0 / 3, 2.0 / 5},
                                 {3.0 / 4, 1.0 / 9, 3.0 / 5},
                                 {1.0 / 8, 4.0 / 9, 4.0 / 5},
                                 {5.0 / 8, 7.0 / 9, 1.0 / 25}};
  for (Index t = 0; t < 5; ++t)
    for (Index j = 0; j < 3; ++j) EXPECT_NEAR(points(t, j), expected[t][j], 1e-15) << t << " " << j;
  EXPECT_NEAR(halton_points(1, {0.75})(0, 0), 0.25, 1e-15);  // shifts wrap around
}

TEST(QuasiRandom, SobolStartsAsPublished) {
  const Matrix points = sobol_points(5, {0, 0});
  const double expected[5][2] = {{0.5, 0.5}, {0.75, 0.25}, {0.25, 0.75}, {0.375, 0.375}, {0.875, 0.875}};
  for (Index t = 0; t < 5; ++t)
    for (Index j = 0; j < 2; ++j) EXPECT_EQ(points(t, j), expected[t][j]) << t << " " << j;
  EXPECT_EQ(sobol_points(1, {std::uint64_t{1} << 62})(0, 0), 0.75);  // shifts are digital
}

TEST(QuasiRandom, FillsTheCubeMoreEvenlyThanItsPointsAreMany) {
  // Every one of 8 × 8 equal cells holds its share of 1024 points, give or take a few; a random one misses by tens.
  for (const Sampling sequence : {Sampling::halton, Sampling::sobol})
    for (const std::uint64_t seed : {1, 2, 3}) {
      const Matrix points = quasi_random_points(sequence, 1024, 2, seed);
      std::vector<int> counts(64);
      for (Index t = 0; t < 1024; ++t) {
        ASSERT_TRUE(points(t, 0) > 0 && points(t, 0) < 1 && points(t, 1) > 0 && points(t, 1) < 1);
        ++counts[static_cast<std::size_t>(8 * static_cast<int>(8 * points(t, 0)) + static_cast<int>(8 * points(t, 1)))];
      }
      for (const int count : counts) EXPECT_NEAR(count, 16, 4) << name_of(sequence);
    }
}

// Bases of the 60th to 100th coordinate are 281 to 541: of 300 points unscrambled ones are nearly lines.
TEST(QuasiRandom, ManyCoordinatesAreUncorrelated) {
  constexpr Index kPoints = 300;
  const auto largest_correlation = [&](const Matrix& points) {
    double largest = 0;
    for (Index a = 60; a < 100; ++a)
      for (Index b = a + 1; b < 100; ++b) {
        double ab = 0, aa = 0, bb = 0, sum_a = 0, sum_b = 0;
        for (Index t = 0; t < kPoints; ++t) {
          sum_a += points(t, a) / kPoints;
          sum_b += points(t, b) / kPoints;
        }
        for (Index t = 0; t < kPoints; ++t) {
          ab += (points(t, a) - sum_a) * (points(t, b) - sum_b);
          aa += (points(t, a) - sum_a) * (points(t, a) - sum_a);
          bb += (points(t, b) - sum_b) * (points(t, b) - sum_b);
        }
        largest = std::max(largest, std::abs(ab) / std::sqrt(aa * bb));
      }
    return largest;
  };
  EXPECT_GT(largest_correlation(halton_points(kPoints, std::vector<double>(100, 0.0))), 0.9);
  EXPECT_LT(largest_correlation(quasi_random_points(Sampling::halton, kPoints, 100, 1)),
            0.35);  // six standard deviations
  EXPECT_LT(largest_correlation(quasi_random_points(Sampling::sobol, kPoints, 100, 1)), 0.35);
}

}  // namespace
}  // namespace weft
