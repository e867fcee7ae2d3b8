// prune as a user runs it.
#include "cli/run_weft.hpp"

#include <nlohmann/json.hpp>

namespace weft::testing {

namespace {

using nlohmann::json;

class Prune : public WeftTest {
 protected:
  Prune() {
    weft_out({"generate", "moons", "--rows", "600", "--noise", "0.2", "--out", "moons.csv"});
    weft_out({"generate", "moons", "--rows", "200", "--noise", "0.2", "--seed", "2", "--out", "test.csv"});
    weft_out({"train", "moons.csv", "--target", "target", "--features", "80", "--model", "m.weft"});
  }
};

TEST_F(Prune, TheSmallModelIsTheOneReported) {
  const json said =
      json::parse(weft_out({"prune", "m.weft", "moons.csv", "--out", "s.weft", "--test", "test.csv", "--json"}));
  const json info = json::parse(weft_out({"info", "s.weft", "--json"}));
  EXPECT_EQ(said["features"]["before"], 80);
  EXPECT_EQ(said["features"]["after"], info["features"]);
  EXPECT_LT(info["features"], 80);
  EXPECT_NEAR(said["removed_percent"], 100 - info["features"].get<double>() / 0.8, 1e-9);
  EXPECT_EQ(said["bytes"]["after"], text("s.weft").size());
  EXPECT_EQ(said["bytes"]["before"], text("m.weft").size());
  EXPECT_GT(said["speed_up"], 0);
  EXPECT_LE(said["train_error"]["after"].get<double>(), said["train_error"]["before"].get<double>() + 0.01 + 1e-12);
  for (const auto& [rows, file] : {std::pair("train_error", "moons.csv"), std::pair("test_error", "test.csv")}) {
    EXPECT_EQ(said[rows]["before"], json::parse(weft_out({"evaluate", "m.weft", file, "--json"}))["error"]);
    EXPECT_EQ(said[rows]["after"], json::parse(weft_out({"evaluate", "s.weft", file, "--json"}))["error"]);
  }
  EXPECT_NEAR(said["norms"]["after"][0], info["norms"]["rkhs"][0].get<double>(),
              1e-6 * info["norms"]["rkhs"][0].get<double>());
  EXPECT_TRUE(info["provenance"]["pruned_from"].get<std::string>().starts_with("m.weft"));
  EXPECT_FALSE(said["path"].empty());
  EXPECT_EQ(csv_numbers(weft_out({"predict", "s.weft", "test.csv"})).size(), 200u);
}

TEST_F(Prune, TablesNameWhatChanged) {
  const std::string said = weft_out({"prune", "m.weft", "moons.csv", "--out", "s.weft", "--features", "10"});
  for (const char* word :
       {"of 80 features remain", "train_error", "distance in H", "times as fast", "lambda", "s.weft"})
    EXPECT_NE(said.find(word), std::string::npos) << word << "\n" << said;
  EXPECT_LE(json::parse(weft_out({"info", "s.weft", "--json"}))["features"], 10);
}

TEST_F(Prune, AModelCanBePrunedAgain) {
  weft_out({"prune", "m.weft", "moons.csv", "--out", "s.weft", "--features", "20"});
  weft_out({"prune", "s.weft", "moons.csv", "--out", "s.weft", "--features", "5"});
  EXPECT_LE(json::parse(weft_out({"info", "s.weft", "--json"}))["features"], 5);
}

TEST_F(Prune, MistakesAreNamed) {
  write("inputs.csv", "x0,x1\n1,2\n");
  write("other.csv", "p,target\n1,0\n");
  const auto refused = [&](Words more, const Words& words) {
    more.insert(more.begin(), {"prune", "m.weft"});
    expect_refused(more, words);
  };
  refused({"inputs.csv", "--out", "s.weft"}, {"inputs.csv", "'target'"});
  refused({"other.csv", "--out", "s.weft"}, {"other.csv", "no column"});
  refused({"nowhere.csv", "--out", "s.weft"}, {"nowhere.csv"});
  refused({"nowhere.csv", "--out", "no/s.weft"}, {"no/s.weft"});
  refused({"moons.csv", "--out", "s.weft", "--epsilon", "-1"}, {"--epsilon", "at least 0"});
  refused({"moons.csv", "--out", "s.weft", "--features", "0"}, {"--features"});
  refused({"moons.csv", "--out", "s.weft", "--features", "80"}, {"--features", "80 features"});
  refused({"moons.csv", "--out", "s.weft", "--features", "8", "--epsilon", "0.1"}, {"both --features and --epsilon"});
  refused({"moons.csv", "--out", "s.weft", "--method", "magic"}, {"--method", "predictions"});
  expect_refused({"prune", "moons.csv", "moons.csv", "--out", "s.weft"}, {"moons.csv"});
}

TEST_F(Prune, WhatDoesNotFitTheModelIsRefused) {
  weft_out({"train", "moons.csv", "--target", "target", "--features", "30", "--fit", "logistic", "--model", "l.weft"});
  weft_out({"train", "moons.csv", "--target", "x0", "--features", "30", "--family", "rks-cos", "--model", "n.weft"});
  expect_refused({"prune", "l.weft", "moons.csv", "--out", "s.weft", "--refit", "least-squares"},
                 {"--refit", "logistic", "projection"});
  expect_refused({"prune", "n.weft", "moons.csv", "--out", "s.weft", "--accept", "error"}, {"--accept", "risk"});
  expect_refused({"prune", "n.weft", "moons.csv", "--out", "s.weft", "--accept", "norm"}, {"--accept", "plain"});
}

}  // namespace

}  // namespace weft::testing
