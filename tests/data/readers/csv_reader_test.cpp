#include "data/readers/csv_reader.hpp"

#include "data/table_testing.hpp"

namespace weft {

using namespace detail;
namespace {

using testing::expect_rows;
using testing::gzip;
using testing::kMissing;
using testing::read_all;
using testing::Rows;
using testing::Table;
using testing::TemporaryFolder;

using Names = std::vector<std::string>;
using TextTable = std::vector<std::vector<std::string>>;

Table parse_csv(const std::string& text, const ReadOptions& options = {}, bool tabs = false,
                std::size_t chunk = kChunkSize, Index block = 4096) {
  return read_all(*read_csv(memory_bytes(text), "t.csv", options, tabs, chunk), block);
}

TEST(CsvReader, ReadsNumbersUnderAHeader) {
  const Table table = parse_csv("a,b,c\n1,2.5,-3e2\n+4,.5,6.\n");
  EXPECT_EQ(table.names, (Names{"a", "b", "c"}));
  expect_rows(table.rows, {{1, 2.5, -300}, {4, 0.5, 6}});
}

TEST(CsvReader, FindsTheHeaderOrItsAbsence) {
  EXPECT_EQ(parse_csv("1,2\n3,4\n").names, (Names{"x0", "x1"}));
  EXPECT_EQ(parse_csv("1,2\n3,4\n").rows.size(), 2u);
  EXPECT_EQ(parse_csv("year,2019\n1,4\n").names, (Names{"year", "2019"})) << "text where the second line has a number";
  EXPECT_EQ(parse_csv("red,2019\nblue,4\n").rows.size(), 2u) << "text in both lines is data";
  EXPECT_EQ(parse_csv("?,5\n3,4\n").rows.size(), 2u) << "a missing marker does not vote";
  EXPECT_EQ(parse_csv("nan,NA\n3,4\n").rows.size(), 2u) << "a line of missing cells names nothing";
  EXPECT_EQ(parse_csv("red,big\nblue,small\n").names, (Names{"red", "big"})) << "no numeric cell";
  EXPECT_EQ(parse_csv("red,big\nblue,small\n", {.header = HeaderLine::no}).rows.size(), 2u);
  EXPECT_EQ(parse_csv("1,2\n3,4\n", {.header = HeaderLine::yes}).names, (Names{"1", "2"}));
  EXPECT_EQ(parse_csv("a,,c\n1,2,3\n").names, (Names{"a", "x1", "c"})) << "an empty name";
}

TEST(CsvReader, FindsTheDelimiter) {
  expect_rows(parse_csv("a;b\n1;2\n").rows, {{1, 2}});
  expect_rows(parse_csv("a\tb\n1\t2\n").rows, {{1, 2}});
  expect_rows(parse_csv("a;b;c\n\"1,5\";x,y;3\n").rows, {{0, 0, 3}});
  expect_rows(parse_csv("\"a;b;c;d\",b\n1,2\n").rows, {{1, 2}});
  expect_rows(parse_csv("a\n1\n2\n").rows, {{1}, {2}});
  expect_rows(parse_csv("a,b\tc\n1,\t2\n", {}, true).rows, {{0, 2}});
}

TEST(CsvReader, SkipsMarkBlankLinesAndReadsCrlfAndAnUnfinishedLastLine) {
  const Rows expected = {{1, 2}, {3, 4}};
  expect_rows(parse_csv("\xef\xbb\xbf"
                        "a,b\r\n1,2\r\n\r\n  \r\n3,4")
                  .rows,
              expected);
  EXPECT_EQ(parse_csv("\xef\xbb\xbf"
                      "a,b\r\n1,2\r\n")
                .names,
            (Names{"a", "b"}));
  expect_rows(parse_csv("\n\na,b\n1,2\n\n3,4\n\n").rows, expected);
  expect_rows(parse_csv("a\tb\n\t\n1\t2\n", {}, true).rows, {{kMissing, kMissing}, {1, 2}});
}

TEST(CsvReader, TrimsUnquotedCells) {
  const Table table = parse_csv("a , b\n 1 ,  x y \n2,\" x \"\n");
  EXPECT_EQ(table.names, (Names{"a", "b"}));
  EXPECT_EQ(table.rows[0][0], 1);
  EXPECT_EQ(table.texts, (TextTable{{"", "x y"}, {"", " x "}}));
}

TEST(CsvReader, ReadsQuotes) {
  const Table table =
      parse_csv("id,\"the, name\"\n1,\"say \"\"hi\"\"\"\n2,\"two\r\nlines\"\n\"3\" , \"\"\n4,5\" pipe\n");
  EXPECT_EQ(table.names, (Names{"id", "the, name"}));
  EXPECT_EQ(table.texts, (TextTable{{"", "say \"hi\""}, {"", "two\r\nlines"}, {"", ""}, {"", "5\" pipe"}}));
  expect_rows(table.rows, {{1, 0}, {2, 1}, {3, kMissing}, {4, 2}});
}

TEST(CsvReader, MissingMarkersDependOnTheColumnsType) {
  const Table table = parse_csv("n,t\n1,?\nNA,\nn/A,x\nnan,NA\nNULL,x\n?,x\n,x\n-nan,null\n");
  Rows numbers;
  for (const auto& row : table.rows) numbers.push_back({row[0]});
  expect_rows(numbers, {{1}, {kMissing}, {kMissing}, {kMissing}, {kMissing}, {kMissing}, {kMissing}, {kMissing}});
  Names texts;
  for (const auto& row : table.texts) texts.push_back(row[1]);
  EXPECT_EQ(texts, (Names{"?", "", "x", "NA", "x", "x", "x", "null"}));
  EXPECT_TRUE(std::isnan(table.rows[1][1]));
}

TEST(CsvReader, TextsInMoreThanATenthOfTheFirstThousandRowsMakeATextColumn) {
  std::string text = "a,b,c\n";
  for (int i = 0; i < 1000; ++i) {
    text += i < 101 ? "1,x," : "1,2,";
    text += i < 100 ? "x\n" : "2\n";
  }
  const auto reader = read_csv(memory_bytes(text + "1,2,3\n"), "t.csv", {}, false);
  EXPECT_FALSE(reader->columns()[0].text);
  EXPECT_TRUE(reader->columns()[1].text);
  EXPECT_FALSE(reader->columns()[2].text) << "numbers with mistakes among them";
}

TEST(CsvReader, TheUsualTokensAreMissingInNumericColumns) {
  const Table table = parse_csv("n,t\n1,-\nNone,.\n-,None\n.,x\n#N/A,\\N\n\\N,x\n2,#N/A\n");
  Rows numbers;
  for (const auto& row : table.rows) numbers.push_back({row[0]});
  expect_rows(numbers, {{1}, {kMissing}, {kMissing}, {kMissing}, {kMissing}, {kMissing}, {2}});
  EXPECT_EQ(table.texts[0][1], "-") << "in text columns they are categories";
}

TEST(CsvReader, NaValuesAreMissingInAllColumns) {
  const std::string text = "n,t,u\n1,-,b\n-999,a,-\n-999.0,b,\"unknown\"\nunknown,?,a\n";
  const Table table = parse_csv(text, {.na_values = "-999, unknown,?"});
  expect_rows(table.rows, {{1, 0, 0}, {kMissing, 1, 1}, {kMissing, 2, kMissing}, {kMissing, kMissing, 2}});
}

TEST(CsvReader, AppliesDropAndCategorical) {
  const ReadOptions options{.drop = "b,-1", .categorical = "c"};
  const auto reader = read_csv(memory_bytes("a,b,c,d\n1,x,10,2\n3,y,20,inf\n5,z,10,word\n"), "t.csv", options, false);
  ASSERT_EQ(reader->columns().size(), 2u);
  EXPECT_TRUE(reader->columns()[1].text);
  EXPECT_EQ(reader->file_columns().size(), 4u);
  expect_rows(read_all(*reader).rows, {{1, 0}, {3, 1}, {5, 0}});
  EXPECT_EQ(reader->dictionary(1), (Names{"10", "20"}));
}

// A table with everything in it, long enough to fill many chunks.
std::string mixed_text() {
  std::string text = "\xef\xbb\xbfid,name,\"value\",note\r\n";
  for (int i = 0; i < 400; ++i) {
    text +=
        std::to_string(i) + ", name" + std::to_string(i % 17) + " ," + (i % 5 == 0 ? "NA" : std::to_string(i / 7.0));
    text += i % 3 == 0 ? ",\"a \"\"quoted\"\" note,\r\nwith two lines\"\r\n" : i % 3 == 1 ? ",plain\r\n" : ",\r\n";
    if (i % 50 == 0) text += "\r\n";
  }
  return text;
}

TEST(CsvReader, BlocksAndChunksOfAnySizeGiveTheSameCells) {
  const std::string text = mixed_text();
  const Table whole = parse_csv(text);
  ASSERT_EQ(whole.rows.size(), 400u);
  EXPECT_EQ(whole.texts[3][3], "a \"quoted\" note,\r\nwith two lines");
  EXPECT_EQ(whole.rows[399][2], std::stod(std::to_string(399 / 7.0)));
  for (const Index block : {1, 7, 4096})
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{2}, std::size_t{13}, std::size_t{64}, kChunkSize}) {
      const Table table = parse_csv(text, {}, false, chunk, block);
      EXPECT_EQ(table.names, whole.names);
      EXPECT_EQ(table.texts, whole.texts);
      expect_rows(table.rows, whole.rows);
    }
}

