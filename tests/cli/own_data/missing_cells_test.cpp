// Missing cells are handled by default, and said so.
#include "cli/own_data/messy_table.hpp"

namespace weft::testing {

namespace {

using Json = nlohmann::json;

class OwnMissingCells : public OwnData {};

TEST_F(OwnMissingCells, AreIndicatedAndNamedInOneLine) {
  write("t.csv", MessyTable{}.text());
  const Outcome outcome = train({});
  EXPECT_EQ(outcome.err, "");
  expect_words(outcome.out, {"note: missing cells: the mean and an indicator", "size 40", "town 29"});
  const Json json = Json::parse(train({"--json"}).out);
  expect_words(json.at("report").at("missing").get<std::string>(), {"size 40, town 29"});
  EXPECT_GT(json.at("train").at("r2").get<double>(), 0.8) << "a missing size means a high price";
  expect_words(weft_out({"info", "m.weft"}), {"size (missing)", "town (missing)", "size 40, town 29"});
  EXPECT_EQ(csv_numbers(weft_out({"predict", "m.weft", "t.csv"})).size(), 200u);
}

TEST_F(OwnMissingCells, LearnedKernelsCountAnIndicatorWithItsVariable) {
  write("t.csv", MessyTable{.rows = 400}.text());
  weft_out({"train", "t.csv", "--target", "price", "--model", "m.weft", "--json"});
  const Json json = Json::parse(weft_out({"info", "m.weft", "--json"}));
  const Json& relevance = json.at("relevance");
  ASSERT_EQ(relevance.size(), 3u);
  EXPECT_EQ(relevance.at(0).at("variable"), "size");
  const Json train = Json::parse(weft_out({"evaluate", "m.weft", "t.csv", "--json"}));
  EXPECT_GT(train.at("r2").get<double>(), 0.95);
}

TEST_F(OwnMissingCells, TheUsualTokensAndNaValues) {
  write("t.csv", MessyTable{}.text());
  const std::string expected =
      weft_out({"train", "t.csv", "--target", "price", "--fast", "--features", "60", "--model", "m.weft"});
  const std::string predictions = weft_out({"predict", "m.weft", "t.csv"});
  for (const char* token : {"NA", "N/A", "NaN", "nan", "null", "None", "?", "-", ".", "#N/A", "\\N"}) {
    write("t.csv", MessyTable{.hole = token}.text());
    EXPECT_EQ(weft_out({"predict", "m.weft", "t.csv"}), predictions) << token;
  }
  write("t.csv", MessyTable{.hole = "-999", .town_hole = "unknown"}.text());
  train({"--na-values", "-999,unknown"});
  EXPECT_EQ(weft_out({"predict", "m.weft", "t.csv"}), predictions) << "the model knows them";
}

TEST_F(OwnMissingCells, ErrorAndImputeAreAsBefore) {
  write("t.csv", MessyTable{}.text());
  refused({"--missing", "error"}, {"t.csv:3:1:", "column 'size' is missing", "--missing indicate", "--drop size"});
  expect_words(train({"--missing", "impute"}).out, {"6 inputs"});
  write("t.csv", MessyTable{.without_target = 2}.text());
  refused({"--missing", "error", "--drop", "size,town"}, {"t.csv:2:4:", "target 'price' is missing", "remove the row"});
}

TEST_F(OwnMissingCells, RowsWithoutATargetAreLeftOutWithACount) {
  write("t.csv", MessyTable{.without_target = 12}.text());
  const Outcome outcome = train({"--holdout", "0.25"});
  expect_lines(outcome.err, 1);
  expect_words(outcome.err, {"t.csv: rows without a value of target 'price' are left out: 12 of 200"});
  expect_words(outcome.out, {"141 rows"});
  const Json json = Json::parse(train({"--json"}).out);
  EXPECT_EQ(json.at("train").at("rows"), 188);
  expect_words(json.at("warnings").at(0).get<std::string>(), {"left out: 12 of 200"});
  const Outcome evaluated = weft({"evaluate", "m.weft", "t.csv", "--json"});
  EXPECT_EQ(Json::parse(evaluated.out).at("rows"), 188);
  EXPECT_EQ(Json::parse(evaluated.out).at("warnings").size(), 1u);
  expect_words(evaluated.err, {"left out: 12 of 200"});
  EXPECT_EQ(csv_numbers(weft_out({"predict", "m.weft", "t.csv"})).size(), 200u);
}

TEST_F(OwnMissingCells, NewOnesInPredictionsAreCounted) {
  write("t.csv", MessyTable{.holes = false}.text());
  train({});
  write("new.csv", "size,town,age\n,A,3\n0.5,,\n");
  const Outcome outcome = weft({"predict", "m.weft", "new.csv"});
  EXPECT_EQ(csv_numbers(outcome.out).size(), 2u);
  expect_lines(outcome.err, 1);
  expect_words(outcome.err, {"new.csv: missing cells", "none in training", "3 cells (size 1, town 1, age 1)"});
  expect_refused({"predict", "m.weft", "new.csv", "--missing", "error"}, {"new.csv:2:1:", "'size' is missing"});
  EXPECT_EQ(csv_numbers(weft_out({"predict", "m.weft", "new.csv", "--missing", "impute"})).size(), 2u);
  expect_refused({"predict", "m.weft", "new.csv", "--missing", "guess"}, {"--missing", "'guess'", "indicate"});
}

TEST_F(OwnMissingCells, AnEmptyColumnIsNotUsed) {
  write("t.csv", "a,b,y\n1,,2\n2,,4\n3,,6\n4,,9\n");
  const Outcome outcome = train({}, "y");
  expect_words(outcome.out, {"not used, without a value: b 4"});
}

}  // namespace

}  // namespace weft::testing
