// Pages of train and evaluate.
#include "cli/own_data/messy_table.hpp"

namespace weft::testing {

namespace {

class OwnReports : public OwnData {};

TEST_F(OwnReports, ImportanceIsMeasuredOnTestRows) {
  write("t.csv", MessyTable{.rows = 400}.text());
  train({"--holdout", "0.25", "--report", "r.html"});
  expect_words(text("r.html"), {"Variable importance", "over 100 test rows", "growth of the mse", "r2"});
  train({"--report", "r.html"});
  expect_words(text("r.html"), {"over 80 rows held out from a second fit"});
}

TEST_F(OwnReports, EvaluateWritesOne) {
  write("t.csv", MessyTable{.rows = 400}.text());
  train({});
  const Outcome outcome = weft({"evaluate", "m.weft", "t.csv", "--report", "e.html"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_words(outcome.out, {"report written to e.html"});
  expect_words(text("e.html"),
               {"Prediction of price in t.csv", "400 rows of t.csv", "Residuals", "Variable importance"});
  EXPECT_EQ(text("e.html").find("training rows"), std::string::npos);
  expect_refused({"evaluate", "m.weft", "t.csv", "--report", "t.csv"}, {"--report:", "the table"});
  const auto told = nlohmann::json::parse(weft_out({"evaluate", "m.weft", "t.csv", "--report", "e.html", "--json"}));
  EXPECT_EQ(told.at("rows"), 400);
}

TEST_F(OwnReports, AThresholdDecidesInThemToo) {
  std::string rows = "a,kind\n";
  for (int i = 0; i < 200; ++i)
    rows += std::to_string(std::sin(i)) + (std::sin(i) + std::sin(7 * i) > 0 ? ",up\n" : ",down\n");
  write("t.csv", rows);
  train({}, "kind");
  weft_out({"evaluate", "m.weft", "t.csv", "--threshold", "1", "--report", "e.html"});
  // No row is predicted to be up: the column of the confusion matrix is 0.
  expect_words(text("e.html"), {"data-value=\"0\">0</td></tr>"});
}

}  // namespace

}  // namespace weft::testing
