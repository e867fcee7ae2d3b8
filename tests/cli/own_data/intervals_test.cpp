// Intervals and label sets as people ask for them: columns, coverage on rows of their own, messages.
#include "cli/run_weft.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace weft::testing {

namespace {

using Json = nlohmann::json;

class OwnIntervals : public WeftTest {
 protected:
  void SetUp() override {
    for (const auto& [name, seed] : {std::pair{"train.csv", "1"}, {"new.csv", "2"}, {"rows.csv", "3"}}) {
      weft_out({"generate", "friedman1", "--rows", "600", "--noise", "1", "--seed", seed, "--out", name});
      weft_out(
          {"generate", "moons", "--rows", "600", "--noise", "0.4", "--seed", seed, "--out", "c" + std::string(name)});
    }
    train("train.csv", "m.weft");
    train("ctrain.csv", "c.weft");
  }
  void train(const std::string& table, const std::string& model) const {
    weft_out({"train", table, "--target", "target", "--fast", "--features", "100", "--model", model});
  }
};

TEST_F(OwnIntervals, EndsStandBesideThePrediction) {
  const std::string plain = weft_out({"predict", "m.weft", "new.csv"});
  const std::string out = weft_out({"predict", "m.weft", "new.csv", "--interval", "0.9", "--rows"});
  const std::string header = out.substr(0, out.find('\n'));
  EXPECT_TRUE(header.starts_with("row,")) << header;
  EXPECT_TRUE(header.ends_with(",lower,upper")) << header;
  const auto rows = csv_numbers(out), before = csv_numbers(plain);
  ASSERT_EQ(rows.size(), 600u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_EQ(rows[i].size(), 4u);
    EXPECT_EQ(rows[i][1], before[i][0]);
    EXPECT_LT(rows[i][2], rows[i][1]);
    EXPECT_GT(rows[i][3], rows[i][1]);
  }
  const Json measured = Json::parse(weft_out({"evaluate", "m.weft", "new.csv", "--interval", "0.9", "--json"}));
  EXPECT_NEAR(measured["coverage"].get<double>(), 0.9, 4 * std::sqrt(0.09 * (1.0 / 600 + 1.0 / 600)));
  EXPECT_NEAR(measured["mean_width"].get<double>(), rows[0][3] - rows[0][2], 1e-9);
  EXPECT_EQ(measured["interval"], 0.9);
}

TEST_F(OwnIntervals, SetsAreLabels) {
  const std::string out = weft_out({"predict", "c.weft", "cnew.csv", "--interval", "0.95"});
  std::istringstream lines(out);
  std::string line;
  std::getline(lines, line);
  EXPECT_TRUE(line.ends_with(",set")) << line;
  int several = 0, rows = 0;
  for (; std::getline(lines, line); ++rows) {
    const std::string label = line.substr(0, line.find(',')), set = line.substr(line.find(',') + 1);
    EXPECT_TRUE(set == label || set == "0|1") << line;
    several += set == "0|1";
  }
  EXPECT_EQ(rows, 600);
  EXPECT_GT(several, 0);
  const Outcome told = weft({"evaluate", "c.weft", "cnew.csv", "--interval", "0.95", "--interval-by-class"});
  EXPECT_NE(told.out.find("coverage"), std::string::npos);
  EXPECT_NE(told.out.find("mean_set_size"), std::string::npos);
}

TEST_F(OwnIntervals, LabelledRowsCalibrateAnyModel) {
  weft_out({"train", "train.csv", "--target", "target", "--fit", "lasso", "--features", "60", "--model", "l.weft"});
  expect_refused({"predict", "l.weft", "new.csv", "--interval", "0.9"}, {"--interval", "--intervals", "--calibrate"});
  const Json measured = Json::parse(
      weft_out({"evaluate", "l.weft", "new.csv", "--interval", "0.9", "--calibrate", "rows.csv", "--json"}));
  EXPECT_NEAR(measured["coverage"].get<double>(), 0.9, 4 * std::sqrt(0.09 * (1.0 / 600 + 1.0 / 600)));
  weft_out({"train", "train.csv", "--target", "target", "--fit", "lasso", "--features", "60", "--intervals", "--model",
            "l.weft"});
  EXPECT_NE(weft_out({"info", "l.weft"}).find("intervals (from"), std::string::npos);
  weft_out({"predict", "l.weft", "new.csv", "--interval", "0.9", "--out", "p.csv"});
}

TEST_F(OwnIntervals, MistakesNameTheRemedy) {
  expect_refused({"predict", "m.weft", "new.csv", "--interval", "90"}, {"--interval"});
  expect_refused({"predict", "m.weft", "new.csv", "--interval", "0.9", "--interval-by-class"}, {"--interval-by-class"});
  expect_refused({"predict", "c.weft", "cnew.csv", "--interval-by-class"}, {"--interval-by-class", "--interval"});
  expect_refused({"predict", "m.weft", "new.csv", "--calibrate", "rows.csv"}, {"--calibrate", "--interval"});
  expect_refused({"predict", "m.weft", "new.csv", "--interval", "0.9", "--calibrate", "rows.csv", "--out", "rows.csv"},
                 {"--out", "--calibrate"});
}

TEST_F(OwnIntervals, CertifyNamesThePlainBoundFirst) {
  const std::string own = weft_out({"certify", "c.weft", "ctrain.csv"});
  EXPECT_TRUE(own.starts_with("On 600 rows that were predicted without them (leaving one out)")) << own;
  const std::string given = weft_out({"certify", "c.weft", "ctrain.csv", "--held-out", "cnew.csv"});
  EXPECT_TRUE(given.starts_with("On 600 rows that were predicted without them (the rows given)")) << given;
  EXPECT_NE(given.find("Clopper–Pearson"), std::string::npos);
  weft_out({"train", "ctrain.csv", "--target", "target", "--fit", "local", "--model", "s.weft"});
  const std::string sum = weft_out({"certify", "s.weft", "ctrain.csv"});
  EXPECT_TRUE(sum.starts_with("On 600 rows that were predicted without them (cross-fitting)")) << sum;
  EXPECT_NE(sum.find("no theorem covers"), std::string::npos);
}

}  // namespace

}  // namespace weft::testing
