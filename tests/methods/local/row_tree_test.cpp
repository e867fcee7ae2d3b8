#include "methods/local/row_tree.hpp"

#include "methods/local_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace weft {

using namespace detail;
using namespace testing_local;
namespace {

Matrix uniform_inputs(Index inputs, Index count) {
  return function_rows(
             inputs, count, [](const double*) { return 0.0; }, 0, 5)
      .x;
}

void expect_partition(const RowTree& tree, Index rows, Index leaf) {
  std::set<Index> seen;
  for (const std::vector<Index>& part : tree.leaves) {
    EXPECT_LE(static_cast<Index>(part.size()), leaf);
    EXPECT_FALSE(part.empty());
    for (const Index i : part) EXPECT_TRUE(seen.insert(i).second) << i;
  }
  EXPECT_EQ(static_cast<Index>(seen.size()), rows);
}

TEST(RowTree, EveryRowIsInOneLeafAndIsRoutedThere) {
  const Matrix z = uniform_inputs(4, 1000);
  for (const Index variant : {0, 1, 2}) {
    const RowTree tree = grow_tree(z, 100, {.variant = variant});
    expect_partition(tree, 1000, 100);
    EXPECT_EQ(tree.route(z), tree.leaves);
    EXPECT_EQ(tree.splits.size() + 1, tree.leaves.size());
  }
}

TEST(RowTree, SplitsTheInputThatVariesMostAtItsMedian) {
  Matrix z = uniform_inputs(3, 401);
  for (Index i = 0; i < z.cols(); ++i) z(1, i) *= 10;
  const RowTree tree = grow_tree(z, 300, {});
  ASSERT_EQ(tree.splits.size(), 1u);
  EXPECT_EQ(tree.splits[0].input, 1);
  EXPECT_EQ(tree.leaves[0].size(), 201u);
}

TEST(RowTree, LeavesAreNearlyFull) {
  const Matrix z = uniform_inputs(4, 1300);
  const RowTree tree = grow_tree(z, 250, {});  // medians would give eight leaves of 163
  EXPECT_EQ(tree.leaves.size(), 6u);
  for (const std::vector<Index>& leaf : tree.leaves) EXPECT_NEAR(static_cast<double>(leaf.size()), 1300.0 / 6, 3);
}

TEST(RowTree, LeavesMayHaveRowsOfTheirNeighbours) {
  const Matrix z = uniform_inputs(2, 1000);
  const RowTree tree = grow_tree(z, 600, {.overlap = 0.2});  // 500 of its own
  ASSERT_EQ(tree.leaves.size(), 2u);
  EXPECT_NEAR(static_cast<double>(tree.leaves[0].size()), 600, 2);
  EXPECT_NEAR(static_cast<double>(tree.leaves[1].size()), 600, 2);
  const Split& split = tree.splits.front();
  const std::vector<std::vector<Index>> own = tree.route(z);
  for (const std::size_t k : {0u, 1u}) {
    EXPECT_TRUE(std::includes(tree.leaves[k].begin(), tree.leaves[k].end(), own[k].begin(), own[k].end()));
    double farthest = 0, nearest = 10;  // of the neighbour's rows that it has, and of those that it has not
    for (const Index i : own[1 - k]) {
      const double distance = std::abs(z(split.input, i) - split.threshold);
      const bool has = std::binary_search(tree.leaves[k].begin(), tree.leaves[k].end(), i);
      (has ? farthest : nearest) = has ? std::max(farthest, distance) : std::min(nearest, distance);
    }
    EXPECT_LT(farthest, nearest);
  }
}

TEST(RowTree, AnOverlapKeepsTheSizeOfLeavesHoweverDeepTheTreeIs) {
  const Matrix z = uniform_inputs(4, 6000);
  for (const Index leaf : {100, 400, 1600})
    for (const double overlap : {0.5, 1.0}) {
      const RowTree tree = grow_tree(z, leaf, {.overlap = overlap});
      double rows = 0;
      for (const std::vector<Index>& each : tree.leaves) rows += static_cast<double>(each.size());
      EXPECT_GT(rows, 6000 * (1 + 0.6 * overlap)) << leaf;
      EXPECT_LT(rows, 6000 * (1 + 1.1 * overlap)) << leaf;
      EXPECT_LT(rows / static_cast<double>(tree.leaves.size()), 1.1 * static_cast<double>(leaf));
    }
}

TEST(RowTree, VariantsHaveOtherBorders) {
  const Matrix z = uniform_inputs(3, 500);
  const RowTree a = grow_tree(z, 100, {}), b = grow_tree(z, 100, {.variant = 1});
  EXPECT_NE(a.leaves, b.leaves);
  EXPECT_EQ(grow_tree(z, 100, {.variant = 1}).leaves, b.leaves);
}

TEST(RowTree, TiesAreNeverTornApart) {
  Matrix z(1, 90);  // sixty rows of the largest value
  for (Index i = 0; i < 90; ++i) z(0, i) = i < 30 ? static_cast<double>(i % 3) : 7;
  const RowTree tree = grow_tree(z, 40, {});
  std::size_t equal = 0;
  for (const std::vector<Index>& leaf : tree.leaves) {
    std::set<double> values;
    for (const Index i : leaf) values.insert(z(0, i));
    if (values == std::set<double>{7}) equal += leaf.size();
  }
  EXPECT_EQ(equal, 60u);  // one leaf above the limit: its rows cannot be told apart
}

TEST(RowTree, RowsThatAgreeStayTogether) {
  const RowTree tree = grow_tree(Matrix(2, 50), 10, {});
  EXPECT_TRUE(tree.splits.empty());
  ASSERT_EQ(tree.leaves.size(), 1u);
  EXPECT_EQ(tree.leaves[0].size(), 50u);
}

}  // namespace
}  // namespace weft