TEST(CsvReader, PlacesCountLinesAndCellsOfTheFile) {
  const auto reader = read_csv(memory_bytes("a,b,c\n\n1,\"x\ny\",2\n3,z,4\n"), "t.csv", {.drop = "a"}, false);
  RawBlock block;
  ASSERT_TRUE(reader->next(block, 10));
  EXPECT_EQ(reader->place(0, 0), "t.csv:3:2");
  EXPECT_EQ(reader->place(1, 1), "t.csv:5:3");
}

TEST(CsvReader, NumbersAreTheNearestDoubles) {
  Rows expected;
  std::string text = "a\n";
  for (int i = 0; i < 2000; ++i) {
    char cell[64];
    const double value = std::ldexp(std::sin(i * 1.7), (i * 37) % 600 - 300);
    std::snprintf(cell, sizeof cell, i % 2 == 0 ? "%.17g" : "%.6g", value);
    text += std::string(cell) + "\n";
    expected.push_back({std::strtod(cell, nullptr)});
  }
  expect_rows(parse_csv(text).rows, expected);
}

TEST(CsvReader, MoreRowsThanAskedForMakeNoHugeBlock) {
  const auto reader = read_csv(memory_bytes("a\n1\n2\n"), "t.csv", {}, false);
  RawBlock block;
  ASSERT_TRUE(reader->next(block, std::numeric_limits<Index>::max()));
  EXPECT_EQ(block.rows(), 2);
}

TEST(CsvReader, AFirstLineLongerThanTheSampleIsRead) {
  std::string header = "c0";
  std::string row = "0";
  for (int j = 1; j < 200000; ++j) {
    header += ",c" + std::to_string(j);
    row += "," + std::to_string(j);
  }
  const Table table = parse_csv(header + "\n" + row + "\n" + row + "\n");
  ASSERT_EQ(table.names.size(), 200000u);
  EXPECT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[1][199999], 199999);
}

}  // namespace
}  // namespace weft
