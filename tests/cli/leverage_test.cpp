#include "cli/run_weft.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

namespace weft::testing {

namespace {

using nlohmann::json;

class LeverageCommand : public WeftTest {
 protected:
  LeverageCommand() {
    weft_out({"generate", "moons", "--rows", "200", "--out", "moons.csv"});
    write("bare.csv", "x0,x1\n0.1,0.2\n-1,0.5\n0.7,-0.3\n1.5,0.1\n");
  }
};

TEST_F(LeverageCommand, WritesScoresHistogramAndDimension) {
  const json said =
      json::parse(weft_out({"leverage", "moons.csv", "--target", "target", "--family", "rff-rbf", "--candidates", "50",
                            "--lambdas", "1e-2,1e-5", "--out", "scores.csv", "--json"}));
  EXPECT_EQ(said["candidates"], 50);
  EXPECT_EQ(said["rows"], 200);
  ASSERT_EQ(said["lambdas"].size(), 2u);
  const auto written = csv_numbers(text("scores.csv"));
  ASSERT_EQ(written.size(), 50u);
  for (std::size_t k = 0; k < 2; ++k) {
    const json& at = said["lambdas"][k];
    double sum = 0, count = 0;
    for (std::size_t t = 0; t < 50; ++t) {
      EXPECT_NEAR(written[t][k], at["scores"][t], 1e-12);
      sum += written[t][k];
    }
    for (const double bin : at["histogram"]["counts"]) count += bin;
    EXPECT_NEAR(at["effective_dimension"], sum, 1e-9);
    EXPECT_EQ(count, 50);
  }
  EXPECT_LT(said["lambdas"][0]["effective_dimension"], said["lambdas"][1]["effective_dimension"]);
  EXPECT_NE(weft_out({"leverage", "moons.csv", "--candidates", "30"}).find("█"), std::string::npos);
  // As lambda vanishes every score tends to 1.
  const Words sweep = {"leverage", "moons.csv", "--target",     "target", "--family",  "rff-rbf",
                       "--sigma",  "3",         "--candidates", "20",     "--lambdas", "1e-2,1e-10"};
  const std::string said_of_both = weft_out(sweep);
  EXPECT_NE(said_of_both.find("chooses"), std::string::npos) << said_of_both;
  EXPECT_NE(said_of_both.find("is plain"), std::string::npos) << said_of_both;
}

TEST_F(LeverageCommand, RefusesWhatMakesNoSense) {
  expect_refused({"leverage", "moons.csv", "--lambdas", "0"}, {"--lambdas", "greater than 0"});
  expect_refused({"leverage", "moons.csv", "--lambdas", "1,x"}, {"lambdas"});
  expect_refused({"leverage", "none.csv"}, {"none.csv", "No such file"});
  expect_refused({"leverage", "moons.csv", "--candidates", "0"}, {"--candidates", "at least 1"});
  expect_refused({"leverage", "moons.csv", "--candidates", "20000", "--max-memory", "1G"}, {"--candidates", "need"});
  expect_refused({"leverage", "moons.csv", "--out", "nowhere/s.csv"}, {"nowhere"});
}

TEST_F(LeverageCommand, TrainSamplesAndRefuses) {
  const json said = json::parse(weft_out({"train", "moons.csv", "--target", "target", "--family", "rff-rbf",
                                          "--features", "30", "--sampling", "leverage", "--json"}));
  EXPECT_LE(said["features"], 30);
  EXPECT_LT(said["train"]["error"], 0.2);
  const Words train = {"train", "moons.csv", "--target", "target", "--model", "m.weft"};
  const auto refuse = [&](Words more, const Words& words) {
    more.insert(more.begin(), train.begin(), train.end());
    expect_refused(more, words);
  };
  refuse({"--sampling", "magic"}, {"--sampling", "one of"});
  refuse({"--sampling", "leverage", "--sampling-lambda", "0"}, {"--sampling-lambda", "greater than 0"});
  refuse({"--sampling", "leverage-top", "--sampling-lambda", "-1e-3"}, {"--sampling-lambda", "greater than 0"});
  refuse({"--features", "50", "--sampling", "leverage", "--candidates", "49"}, {"--candidates", "at least 50"});
  refuse({"--features", "50", "--sampling", "eerf", "--candidates", "40"}, {"--candidates", "at least 50"});
  refuse({"--sampling", "leverage", "--features", "9000", "--max-memory", "3G"}, {"--", "need"});
  refuse({"--sampling", "orthogonal"}, {"--sampling", "dense"});
  refuse({"--candidates", "40"}, {"--candidates", "plain"});
}

TEST_F(LeverageCommand, FewLabelsTrainOnFeaturesOfAllRows) {
  const Words common = {"train",      "moons.csv", "--target", "target",   "--family", "rff-rbf", "--features", "25",
                        "--sampling", "leverage",  "--fit",    "logistic", "--lambda", "1e-3",    "--json"};
  Words few = common;
  few.insert(few.end(), {"--labels-per-class", "10"});
  const json said = json::parse(weft_out(few));
  EXPECT_EQ(said["train"]["rows"], 20);
  EXPECT_LT(said["train"]["error"], 0.3);
  Words apart = common;
  apart.insert(apart.end(), {"--unlabelled", "bare.csv", "--candidates", "40"});
  EXPECT_EQ(json::parse(weft_out(apart))["train"]["rows"], 200);
  const auto refuse = [&](Words more, const Words& words) {
    more.insert(more.begin(), common.begin(), common.end());
    expect_refused(more, words);
  };
  refuse({"--labels-per-class", "5000"}, {"--labels-per-class", "give at most"});
  refuse({"--labels-per-class", "-2"}, {"--labels-per-class", "at least 0"});
  refuse({"--unlabelled", "none.csv"}, {"none.csv"});
  expect_refused({"train", "builtin:friedman1", "--labels-per-class", "5", "--model", "m.weft"},
                 {"--labels-per-class", "classes"});
}

}  // namespace

}  // namespace weft::testing
