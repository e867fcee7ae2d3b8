// What `weft train` does where no method is named.
#include "cli/run_weft.hpp"

#include <nlohmann/json.hpp>

namespace weft::testing {

namespace {

using nlohmann::json;

// Enough for two candidates.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr const char* kMinutes = "0.5";
#else
constexpr const char* kMinutes = "0.05";
#endif

class LearnedKernels : public WeftTest {
 protected:
  LearnedKernels() {
    weft_out({"generate", "moons", "--rows", "200", "--out", "moons.csv"});
    weft_out({"generate", "friedman1", "--rows", "200", "--out", "numbers.csv"});
  }
  json train(Words words) {
    words.insert(words.begin(), {"train", "numbers.csv", "--target", "target", "--json"});
    return json::parse(weft_out(words));
  }
};

TEST_F(LearnedKernels, AreTheDefault) {
  const json result = train({});
  EXPECT_EQ(result["fit"], "portfolio");
  EXPECT_FALSE(result["report"]["chosen"].get<std::string>().empty());
  EXPECT_GE(result["report"]["tried"].size(), 2U);
  EXPECT_GT(result["train"]["r2"].get<double>(), 0.9);
}

TEST_F(LearnedKernels, GiveWayToOptionsOfRandomFeatures) {
  EXPECT_EQ(train({"--fast"})["fit"], "least-squares");
  EXPECT_EQ(train({"--features", "50"})["fit"], "least-squares");
  EXPECT_EQ(train({"--lambda", "1e-3"})["fit"], "least-squares");
  EXPECT_EQ(train({"--relevance", "0", "--single"})["fit"], "portfolio");
  const auto note = [&](const char* option, const char* value) {
    return weft_out({"train", "numbers.csv", "--target", "target", option, value}).find("learned kernels");
  };
  EXPECT_NE(note("--features", "50"), std::string::npos);
  EXPECT_EQ(note("--fit", "least-squares"), std::string::npos);
}

TEST_F(LearnedKernels, HaveTheirRelevanceForRandomFeaturesToo) {
  const json result = train({"--features", "100", "--relevance", "2", "--model", "m.weft"});
  EXPECT_EQ(result["fit"], "learned-relevance");
  EXPECT_NE(weft_out({"info", "m.weft"}).find("relevance"), std::string::npos);
  EXPECT_EQ(train({"--fast", "--relevance", "1"})["fit"], "learned-relevance");
  expect_refused({"train", "numbers.csv", "--target", "target", "--relevance", "1", "--sampling", "leverage"},
                 {"--sampling", "plain"});
}

TEST_F(LearnedKernels, AreSearchedLongerWithAuto) {
  const json result = train({"--auto", "--minutes", "0.05"});
  EXPECT_EQ(result["fit"], "portfolio");
  expect_refused({"train", "numbers.csv", "--target", "target", "--auto", "--folds", "3"}, {"--folds", "--fit"});
  expect_refused({"train", "numbers.csv", "--target", "target", "--fast", "--fit", "local"},
                 {"--fast", "one of the two"});
}

TEST_F(LearnedKernels, AreAveragedByTheMetricThatIsAskedFor) {
  weft_out({"train", "moons.csv", "--target", "target", "--auto", "--minutes", "0.05", "--metric", "auc", "--model",
            "m.weft"});
  EXPECT_NE(weft_out({"info", "m.weft", "--json"}).find("\"metric\""), std::string::npos);
  expect_refused({"train", "numbers.csv", "--target", "target", "--auto", "--metric", "auc"}, {"auc"});
  expect_refused({"train", "moons.csv", "--target", "target", "--metric", "auc"}, {"--metric", "--auto"});
}

TEST_F(LearnedKernels, AreSearchedByTune) {
  const json result = json::parse(weft_out({"tune", "numbers.csv", "--target", "target", "--minutes", kMinutes,
                                            "--holdout", "0.25", "--repeats", "2", "--model", "m.weft", "--json"}));
  EXPECT_GE(result["tried"].size(), 2U);
  double weights = 0;
  for (const json& tried : result["tried"]) weights += tried["weight"].get<double>();
  EXPECT_NEAR(weights, 1, 1e-9);
  EXPECT_EQ(result["repeats"].size(), 2U);
  EXPECT_LT(result["test"]["mse"]["mean"].get<double>(), 5);  // the variance is about 24
  EXPECT_NE(weft_out({"tune", "numbers.csv", "--target", "target", "--minutes", "0.05"}).find("weighted average"),
            std::string::npos);
  for (const Words& words : {Words{"tune", "--fit", "local"}, Words{"train", "--auto", "--fit", "local"}}) {
    Words command = words;
    command.insert(command.end(), {"--target", "target", "numbers.csv"});
    expect_refused(command, {"local", "chooses its hyperparameters itself", "--auto"});
  }
}

TEST_F(LearnedKernels, ShowWhatMattersAndPredictProbabilities) {
  weft_out({"train", "moons.csv", "--target", "target", "--model", "m.weft"});
  EXPECT_NE(weft_out({"info", "m.weft"}).find("relevance"), std::string::npos);
  weft_out({"predict", "m.weft", "moons.csv", "--proba", "--out", "p.csv"});
  const json pruned =
      json::parse(weft_out({"prune", "m.weft", "moons.csv", "--features", "50", "--out", "s.weft", "--json"}));
  EXPECT_LE(pruned["features"]["after"].get<int>(), 50);
  expect_refused({"prune", "m.weft", "moons.csv", "--accept", "norm", "--out", "s.weft"}, {"--accept", "members"});
  const json certificate = json::parse(weft_out({"certify", "m.weft", "moons.csv", "--json"}));
  EXPECT_EQ(certificate["held_out"]["name"], "Clopper–Pearson");
  EXPECT_TRUE(certificate["bounds"].empty());
  EXPECT_NE(certificate["notes"][0].get<std::string>().find("no theorem"), std::string::npos);
  expect_refused({"certify", "m.weft", "moons.csv", "--bound", "10"}, {"no theorem"});
}

TEST_F(LearnedKernels, RefuseWhatTheyCannotDo) {
  const auto refused = [&](Words words, const Words& parts) {
    words.insert(words.begin(), {"train", "numbers.csv", "--target", "target", "--fit", "local"});
    expect_refused(words, parts);
  };
  refused({"--kernel", "angular"}, {"--kernel", "laplace-l2"});
  refused({"--kernel", "laplace", "--exponent", "1.4"}, {"--exponent", "laplace-l2"});
  refused({"--bandwidth", "wide"}, {"--bandwidth", "positive number"});
  refused({"--leaf", "5"}, {"--leaf", "at least 10"});
  refused({"--family", "rw-relu"}, {"--family", "random features"});
  refused({"--global", "50"}, {"--global", "2500 rows"});
}

}  // namespace

}  // namespace weft::testing
