#include "data/readers/csv_reader.hpp"

#include "data/table_testing.hpp"

namespace weft {

using namespace detail;
namespace {

using testing::contains;
using testing::error_of;
using testing::read_all;

Error parse_error(const std::string& text, const ReadOptions& options = {}, std::size_t chunk = kChunkSize) {
  return error_of([&] { read_all(*read_csv(memory_bytes(text), "t.csv", options, false, chunk)); });
}

void expect_error(const std::string& text, const std::string& place, const std::string& message,
                  const std::string& hint, const ReadOptions& options = {}) {
  for (const std::size_t chunk : {std::size_t{3}, kChunkSize}) {
    const Error error = parse_error(text, options, chunk);
    EXPECT_EQ(error.kind(), ErrorKind::data) << error.what();
    EXPECT_EQ(error.place(), place) << error.what();
    EXPECT_TRUE(contains(error.message(), message)) << error.what();
    EXPECT_TRUE(contains(error.hint(), hint)) << error.what();
  }
}

std::string long_numbers(int rows) {
  std::string text = "age,height\n";
  for (int i = 0; i < rows; ++i) text += "1,2\n";
  return text;
}

TEST(CsvErrors, TextLateInANumericColumn) {
  expect_error(long_numbers(1500) + "3,abc\n", "t.csv:1502:2", "'abc' in column 'height' is not a number",
               "‹categorical› height");
  expect_error(long_numbers(1500) + "3,\"abc\"\n", "t.csv:1502:2", "'abc'", "‹categorical› height");
  expect_error(long_numbers(1500) + "3 4,2\n", "t.csv:1502:1", "'3 4' in column 'age'", "fix the cell");
  expect_error(long_numbers(1500) + "0x10,2\n", "t.csv:1502:1", "'0x10'", "");
  expect_error(long_numbers(1500) + "+-1,2\n", "t.csv:1502:1", "'+-1'", "");
  expect_error(long_numbers(1500) + "1,2\n,+\n", "t.csv:1503:2", "'+'", "");
}

TEST(CsvErrors, TextAmongNumbers) {
  std::string text = "a,b\n";
  for (int i = 0; i < 400; ++i) text += i % 20 == 3 ? "oops,1\n" : "2,1\n";
  const Error error = parse_error(text);
  EXPECT_EQ(error.place(), "t.csv:5:1");
  EXPECT_EQ(error.message(), "column 'a': 380 of 400 cells are numbers, 'oops' (line 5) is not");
  for (const char* remedy : {"fix the cell", "‹na_values› 'oops'", "‹categorical› a"})
    EXPECT_TRUE(contains(error.hint(), remedy)) << error.hint();
  expect_error(text + long_numbers(1000).substr(11), "t.csv:5:1", "980 of the first 1000 cells", "fix");
  for (const ReadOptions& options :
       {ReadOptions{.drop = "a"}, ReadOptions{.na_values = "oops"}, ReadOptions{.categorical = "a"}})
    EXPECT_EQ(read_all(*read_csv(memory_bytes(text), "t.csv", options, false)).rows.size(), 400u);
  expect_error(long_numbers(50), "t.csv:1:1", "50 of 51", "‹header› yes", {.header = HeaderLine::no});
}

TEST(CsvErrors, InfinityAnywhere) {
  expect_error("a,b\n1,inf\n", "t.csv:2:2", "'inf' in column 'b' is not finite", "fix");
  expect_error("a,b\n1,2\n-Infinity,2\n", "t.csv:3:1", "not finite", "fix");
  expect_error(long_numbers(1500) + "1e999,2\n", "t.csv:1502:1", "'1e999'", "fix");
  expect_error(long_numbers(1500) + "+inf,2\n", "t.csv:1502:1", "not finite", "fix");
}

TEST(CsvErrors, RaggedRows) {
  expect_error("a,b,c\n1,2,3\n1,2\n", "t.csv:3:3", "2 cells where the first line has 3", "quotes");
  expect_error("a,b\n1,2\n1,2,3,4\n", "t.csv:3:3", "4 cells where the first line has 2", "quotes");
  expect_error("a,b\n1,2\n1,2,\n", "t.csv:3:3", "3 cells", "");
  expect_error("a,b\n1,2\n\"1\",2,3\n", "t.csv:3:3", "3 cells", "");
}

TEST(CsvErrors, Quotes) {
  expect_error("a,b\n1,x\n2,\"open\n3,y\n", "t.csv:3:2", "never closed", "close it");
  expect_error("a,b\n1,\"open", "t.csv:2:2", "never closed", "close it");
  expect_error("a,b\n1,\"x\ny\"\n2,\"x\" y\n", "t.csv:4:2", "after a closing quote", "double");
}

TEST(CsvErrors, AQuoteOpenedBehindTheSampleIsFoundAtTheEnd) {
  std::string text = "a,b\n";
  for (int i = 0; i < 300000; ++i) text += "1,xyz\n";
  expect_error(text + "2,\"open\n3,z\n", "t.csv:300002:2", "never closed", "close it");
}

TEST(CsvErrors, NothingToRead) {
  expect_error("", "t.csv:1:1", "empty", "rows");
  expect_error("\n  \n\n", "t.csv:1:1", "empty", "rows");
  expect_error("\xef\xbb\xbf", "t.csv:1:1", "empty", "rows");
  expect_error("a,b\n", "t.csv:2:1", "no row of data", "‹header› no");
  expect_error("a,b", "t.csv:2:1", "no row of data", "‹header› no");
  expect_error("1,2\n", "t.csv:2:1", "no row of data", "add rows", {.header = HeaderLine::yes});
}

TEST(CsvErrors, DuplicateNames) {
  expect_error("a,b,a\n1,2,3\n", "t.csv:1:3", "two columns are named 'a'", "rename");
  expect_error("x1,\n1,2\n", "t.csv:1:2", "two columns", "rename", {.header = HeaderLine::yes});
}

TEST(CsvErrors, TooManyDistinctTexts) {
  std::string text = "id,name\n";
  for (int i = 0; i < 1000000; ++i) text += "1,n" + std::to_string(i) + "\n";
  text += "1,n5\n1,one more\n";
  expect_error(text, "t.csv:1000003:2", "'name' has more than 1000000", "‹drop› name");
  const auto reader = read_csv(memory_bytes(text), "t.csv", {.drop = "name"}, false);
  Index rows = 0;
  for (RawBlock block; reader->next(block, 4096);) rows += block.rows();
  EXPECT_EQ(rows, 1000002);
}

TEST(CsvErrors, LongAndStrangeCellsFitOneLine) {
  const Error error = parse_error(long_numbers(1500) + "\"two\nlines " + std::string(500, 'z') + "\",2\n");
  EXPECT_LT(std::string(error.what()).size(), 200u);
  EXPECT_EQ(error.place(), "t.csv:1502:1");
}

TEST(CsvErrors, UnknownDropAndCategorical) {
  const Error drop = parse_error("a,b\n1,2\n", {.drop = "c"});
  EXPECT_EQ(drop.kind(), ErrorKind::option);
  EXPECT_TRUE(contains(drop.what(), "drop") && contains(drop.what(), "a, b")) << drop.what();
  EXPECT_TRUE(contains(parse_error("a,b\n1,2\n", {.categorical = "7"}).what(), "categorical"));
  EXPECT_EQ(parse_error("a,b\n1,2\n", {.drop = "0,1"}).kind(), ErrorKind::option);
}

}  // namespace
}  // namespace weft
