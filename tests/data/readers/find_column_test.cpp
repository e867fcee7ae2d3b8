#include "data/readers/find_column.hpp"

#include "data/readers/table_reader.hpp"

#include "data/table_testing.hpp"

#include <algorithm>

namespace weft {

using namespace detail;
namespace {

using testing::contains;
using testing::error_of;

const std::vector<Column> kColumns = {{"age"}, {"1"}, {"income"}, {"a,b"}};

TEST(FindColumn, NamesGoBeforePositions) {
  EXPECT_EQ(find_column(kColumns, "income", "target", "t.csv"), 2);
  EXPECT_EQ(find_column(kColumns, "1", "target", "t.csv"), 1);
  EXPECT_EQ(find_column(kColumns, "0", "target", "t.csv"), 0);
  EXPECT_EQ(find_column(kColumns, "-1", "target", "t.csv"), 3);
  EXPECT_EQ(find_column(kColumns, "-4", "target", "t.csv"), 0);
  EXPECT_EQ(find_column({{"b"}, {"0"}}, "0", "target", "t.csv"), 1);
}

TEST(FindColumn, AnUnknownNameListsTheColumnsAndTheOption) {
  const Error error = error_of([] { find_column(kColumns, "incme", "target", "t.csv"); });
  EXPECT_EQ(error.kind(), ErrorKind::option);
  EXPECT_EQ(error.place(), "t.csv");
  EXPECT_TRUE(contains(error.message(), "target") && contains(error.message(), "'incme'"));
  EXPECT_TRUE(contains(error.hint(), "age, 1, income")) << error.hint();
}

TEST(FindColumn, OfManyNamesTheNearestTenAreListed) {
  std::vector<Column> columns;
  for (int j = 0; j < 100; ++j) columns.push_back({"column" + std::to_string(j)});
  columns.push_back({"Temperature"});
  const std::string hint = error_of([&] { find_column(columns, "temprature", "drop", "t.csv"); }).hint();
  EXPECT_TRUE(contains(hint, "are Temperature, ")) << hint;
  EXPECT_EQ(std::count(hint.begin(), hint.end(), ','), 9);
}

TEST(FindColumn, PositionsOutOfRangeSayTheRange) {
  for (const char* position : {"4", "-5", "99999999999999999999"}) {
    const Error error = error_of([&] { find_column(kColumns, position, "target", "t.csv"); });
    EXPECT_TRUE(contains(error.hint(), "from 0 to 3")) << error.what();
  }
  EXPECT_EQ(error_of([] { find_column(kColumns, "", "target", "t.csv"); }).kind(), ErrorKind::option);
}

TEST(FindColumn, ListsAreSplitAtCommasUnlessTheyAreAName) {
  EXPECT_EQ(find_columns(kColumns, "income, 0", "drop", ""), (std::vector<Index>{2, 0}));
  EXPECT_EQ(find_columns(kColumns, "a,b", "drop", ""), (std::vector<Index>{3}));
  EXPECT_TRUE(find_columns(kColumns, " ", "drop", "").empty());
}

TEST(ColumnNames, FindWhatASearchFinds) {
  const std::vector<Column> columns = {{"a", false}, {"1", false}, {"b", true}, {"a", true}, {"x,y", false}};
  const ColumnNames names(columns);
  for (const char* text : {"a", "1", "b", "x,y", "0", "2", "-1", "-5", "5", "-6", "c", ""})
    EXPECT_EQ(names.look_up(text), look_up_column(columns, text)) << text;
  EXPECT_EQ(names.find("0"), std::nullopt);
  EXPECT_EQ(names.get("b", "target", "t.csv"), 2);
  EXPECT_THROW(names.get("c", "target", "t.csv"), Error);
}

}  // namespace
}  // namespace weft
