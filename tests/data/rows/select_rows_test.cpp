#include <weft/encoder.hpp>

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(SelectRows, DeliversTheKeptRowsInOrderWhateverTheBlocks) {
  const Data all = generate("friedman1", {.rows = 100, .seed = 3});
  const Data odd = select_rows(all, [](Index row) { return row % 2 == 1 && row != 51; });
  for (const Index block_rows : {1, 7, 4096}) {
    const auto reader = odd.open();
    const auto whole = all.open();
    RawBlock expected;
    ASSERT_TRUE(whole->next(expected, 4096));
    std::vector<Index> rows;
    for (Index row = 1; row < 100; row += 2)
      if (row != 51) rows.push_back(row);
    std::size_t seen = 0;
    for (RawBlock block; reader->next(block, block_rows);) {
      EXPECT_EQ(block.first_row, static_cast<Index>(seen));
      for (Index i = 0; i < block.rows(); ++i, ++seen)
        for (Index j = 0; j < 11; ++j) EXPECT_EQ(block.columns(j, i), expected.columns(j, rows[seen]));
    }
    EXPECT_EQ(seen, rows.size());
  }
}

TEST(SelectRows, NothingKeptIsAnEmptyTable) {
  RawBlock block;
  EXPECT_FALSE(select_rows(generate("moons"), [](Index) { return false; }).open()->next(block, 10));
}

// The blocks after the last row that is kept must not come out as rows of the selection.
TEST(SelectRows, RowsOfTheFirstBlocksAloneAreEncodedOnce) {
  const Data some = select_rows(generate("friedman1", {.rows = 10000}), [](Index row) { return row < 100; });
  const auto reader = Encoder::fit(some, {}).open(some, true);
  Index rows = 0;
  for (Block block; reader->next(block, 2048);) rows += block.rows();
  EXPECT_EQ(rows, 100);
  const auto raw = some.open();
  RawBlock block;
  while (raw->next(block, 2048)) continue;
  EXPECT_EQ(block.rows(), 0);
}

}  // namespace
}  // namespace weft
