// Categories that training did not see are ignored with one line.
#include "cli/own_data/messy_table.hpp"

namespace weft::testing {

namespace {

class OwnUnseenCategories : public OwnData {
 protected:
  OwnUnseenCategories() {
    write("t.csv", MessyTable{.holes = false}.text());
    write("new.csv", MessyTable{.holes = false, .towns = "AZ", .rows = 40}.text());
  }
};

TEST_F(OwnUnseenCategories, AreIgnoredWithOneCountedLine) {
  const Outcome trained = train({"--test", "new.csv"});
  expect_lines(trained.err, 1);
  expect_words(trained.err, {"new.csv: categories that did not occur in training", "town 'Z'"});
  for (const char* command : {"predict", "evaluate"}) {
    const Outcome outcome = weft({command, "m.weft", "new.csv"});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.err, trained.err);
    expect_refused({command, "m.weft", "new.csv", "--unseen", "error"},
                   {"new.csv:", "category 'Z' of column 'town'", "--unseen ignore"});
  }
}

TEST_F(OwnUnseenCategories, AStrictModelIsStrictUnlessToldOtherwise) {
  train({"--unseen", "error"});
  expect_refused({"predict", "m.weft", "new.csv"}, {"category 'Z'"});
  EXPECT_EQ(weft({"predict", "m.weft", "new.csv", "--unseen", "ignore"}).exit_code, 0);
}

TEST_F(OwnUnseenCategories, ACategoryOfOneRowMayBeHeldOut) {
  std::string rows = MessyTable{.holes = false, .rows = 30}.text();
  for (char town = 'D'; town <= 'Z'; ++town) rows += std::string("0.5,") + town + ",3,1\n";
  write("t.csv", rows);
  const Outcome outcome = train({"--holdout", "0.5"});
  expect_lines(outcome.err, 1);
  expect_words(outcome.err, {"t.csv: categories that did not occur in training", "town"});
}

TEST_F(OwnUnseenCategories, AReportSaysThemOnce) {
  write("t.csv", MessyTable{.towns = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"}.text());
  const Outcome outcome = train({"--test", "new.csv", "--report", "r.html"});
  EXPECT_EQ(outcome.err, "");
}

}  // namespace

}  // namespace weft::testing
