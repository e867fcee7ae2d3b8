#include <weft/model.hpp>

#include "cli/run_weft.hpp"

#include <set>

#include <nlohmann/json.hpp>

namespace weft::testing {

namespace {

using nlohmann::json;

class Tune : public WeftTest {
 protected:
  Tune() {
    weft_out({"generate", "friedman1", "--rows", "300", "--out", "numbers.csv"});
    weft_out({"generate", "moons", "--rows", "300", "--out", "classes.csv"});
  }
  static Words small(Words arguments) {
    arguments.insert(arguments.end(), {"--target", "target", "--features", "40", "--configurations", "4"});
    return arguments;
  }
};

TEST_F(Tune, SaysWhatItFoundAndWritesTheModel) {
  const json said = json::parse(weft_out(small({"tune", "numbers.csv", "--family", "rw-relu,rw-stumps", "--model",
                                                "best.weft", "--holdout", "0.2", "--repeats", "2", "--json"})));
  EXPECT_EQ(said["metric"], "mse");
  EXPECT_EQ(said["trials"].size(), 8U);
  EXPECT_EQ(said["planned"], 8);
  double best = 1e9;
  for (const json& trial : said["trials"]) {
    EXPECT_EQ(trial["fold_scores"].size(), 5U);
    best = std::min(best, trial["score"].get<double>());
  }
  EXPECT_EQ(said["best"]["score"], best);
  EXPECT_GT(said["leave_one_out"].get<double>(), 0);
  EXPECT_EQ(said["curve"].back()["features"], 40);
  EXPECT_EQ(said["repeats"].size(), 2U);
  EXPECT_EQ(said["repeats"][1]["seed"], 2);
  const double mean =
      (said["repeats"][0]["test"]["mse"].get<double>() + said["repeats"][1]["test"]["mse"].get<double>()) / 2;
  EXPECT_NEAR(said["test"]["mse"]["mean"], mean, 1e-12);
  const Model model = Model::load(path("best.weft"));
  EXPECT_EQ(model.parts().options.at("family"), said["best"]["family"]);
  EXPECT_EQ(model.parts().report.number("lambda"), said["best"]["lambda"].get<double>());
}

TEST_F(Tune, TablesForPeople) {
  const std::string said = weft_out(small({"tune", "classes.csv", "--family", "rw-sign"}));
  for (const char* word :
       {"rw-sign", "theta", "error", "recommended", "leave-one-out", "4 of 4 configurations", "sharing saved"})
    EXPECT_NE(said.find(word), std::string::npos) << word << "\n" << said;
}

TEST_F(Tune, KernelMachines) {
  const Words tune = {"tune", "classes.csv", "--target", "target", "--fit", "kernel-ridge", "--configurations", "3"};
  const auto with = [&](Words more) {
    more.insert(more.begin(), tune.begin(), tune.end());
    return more;
  };
  const json said = json::parse(weft_out(with({"--model", "best.weft", "--json"})));
  EXPECT_EQ(said["trials"].size(), 3U);
  EXPECT_EQ(said["best"]["family"], "rbf");
  const Model model = Model::load(path("best.weft"));
  EXPECT_EQ(model.parts().report.number("bandwidth"), said["best"]["bandwidth"].get<double>());
  EXPECT_EQ(json::parse(weft_out(with({"--bandwidth", "0.5", "--json"})))["trials"].size(), 1U);
  EXPECT_NE(weft_out(with({"--kernel", "implicit:rw-sign"})).find("implicit:rw-sign"), std::string::npos);
  expect_refused(with({"--features", "500"}), {"--features", "--landmarks"});
  expect_refused(with({"--bandwidth-range", "0:1"}), {"--bandwidth-range", "LOW:HIGH"});
  expect_refused(with({"--max-memory", "1M"}), {"300 rows", "need"});
}

TEST_F(Tune, GoesOnFromItsLog) {
  const json first =
      json::parse(weft_out(small({"tune", "classes.csv", "--family", "rw-sign", "--log", "log.jsonl", "--json"})));
  EXPECT_EQ(first["resumed"], 0);
  json again =
      json::parse(weft_out(small({"tune", "classes.csv", "--family", "rw-sign", "--log", "log.jsonl", "--json"})));
  EXPECT_EQ(again["resumed"], 4);
  EXPECT_EQ(again["best"], first["best"]);
  EXPECT_EQ(again["curve"], first["curve"]);
  // A random search may grow.
  Words more = small({"tune", "classes.csv", "--family", "rw-sign", "--log", "log.jsonl", "--json"});
  more.back() = "6";
  EXPECT_EQ(json::parse(weft_out(more))["trials"].size(), 6U);
}

TEST_F(Tune, TrainAutoIsSearchAndFit) {
  const json said = json::parse(weft_out(small({"train", "classes.csv", "--auto", "--smallest", "--family", "rw-sign",
                                                "--model", "m.weft", "--json", "--metric", "logloss"})));
  EXPECT_EQ(said["search"]["metric"], "logloss");
  EXPECT_EQ(said["features"], said["search"]["recommended_features"]);
  EXPECT_TRUE(said["train"].contains("logloss"));
}

TEST_F(Tune, WhatIsGivenIsNotSearchedEvenAtItsDefault) {
  const auto sigmas = [&](Words more) {
    const json said = json::parse(weft_out(small(std::move(more))));
    std::set<double> values;
    for (const json& trial : said["trials"]) values.insert(trial["sigma"].get<double>());
    return values;
  };
  EXPECT_EQ(sigmas({"tune", "classes.csv", "--family", "rw-sign", "--sigma", "1", "--json"}), std::set<double>{1});
  EXPECT_GT(sigmas({"tune", "classes.csv", "--family", "rw-sign", "--json"}).size(), 1U);
}

TEST_F(Tune, MistakesAreNamed) {
  const auto refuse = [&](Words options, const Words& words) {
    Words arguments = small({"tune", "classes.csv", "--family", "rw-sign"});
    arguments.insert(arguments.end(), options.begin(), options.end());
    expect_refused(arguments, words);
  };
  refuse({"--folds", "500"}, {"--folds", "500 folds", "300 rows"});
  refuse({"--folds", "1"}, {"--folds", "at least 2"});
  refuse({"--repeats", "3"}, {"--repeats", "--holdout"});
  refuse({"--minutes", "0.0000001"}, {"--minutes", "one configuration"});
  refuse({"--metric", "r2"}, {"--metric", "mse, error"});
  refuse({"--sigma-range", "5"}, {"--sigma-range", "LOW:HIGH"});
  refuse({"--model", "no/such/folder/m.weft"}, {"no/such/folder"});
  refuse({"--log", "classes.csv"}, {"classes.csv", "not a log of weft tune"});
  refuse({"--max-memory", "20K"}, {"--features", "40 features", "--max-memory"});
  refuse({"--fit", "lasso", "--calibrate"}, {"--calibrate", "lasso"});
  refuse({"--candidates", "100"}, {"--candidates"});
  expect_refused(small({"tune", "numbers.csv", "--metric", "error"}), {"--metric", "number"});
  expect_refused({"train", "numbers.csv", "--target", "target", "--folds", "3"}, {"--folds", "--auto", "weft tune"});
  expect_refused({"train", "numbers.csv", "--target", "target", "--folds", "5"}, {"--folds", "--auto"});  // the default
}

TEST_F(Tune, AClassOfFewerRowsThanFoldsIsNotedAndRefusedWhereTheMetricNeedsBothClasses) {
  write("rare.csv", "a,b,kind\n1,2,x\n2,3,x\n3,4,x\n4,4,x\n5,1,x\n6,2,y\n1,1,y\n");
  const Words words = {"tune", "rare.csv", "--target", "kind", "--features", "5", "--configurations", "1"};
  const Outcome outcome = weft(words);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* word : {"note: ", "'y' has 2 rows", "use at most 2 --folds"})
    EXPECT_NE(outcome.err.find(word), std::string::npos) << "no '" << word << "' in " << outcome.err;
  Words by_auc = words;
  by_auc.insert(by_auc.end(), {"--metric", "auc"});
  expect_refused(by_auc, {"'y' has 2 rows", "--folds", "at most 2"});
}

}  // namespace

}  // namespace weft::testing
