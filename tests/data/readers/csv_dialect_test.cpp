// One table written in many ways reads as the same numbers and names.
#include "data/readers/csv_dialect.hpp"

#include "data/readers/csv_reader.hpp"
#include "data/table_testing.hpp"

namespace weft {

using namespace detail;
namespace {

using testing::contains;
using testing::error_of;
using testing::expect_rows;
using testing::kMissing;
using testing::read_all;
using testing::Rows;
using testing::Table;
using testing::TemporaryFolder;

using Names = std::vector<std::string>;

Table parse(const std::string& text, const ReadOptions& options = {}, bool tabs = false) {
  const Table table = read_all(*read_csv(memory_bytes(text), "t.csv", options, tabs));
  const Table small_chunks = read_all(*read_csv(memory_bytes(text), "t.csv", options, tabs, 3), 1);
  EXPECT_EQ(table.names, small_chunks.names);
  expect_rows(small_chunks.rows, table.rows);
  return table;
}

void expect_table(const std::string& text, const ReadOptions& options = {}, bool tabs = false) {
  const Table table = parse(text, options, tabs);
  EXPECT_EQ(table.names, (Names{"a", "b", "c"})) << text;
  expect_rows(table.rows, {{1.5, -2, 0.25}, {1000.125, kMissing, 3}});
}

ReadOptions found(const std::string& text, const ReadOptions& options = {}) {
  TemporaryFolder folder;
  return read(folder.write("t.csv", text), options).options();
}

TEST(CsvDialect, DelimitersAreFound) {
  expect_table("a,b,c\n1.5,-2,0.25\n1000.125,,3\n");
  expect_table("a;b;c\n1.5;-2;0.25\n1000.125;;3\n");
  expect_table("a\tb\tc\n1.5\t-2\t0.25\n1000.125\t\t3\n");
  expect_table("a|b|c\n1.5|-2|0.25\n1000.125||3\n");
  expect_table("sep=;\r\na;b;c\r\n1.5;-2;0.25\r\n1000.125;;3\r\n");
}

TEST(CsvDialect, BlanksSeparateNumbers) {
  expect_table("a b c\n  1.5  -2    0.25 \n1000.125   NA 3\n");
  expect_table("a b c\n  1.5  -2 \t0.25 \n1000.125   NA 3\n", {.delimiter = "space"});
  expect_rows(parse("1 2\n  3   4\n").rows, {{1, 2}, {3, 4}});
  EXPECT_EQ(parse("New York\nLos Angeles\nSan Diego\n", {.header = HeaderLine::no}).names, (Names{"x0"}));
  const Table table = parse("a  name\n1 \"two  words\"\n 2 \"\"\n\n3\t\"x\"\n", {.delimiter = "space"});
  EXPECT_EQ(table.texts, (std::vector<Names>{{"", "two  words"}, {"", ""}, {"", "x"}}));
}

TEST(CsvDialect, GivenDelimiters) {
  expect_table("a:b:c\n1.5:-2:0.25\n1000.125::3\n", {.delimiter = ":"});
  expect_table("a\tb\tc\n1.5\t-2\t0.25\n1000.125\t\t3\n", {.delimiter = "tab"});
  expect_table("a\tb\tc\n1.5\t-2\t0.25\n1000.125\t\t3\n", {.delimiter = "\\t"});
  expect_table("a;b;c\n1.5;-2;0.25\n1000.125;;3\n", {.delimiter = ";"}, true);
  EXPECT_EQ(parse("a;b,c\n1;2,3\n", {.delimiter = ","}).names, (Names{"a;b", "c"}));
  for (const char* wrong : {"\"", "ab"}) {
    const Error error = error_of([&] { parse("a,b\n1,2\n", {.delimiter = wrong}); });
    EXPECT_EQ(error.kind(), ErrorKind::option);
    EXPECT_TRUE(contains(error.what(), "cannot separate cells")) << error.what();
  }
}

TEST(CsvDialect, DecimalCommas) {
  expect_table("a;b;c\n1,5;-2;0,25\n1000,125;;3\n");
  expect_table("a\tb\tc\n1,5\t-2\t0,25\n1000,125\t\t3\n", {}, true);
  expect_table("a,b,c\n\"1,5\",-2,\"0,25\"\n\"1000,125\",,3\n", {.decimal = DecimalMark::comma});
  // More commas than semicolons.
  expect_rows(parse("1,5;2,5;3,5\n4,5;5,5;6,25\n").rows, {{1.5, 2.5, 3.5}, {4.5, 5.5, 6.25}});
  expect_rows(parse("1,5e2;+2,5\n-4,5;0,125\n", {.decimal = DecimalMark::comma}).rows, {{150, 2.5}, {-4.5, 0.125}});
  // A column of texts with commas does not hide them.
  const Table names = parse("x;name\n1,5;Meier, A\n2,5;Jahn, B\n3,5;Jahn, C\n");
  expect_rows(names.rows, {{1.5, 0}, {2.5, 1}, {3.5, 2}});
}

TEST(CsvDialect, CommasThatMayBeOthersStayText) {
  const auto is_text = [](const std::string& text, const ReadOptions& options = {}) {
    return read_csv(memory_bytes(text), "t.csv", options, false)->columns().front().text;
  };
  EXPECT_TRUE(is_text("x;y\n1,234;2\n5,678;3\n")) << "thousands";
  EXPECT_FALSE(is_text("x;y\n1,234;2\n0,678;3\n0,500;3\n")) << "a 0 leads no thousands";
  EXPECT_TRUE(is_text("x;y\n1,5;2.5\n3,5;4.5\n")) << "other numbers have points";
  EXPECT_TRUE(is_text("x;y\n1,5;2\n3,5;4\n", {.decimal = DecimalMark::point}));
}

TEST(CsvDialect, CommentsAndLinesAboveTheTable) {
  const std::string table = "a,b,c\n1.5,-2,0.25\n1000.125,,3\n";
  expect_table("# made by hand\n#\n" + table);
  expect_table("Prices\n\nof 2024, all of them, really, all\n" + table, {.skip_rows = 3});
  expect_table("% one\n  % two\na,b,c\n%, three\n1.5,-2,0.25\n1000.125,,3\n% end", {.comment = "%"});
  expect_table("# one\na,b,c\n1.5,-2,0.25\n#1,2,3\n1000.125,,3\n", {.comment = "#"});
  expect_table("one,\"two\n# one\n" + table, {.comment = "#", .skip_rows = 1});
  // A line of as many cells as the table has is one of its own.
  EXPECT_EQ(parse("# note\n#id,b\n1,2\n3,4\n").names, (Names{"#id", "b"}));
  EXPECT_EQ(parse("colour,n\n#fff,1\n#000,2\n").rows.size(), 2u);
  EXPECT_EQ(parse("#fff,1\n#000,2\nred,3\n").rows.size(), 3u);
  EXPECT_EQ(parse("#fff\n#000\n").names, (Names{"#fff"}));
}

TEST(CsvDialect, WhatWasFoundIsInTheOptions) {
  const ReadOptions plain = found("a,b\n1,2\n");
  EXPECT_EQ(plain.delimiter, "");
  EXPECT_EQ(plain.decimal, DecimalMark::automatic);
  EXPECT_EQ(plain.skip_rows, 0);
  const ReadOptions other = found("# note\na;b\n1,5;2\n2,5;2\n");
  EXPECT_EQ(other.delimiter, ";");
  EXPECT_EQ(other.decimal, DecimalMark::comma);
  EXPECT_EQ(other.skip_rows, 1);
  EXPECT_EQ(found("a\tb\n1\t2\n").delimiter, "tab");
  EXPECT_EQ(found("a\tb\n1\t2\n", {.format = FileFormat::tsv}).delimiter, "");
  EXPECT_EQ(found("1 2\n3 4\n").delimiter, "space");
}

TEST(CsvDialect, ErrorsNameTheLinesOfTheFile) {
  const auto error = [](const std::string& text, const ReadOptions& options = {}) {
    return error_of([&] { read_all(*read_csv(memory_bytes(text), "t.csv", options, false)); });
  };
  EXPECT_EQ(error("# note\n\na;b\n1,5;2\n2,5;2;7\n").place(), "t.csv:5:3");
  EXPECT_EQ(error("% x\na,b\n1,2\n% y\n1,2,3\n", {.comment = "%"}).place(), "t.csv:5:3");
  EXPECT_EQ(error("title\na,a\n1,2\n", {.skip_rows = 1}).place(), "t.csv:2:2");
  EXPECT_EQ(error("title\na,b\n", {.skip_rows = 1}).place(), "t.csv:3:1");
  EXPECT_EQ(error("a b\n1 2\n 3   4  5\n", {.delimiter = "space"}).place(), "t.csv:3:3");
  EXPECT_TRUE(contains(error("a\n1\n", {.skip_rows = 2}).hint(), "smaller ‹skip_rows›"));
  EXPECT_TRUE(contains(error("a,b\n1,2\n# end\n").hint(), "‹comment› '#'"));
  EXPECT_TRUE(contains(error("Prices\na,b\n1,2\n").hint(), "‹skip_rows›"));
  std::string late = "a;b\n";
  for (int i = 0; i < 50; ++i) late += "1;2\n";
  EXPECT_TRUE(contains(error(late + "1,5;2\n").hint(), "‹decimal› ','"));
}

}  // namespace
}  // namespace weft
