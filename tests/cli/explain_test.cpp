// explain on models that train wrote.
#include "cli/run_weft.hpp"

#include <nlohmann/json.hpp>

namespace weft::testing {

namespace {

using nlohmann::json;

class Explain : public WeftTest {
 protected:
  Explain() {
    weft_out({"generate", "friedman1", "--rows", "400", "--out", "f.csv"});
    weft_out({"train", "f.csv", "--target", "target", "--model", "f.weft"});
  }
};

TEST_F(Explain, ImportantVariablesComeFirst) {
  const json found = json::parse(weft_out({"explain", "f.weft", "f.csv", "--json"}));
  EXPECT_EQ(found["rows"], 400);
  EXPECT_EQ(found["loss"]["name"], "mse");
  ASSERT_EQ(found["variables"].size(), 10u);
  EXPECT_EQ(found["variables"][0]["name"], "x3");
  EXPECT_EQ(found["curves"].size(), 4u);
  EXPECT_EQ(found["interactions"].size(), 15u);
  EXPECT_EQ(found["interactions"][0]["variables"], json({"x0", "x1"}));  // sin(π x0 x1)
}

TEST_F(Explain, PeopleReadATable) {
  const std::string text = weft_out({"explain", "f.weft", "f.csv"});
  for (const char* words : {"400 rows, mse", "mse grows by", "x3", "x0 × x1", "--report"})
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
}

TEST_F(Explain, ContributionsOfARowAddUp) {
  const json found = json::parse(weft_out({"explain", "f.weft", "f.csv", "--row", "17", "--json"}));
  EXPECT_EQ(found["row"], 16);
  double sum = found["base"][0];
  for (const json& variable : found["variables"]) sum += variable["value"][0].get<double>();
  EXPECT_NEAR(sum, found["prediction"][0], 1e-9);
  weft_out({"predict", "f.weft", "f.csv", "--out", "p.csv"});
  EXPECT_NEAR(csv_numbers(file_text(path("p.csv")))[16][0], sum, 1e-6);
  EXPECT_NE(weft_out({"explain", "f.weft", "f.csv", "--row", "17"}).find("standard error"), std::string::npos);
}

TEST_F(Explain, StumpsAreExact) {
  weft_out({"train", "f.csv", "--target", "target", "--family", "rw-stumps", "--features", "60", "--gamma", "1",
            "--model", "s.weft"});
  EXPECT_EQ(json::parse(weft_out({"explain", "s.weft", "f.csv", "--row", "1", "--json"}))["exact"], true);
}

TEST_F(Explain, ReportHasChartsOfVariablesAndTheRow) {
  weft_out({"explain", "f.weft", "f.csv", "--row", "3", "--report", "why.html"});
  const std::string page = file_text(path("why.html"));
  for (const char* words : {"What predicts target", "Row 3", "Importance", "Dependence", "Interactions"})
    EXPECT_NE(page.find(words), std::string::npos) << words;
}

TEST_F(Explain, ClassesHaveProbabilities) {
  weft_out({"generate", "moons", "--rows", "300", "--out", "moons.csv"});
  weft_out({"train", "moons.csv", "--target", "target", "--model", "m.weft"});
  const json found = json::parse(weft_out({"explain", "m.weft", "moons.csv", "--json"}));
  EXPECT_EQ(found["curves_of"], "probability");
  EXPECT_EQ(found["loss"]["name"], "logloss");
  EXPECT_GT(found["variables"][0]["loss_increase"]["low"], 0.0);
}

TEST_F(Explain, WhatIsNotThereIsRefused) {
  expect_refused({"explain", "f.weft", "f.csv", "--row", "401"}, {"--row", "fewer than 401 rows"});
  expect_refused({"explain", "f.weft", "f.csv", "--row", "0"}, {"--row", "at least 1"});
  expect_refused({"explain", "f.weft", "f.csv", "--variables", "x99"}, {"--variables", "x99", "x0, x1"});
  expect_refused({"explain", "f.weft", "f.csv", "--points", "1"}, {"--points"});
}

}  // namespace

}  // namespace weft::testing
