// --max-time takes rows from all over the file and says which share was used, for the fit and for the measures.
#include "cli/own_data/messy_table.hpp"

namespace weft::testing {

namespace {

class OwnTimeLimit : public OwnData {
 protected:
  static constexpr int kRows = 40000;
  /// Sorted by class, as files are that were put together from several.
  OwnTimeLimit() {
    std::string text = "a,b,kind\n";
    for (int i = 0; i < kRows; ++i) {
      const double a = std::sin(1.7 * i), b = std::cos(2.3 * i);
      const bool late = i >= kRows / 2;
      text += std::to_string(a + (late ? 3 : 0)) + "," + std::to_string(b) + (late ? ",late\n" : ",early\n");
    }
    write("t.csv", text);
  }
};

TEST_F(OwnTimeLimit, ASortedFileGivesAUsefulModel) {
  const Outcome outcome = train({"--max-time", "1e-3"}, "kind");
  expect_words(outcome.out, {"40000 rows", "time limit: the model is fitted on", "of 40000 rows", "drawn at random"});
  expect_words(outcome.err, {"time limit: measured on", "of the training rows, drawn at random; raise --max-time"});
  const auto measured = nlohmann::json::parse(weft_out({"evaluate", "m.weft", "t.csv", "--json"}));
  EXPECT_EQ(measured.at("rows"), kRows);
  EXPECT_LT(measured.at("error").get<double>(), 0.05);
  for (const char* kind : {"early", "late"})
    EXPECT_NE(weft_out({"predict", "m.weft", "t.csv"}).find(kind), std::string::npos) << kind;
}

TEST_F(OwnTimeLimit, LearnedKernelsTakeTheRowsThatTheLimitAllows) {
  const Outcome outcome =
      weft({"train", "t.csv", "--target", "kind", "--model", "m.weft", "--threads", "2", "--max-time", "1e-3"});
  expect_words(outcome.out, {"time limit: the model is fitted on", "of 40000 rows", "drawn at random"});
  EXPECT_LT(nlohmann::json::parse(weft_out({"evaluate", "m.weft", "t.csv", "--json"})).at("error").get<double>(), 0.01);
}

TEST_F(OwnTimeLimit, TestRowsAreMeasuredInTimeToo) {
  const Outcome outcome = train({"--max-time", "1e-3", "--holdout", "0.5", "--json"}, "kind");
  expect_words(outcome.err, {"of the training rows", "of the test rows"});
  const auto told = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(told.at("warnings").size(), 3u) << outcome.out;
  const double rows = told.at("test").at("rows");
  EXPECT_GT(rows, 100);
  EXPECT_LT(rows, 10000);
  EXPECT_LT(told.at("test").at("error").get<double>(), 0.05);
}

TEST_F(OwnTimeLimit, AllRowsAreUsedWhereThereIsTime) {
  const Outcome outcome = train({"--max-time", "3600", "--json"}, "kind");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(nlohmann::json::parse(outcome.out).at("train").at("rows"), kRows);
}

TEST_F(OwnTimeLimit, FewRowsAreAllMeasured) {
  write("t.csv", "a,b,kind\n1,2,x\n2,3,y\n3,1,x\n4,4,y\n5,1,x\n6,0,y\n");
  const Outcome outcome = train({"--max-time", "1e-3", "--lambda", "1e-3", "--json"}, "kind");
  EXPECT_EQ(nlohmann::json::parse(outcome.out).at("train").at("rows"), 6);
}

}  // namespace

}  // namespace weft::testing
