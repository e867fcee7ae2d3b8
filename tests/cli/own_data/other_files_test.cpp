// Files from other programs: those that are read as they are, and those that are refused with a way out.
#include "cli/own_data/messy_table.hpp"

#include <weft/content_id.hpp>

#include <fmt/format.h>

namespace weft::testing {

namespace {

class OwnFiles : public OwnData {
 protected:
  static std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
    return text;
  }
  static std::string plain() { return MessyTable{.holes = false}.text(); }
  /// The model's predictions for the plain table.
  std::string predictions() const {
    write("plain.csv", plain());
    return weft_out({"predict", "m.weft", "plain.csv"});
  }
};

TEST_F(OwnFiles, SpreadsheetExportsAreRead) {
  write("t.csv", plain());
  train({});
  const std::string expected = predictions();
  const std::string lines = replaced(plain(), "\n", "\r\n");
  const auto note = [](const std::string& delimiter) {
    return "weft: note: t.csv: read with --delimiter " + delimiter + ", as its first lines suggest\n";
  };
  const std::pair<std::string, std::string> exports[] = {
      {"\xEF\xBB\xBF" + lines, ""},
      {replaced("\xEF\xBB\xBF" + lines, ",", ";"), note("';'")},
      {replaced(plain(), ",", "\t"), note("tab")},
      {replaced(plain(), "\n", "\n" + std::string(5000, '\n')), ""},
  };
  for (const auto& [text, said] : exports) {
    write("t.csv", text);
    EXPECT_EQ(train({}).err, said);
    EXPECT_EQ(predictions(), expected);
    const Outcome outcome = weft({"predict", "m.weft", "t.csv"});
    EXPECT_EQ(outcome.err, said);
    EXPECT_EQ(outcome.out, expected);
  }
}

/// The same table in three encodings is the same to the last bit, texts, names and all.
TEST_F(OwnFiles, TextsInTheEncodingsOfSpreadsheetsAreRead) {
  const auto in = [&](const std::string& town, const std::string& column) {
    return replaced(replaced(plain(), ",A,", "," + town + ","), "town", column);
  };
  const std::string utf8 = in("Z\xC3\xBCrich \xE2\x82\xAC",
                              "Gr\xC3\xB6\xC3\x9F"
                              "e");
  const std::string western = in("Z\xFCrich \x80",
                                 "Gr\xF6\xDF"
                                 "e");
  std::string wide = "\xFF\xFE";
  for (const char c : western) wide += c == '\x80' ? std::string("\xAC\x20") : std::string(1, c) + '\0';
  write("utf8.csv", utf8);
  EXPECT_EQ(weft_out({"train", "utf8.csv", "--target", "price", "--fast", "--features", "60", "--model", "utf8.weft",
                      "--quiet"}),
            "");
  const auto id = [&](const char* model) { return content_id(Model::load(path(model))); };
  const std::string expected = weft_out({"predict", "utf8.weft", "utf8.csv"});
  for (const auto& [bytes, encoding] : {std::pair(western, "windows-1252"), std::pair(wide, "utf-16")}) {
    write("t.csv", bytes);
    const std::string note =
        fmt::format("weft: note: t.csv: read with --encoding {}, as its first lines suggest\n", encoding);
    EXPECT_EQ(train({}).err, note);
    EXPECT_EQ(id("m.weft"), id("utf8.weft"));
    EXPECT_EQ(weft_out({"predict", "m.weft", "utf8.csv"}), expected);
    const Outcome outcome = weft({"predict", "utf8.weft", "t.csv"});
    EXPECT_EQ(outcome.err, note);
    EXPECT_EQ(outcome.out, expected);
    EXPECT_EQ(shell("weft predict utf8.weft - < t.csv > piped.csv 2> /dev/null"), 0);
    EXPECT_EQ(this->text("piped.csv"), expected);
  }
}

/// What earlier versions made of such a table: its bytes, as --encoding utf-8 takes them.
TEST_F(OwnFiles, ModelsThatKnowBytesPredictTheTablesTheyWereTrainedOn) {
  write("t.csv", replaced(plain(), ",A,", ",Z\xFCrich,"));
  train({"--encoding", "utf-8"});
  const std::string expected = weft_out({"predict", "m.weft", "t.csv", "--encoding", "utf-8"});
  EXPECT_EQ(weft_out({"predict", "m.weft", "t.csv"}), expected);
}

TEST_F(OwnFiles, QuotedLineBreaksAreText) {
  write("t.csv", replaced(replaced(plain(), ",A,", ",\"A\nB \"\"C\"\"\","), "town", "\"to\nwn\""));
  EXPECT_EQ(train({}).err, "");
  expect_words(weft_out({"info", "m.weft"}), {"size", "age"});
  EXPECT_EQ(csv_numbers(weft_out({"predict", "m.weft", "t.csv"})).size(), 200u);
}

TEST_F(OwnFiles, OtherFormatsAreNamedWithAWayOut) {
  const std::string zip = "PK\x03\x04" + std::string(100, '\0');
  write("t.xlsx", zip);
  write("t.ods", zip);
  write("t.parquet", "PAR1" + std::string(100, '\0') + "PAR1");
  write("t.json", "[{\"a\": 1, \"price\": 2}, {\"a\": 2, \"price\": 3}]");
  write("mac.csv", replaced(plain(), "\n", "\r"));
  const auto refuse = [&](const char* file, const Words& words) {
    expect_refused({"train", file, "--target", "price"}, words);
  };
  refuse("t.xlsx", {"t.xlsx:", "a spreadsheet", "save the sheet as CSV"});
  refuse("t.ods", {"t.ods:", "a spreadsheet"});
  refuse("t.parquet", {"t.parquet:", "a Parquet file", "CSV"});
  refuse("t.json", {"t.json:", "JSON", "CSV"});
  refuse("mac.csv", {"mac.csv:", "carriage return alone", "tr '\\r' '\\n'"});
}

TEST_F(OwnFiles, ATruncatedArchiveIsNotHalfATable) {
  write("t.csv", MessyTable{.rows = 3000}.text());
  EXPECT_EQ(shell("gzip -c t.csv | head -c 9000 > half.csv.gz"), 0);
  expect_refused({"train", "half.csv.gz", "--target", "price"}, {"half.csv.gz", "end too early"});
}

TEST_F(OwnFiles, TwoColumnsOfOneName) {
  write("t.csv", "size,size,price\n1,2,3\n2,3,4\n");
  refused({}, {"t.csv:1:2:", "two columns are named 'size'", "rename"});
}

TEST_F(OwnFiles, FewRowsAndColumns) {
  write("t.csv", "price\n1\n2\n3.5\n");
  refused({}, {"no input columns"});
  write("t.csv", "a,price\n1,2\n");
  refused({}, {"same value in every row"});
  write("t.csv", "a,b,price\n1,2,3.5\n2,3,5\n4,1,6\n");
  for (const Words& method : {Words{"--fast"}, Words{}}) {
    Words words = {"train", "t.csv", "--target", "price", "--model", "m.weft"};
    words.insert(words.end(), method.begin(), method.end());
    EXPECT_EQ(weft(words).exit_code, 0);
    EXPECT_EQ(csv_numbers(weft_out({"predict", "m.weft", "t.csv"})).size(), 3u);
  }
}

TEST_F(OwnFiles, AColumnOfOneValueChangesNothing) {
  std::string with = "same,x,name,price\n";
  for (int i = 0; i < 60; ++i) with += fmt::format("5,{},Bonn,{}\n", i % 13, 0.5 * (i % 13));
  write("t.csv", with);
  train({});
  const std::string predicted = weft_out({"predict", "m.weft", "t.csv"});
  // Another value was never seen: it must not carry predictions away.
  write("t.csv", replaced(with, "\n5,", "\n5000,"));
  const auto before = csv_numbers(predicted), after = csv_numbers(weft({"predict", "m.weft", "t.csv"}).out);
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(after[i][0], before[i][0], 1e-6);
}

TEST_F(OwnFiles, AmountsWrittenForPeopleAreSaid) {
  std::string text = "rent,share,price\n";
  for (int i = 0; i < 100; ++i)
    text += fmt::format("\"${},{:03}.50\",{} %,{}\n", 1 + i % 9, 7 * i % 1000, i % 37, i % 11);
  write("t.csv", text);
  const Outcome outcome = train({});
  expect_words(outcome.err, {"column 'rent' is read as texts, such as '$1,000.50'", "column 'share'", "'0 %'",
                             "write its cells as plain numbers"});
  expect_refused({"train", "t.csv", "--target", "rent"}, {"target 'rent'", "such as '$1,000.50'", "hardly classes",
                                                          "for a regression write it as plain numbers"});
  expect_refused({"train", "t.csv", "--target", "rent", "--task", "regression"}, {"holds text, such as '$1,000.50'"});
  write("t.csv", "a,y\n1,2\n2,oops\n3,4\n");
  expect_refused({"train", "t.csv", "--target", "y", "--task", "regression"}, {"holds text, such as 'oops'"});
}

TEST_F(OwnFiles, ClassesInSeveralSpellingsAreSaid) {
  std::string text = "a,sold\n";
  const char* const labels[] = {"yes", "no", "Yes", "NO"};
  for (int i = 0; i < 80; ++i) text += fmt::format("{},{}\n", i % 9, labels[i % 4]);
  write("t.csv", text);
  const Outcome outcome = train({}, "sold");
  expect_lines(outcome.err, 1);
  expect_words(outcome.err, {"target sold", "NO, no; Yes, yes"});
}

TEST_F(OwnFiles, WideTables) {
  std::string text = "y";
  for (int j = 0; j < 5000; ++j) text += ",v" + std::to_string(j);
  for (int i = 0; i < 40; ++i) {
    text += "\n" + std::to_string(std::sin(i));
    for (int j = 0; j < 5000; ++j) text += "," + std::to_string((i * 7919 + j * 104729) % 1000);
  }
  write("t.csv", text + "\n");
  EXPECT_EQ(train({}, "y").err, "");
  EXPECT_EQ(csv_numbers(weft_out({"predict", "m.weft", "t.csv"})).size(), 40u);
}

}  // namespace

}  // namespace weft::testing
