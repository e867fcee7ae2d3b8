#include <weft/data.hpp>

#include "data/table_testing.hpp"

namespace weft {
namespace {

using testing::expect_rows;
using testing::read_all;

TEST(RowRange, RangesOfATableMakeUpTheTable) {
  const testing::TemporaryFolder folder;
  std::string text = "a,b\n";
  for (int i = 0; i < 9000; ++i) text += std::to_string(i) + ",t" + std::to_string(i % 7) + "\n";
  for (const Data& data : {read(folder.write("t.csv", text)), generate("friedman1", {.rows = 9000})}) {
    const testing::Table whole = read_all(data);
    testing::Rows rows;
    for (const Index begin : {0, 1, 2500, 8999, 9000}) {
      const Index end = begin == 0 ? 1 : begin == 1 ? 2500 : begin == 2500 ? 8999 : begin == 8999 ? 9000 : 10000;
      const testing::Table part = read_all(data.rows(begin, end), 1000);
      rows.insert(rows.end(), part.rows.begin(), part.rows.end());
    }
    expect_rows(rows, whole.rows);
  }
}

TEST(RowRange, ArraysAreSkippedAndPlacesCountTheWholeTable) {
  std::vector<double> cells;
  for (int i = 0; i < 40; ++i) cells.push_back(i);
  const Data data = array({cells.data(), 20, 2});
  const Data part = data.rows(5, 8);
  expect_rows(read_all(part).rows, {{10, 11}, {12, 13}, {14, 15}});
  expect_rows(read_all(part.rows(1, 2)).rows, {{12, 13}});
  const auto reader = part.open();
  RawBlock block;
  ASSERT_TRUE(reader->next(block, 10));
  EXPECT_EQ(block.first_row, 0);
  EXPECT_EQ(reader->place(1, 0), "array:7:1");
  EXPECT_FALSE(data.rows(20, 30).open()->next(block, 10));
}

}  // namespace
}  // namespace weft
