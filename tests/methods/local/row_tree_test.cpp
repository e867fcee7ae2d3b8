#include "methods/local/row_tree.hpp"

#include "methods/local_case.hpp"

#include <gtest/gtest.h>

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
    const RowTree tree = grow_tree(z, 100, variant, 1);
    expect_partition(tree, 1000, 100);
    EXPECT_EQ(tree.route(z), tree.leaves);
    EXPECT_EQ(tree.splits.size() + 1, tree.leaves.size());
  }
}

TEST(RowTree, SplitsTheInputThatVariesMostAtItsMedian) {
  Matrix z = uniform_inputs(3, 401);
  for (Index i = 0; i < z.cols(); ++i) z(1, i) *= 10;
  const RowTree tree = grow_tree(z, 300, 0, 1);
  ASSERT_EQ(tree.splits.size(), 1u);
  EXPECT_EQ(tree.splits[0].input, 1);
  EXPECT_EQ(tree.leaves[0].size(), 201u);
}

TEST(RowTree, VariantsHaveOtherBorders) {
  const Matrix z = uniform_inputs(3, 500);
  const RowTree a = grow_tree(z, 100, 0, 1), b = grow_tree(z, 100, 1, 1);
  EXPECT_NE(a.leaves, b.leaves);
  EXPECT_EQ(grow_tree(z, 100, 1, 1).leaves, b.leaves);
}

TEST(RowTree, TiesAreNeverTornApart) {
  Matrix z(1, 90);  // sixty rows of the largest value
  for (Index i = 0; i < 90; ++i) z(0, i) = i < 30 ? static_cast<double>(i % 3) : 7;
  const RowTree tree = grow_tree(z, 40, 0, 1);
  std::size_t equal = 0;
  for (const std::vector<Index>& leaf : tree.leaves) {
    std::set<double> values;
    for (const Index i : leaf) values.insert(z(0, i));
    if (values == std::set<double>{7}) equal += leaf.size();
  }
  EXPECT_EQ(equal, 60u);  // one leaf above the limit: its rows cannot be told apart
}

TEST(RowTree, RowsThatAgreeStayTogether) {
  const RowTree tree = grow_tree(Matrix(2, 50), 10, 0, 1);
  EXPECT_TRUE(tree.splits.empty());
  ASSERT_EQ(tree.leaves.size(), 1u);
  EXPECT_EQ(tree.leaves[0].size(), 50u);
}

}  // namespace
}  // namespace weft
