#include "core/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace weft {

using namespace detail;
namespace {

TEST(Random, IsAPureFunctionOfSeedStreamAndPosition) {
  const Random a(7, RandomStream::centres);
  const Random b(7, RandomStream::centres);
  EXPECT_EQ(a.normal(123456789012, 5), b.normal(123456789012, 5));
  EXPECT_NE(a.normal(3, 5), Random(8, RandomStream::centres).normal(3, 5));
  EXPECT_NE(a.normal(3, 5), Random(7, RandomStream::phases).normal(3, 5));
  EXPECT_NE(a.normal(3, 5), a.normal(5, 3));
}

TEST(Random, NormalHasTheMomentsOfANormal) {
  const Random random(1, RandomStream::centres);
  const int count = 200000;
  double moments[4] = {0, 0, 0, 0};
  double neighbours = 0;
  for (int i = 0; i < count; ++i) {
    const double z = random.normal(static_cast<std::uint64_t>(i / 8), static_cast<std::uint32_t>(i % 8));
    double power = z;
    for (double& moment : moments) {
      moment += power / count;
      power *= z;
    }
    if (i % 2 == 0)
      neighbours +=
          z * random.normal(static_cast<std::uint64_t>(i / 8), static_cast<std::uint32_t>(i % 8 + 1)) * 2 / count;
  }
  // Five standard errors of each.
  EXPECT_NEAR(moments[0], 0, 5 / std::sqrt(count));
  EXPECT_NEAR(moments[1], 1, 5 * std::sqrt(2.0 / count));
  EXPECT_NEAR(moments[2], 0, 5 * std::sqrt(15.0 / count));
  EXPECT_NEAR(moments[3], 3, 5 * std::sqrt(96.0 / count));
  EXPECT_NEAR(neighbours, 0, 5 * std::sqrt(2.0 / count));
}

TEST(Random, PermutationContainsEveryPositionOnce) {
  const auto order = Random(3, RandomStream::split).permutation(1000);
  const std::set<Index> distinct(order.begin(), order.end());
  EXPECT_EQ(distinct.size(), 1000u);
  EXPECT_EQ(*distinct.begin(), 0);
  EXPECT_EQ(*distinct.rbegin(), 999);
  EXPECT_NE(order, Random(4, RandomStream::split).permutation(1000));
}

TEST(Random, BelowIsUniform) {
  const Random random(5, RandomStream::subsets);
  int counts[7] = {};
  for (std::uint64_t i = 0; i < 70000; ++i) ++counts[random.below(7, i)];
  for (const int count : counts) EXPECT_NEAR(count, 10000, 500);
}

}  // namespace
}  // namespace weft
