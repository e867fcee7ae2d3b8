#include "methods/local/grid_descent.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace weft {

using namespace detail;
namespace {

TEST(GridDescent, FindsTheMinimumOfABowlFromAnywhere) {
  const auto bowl = [](GridPoint p) {
    return std::pow(static_cast<double>(p.first - 5), 2) + std::pow(static_cast<double>(p.second - 1), 2);
  };
  for (const GridPoint start : {GridPoint{0, 0}, {7, 6}, {5, 1}, {0, 6}})
    EXPECT_EQ(descend(start, 8, 7, bowl), (GridPoint{5, 1}));
}

TEST(GridDescent, FollowsAValleyAcrossTheGrid) {
  const auto valley = [](GridPoint p) {
    return 10 * std::abs(static_cast<double>(p.first + p.second - 7)) - static_cast<double>(p.first);
  };
  EXPECT_EQ(descend({1, 6}, 8, 8, valley), (GridPoint{7, 0}));
}

TEST(GridDescent, AsksForNoPointTwiceAndForNoneOutside) {
  std::set<GridPoint> asked;
  descend({1, 1}, 3, 3, [&](GridPoint p) {
    EXPECT_TRUE(p.first >= 0 && p.first < 3 && p.second >= 0 && p.second < 3);
    EXPECT_TRUE(asked.insert(p).second);
    return static_cast<double>(p.first + p.second);
  });
  EXPECT_LE(asked.size(), 9u);
}

TEST(GridDescent, LeavesPointsThatAreNotNumbers) {
  const GridPoint found = descend({0, 0}, 1, 4, [](GridPoint p) {
    return p.second == 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(p.second);
  });
  EXPECT_EQ(found, (GridPoint{0, 1}));
}

}  // namespace
}  // namespace weft
