#include "data/rows/row_filter.hpp"
#include "data/rows/gather_rows.hpp"
#include "methods/table_rows.hpp"

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

using testing_rows::TableRows;

/// Row i is (i, -i), its target 10i, its weight i + 1.
TableRows counted(bool streamed) {
  TableRows table(Matrix(2, 50), Matrix(1, 50));
  for (Index i = 0; i < 50; ++i) {
    table.x(0, i) = static_cast<double>(i);
    table.x(1, i) = -static_cast<double>(i);
    table.y(0, i) = 10 * static_cast<double>(i);
    table.weights.push_back(static_cast<double>(i + 1));
  }
  table.block_rows = 16;
  table.streamed = streamed;
  return table;
}

void expect_row(const TrainingBlock& block, Index at, Index row) {
  const auto number = static_cast<double>(row);
  EXPECT_EQ(block.x(0, at), number);
  EXPECT_EQ(block.x(1, at), -number);
  EXPECT_EQ(block.y(0, at), 10 * number);
  EXPECT_EQ(block.weights[at], number + 1);
}

TEST(RowFilter, KeepsMarkedRowsAndNumbersThemAnew) {
  for (const bool streamed : {false, true}) {
    const TableRows table = counted(streamed);
    std::vector<bool> keep(50, false);
    std::vector<Index> kept = {0, 3, 15, 32, 49};  // none of the second block
    for (const Index row : kept) keep[static_cast<std::size_t>(row)] = true;
    const auto rows = filter_rows(table, keep);
    EXPECT_EQ(rows->rows(), 5);
    EXPECT_EQ(rows->outputs(), 1);
    EXPECT_EQ(rows->in_memory() == nullptr, streamed);
    Index seen = 0;
    rows->for_each([&](const TrainingBlock& block) {
      EXPECT_EQ(block.first_row, seen);
      for (Index i = 0; i < block.rows(); ++i) expect_row(block, i, kept[static_cast<std::size_t>(seen++)]);
      return true;
    });
    EXPECT_EQ(seen, 5);
  }
}

TEST(RowFilter, SamplesKeepTheOrderOfTheirPositions) {
  const TableRows table = counted(false);
  const std::vector<Index> positions = {40, 2, 2, 17};
  const auto rows = sample_rows(*table.in_memory(), positions);
  for (std::size_t i = 0; i < positions.size(); ++i)
    expect_row(*rows->in_memory(), static_cast<Index>(i), positions[i]);
}

TEST(GatherRows, TakesRowsFromEveryBlock) {
  const TableRows table = counted(true);
  const std::vector<Index> positions = {0, 15, 16, 48};
  const GatheredRows gathered = gather_rows(table, positions);
  ASSERT_EQ(gathered.block().rows(), 4);
  for (std::size_t i = 0; i < positions.size(); ++i) expect_row(gathered.block(), static_cast<Index>(i), positions[i]);
  EXPECT_EQ(gather_rows(table, {}).x.rows(), 2);
  EXPECT_EQ(gather_rows(table, {}).x.cols(), 0);
}

}  // namespace
}  // namespace weft
