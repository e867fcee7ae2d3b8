#include <weft/encoder.hpp>

#include "data/expect_error.hpp"
#include "data/memory_table.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

using namespace testing;
using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

TEST(RowsWithTarget, OthersAreLeftOutAndCounted) {
  Texts lines;
  weft::Run run;
  run.on_warning = [&](const std::string& text) { lines.push_back(text); };
  const std::vector<TableColumn> table = {{"x", Numbers{1, 2, 3, 4, 5}}, {"y", Texts{"a", "", "b", "", "a"}}};
  for (const Index chunk : {1, 2, 100}) {
    lines.clear();
    const Data data = rows_with_target(memory_table(table, "y", "", chunk), {}, run);
    Numbers seen;
    const auto reader = data.open();
    for (RawBlock block; reader->next(block, 3);)
      for (Index i = 0; i < block.rows(); ++i) {
        EXPECT_EQ(block.first_row + i, static_cast<Index>(seen.size()));
        seen.push_back(block.columns(0, i));
        EXPECT_EQ(reader->place(i, 0), "table:" + std::to_string(static_cast<int>(seen.back()) - 1) + ":0");
      }
    EXPECT_EQ(seen, (Numbers{1, 3, 5}));
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_NE(lines[0].find("target 'y' are left out: 2 of 5"), std::string::npos) << lines[0];
    EXPECT_EQ(Encoder::fit(data, {}).rows_seen(), 3);
  }
}

TEST(RowsWithTarget, TheTargetMayBeThatOfTheModel) {
  const std::vector<TableColumn> table = {{"x", Numbers{1, 2}}, {"y", Numbers{kMissing, 1}}};
  RawBlock block;
  ASSERT_TRUE(rows_with_target(memory_table(table), {"y"}).open()->next(block, 10));
  EXPECT_EQ(block.rows(), 1);
  const auto without = rows_with_target(memory_table(table), {"z"}).open();
  ASSERT_TRUE(without->next(block, 10));
  EXPECT_EQ(block.rows(), 2);
}

TEST(RowsWithTarget, NoneIsAnError) {
  const Data data = memory_table({{"x", Numbers{1, 2}}, {"y", Numbers{kMissing, kMissing}}}, "y");
  expect_error([&] { Encoder::fit(rows_with_target(data, {}), {}); }, ErrorKind::data, {"no row", "'y'", "target"});
}

}  // namespace
}  // namespace weft
