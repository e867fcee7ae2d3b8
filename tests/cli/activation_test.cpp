// A learned activation from the command line: train, print, draw.
#include "cli/run_weft.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <sstream>

namespace weft::testing {

namespace {

using nlohmann::json;

class LearnedActivationCommand : public WeftTest {
 protected:
  LearnedActivationCommand() {
    weft_out({"generate", "moons", "--rows", "300", "--out", "moons.csv"});
    weft_out({"train", "moons.csv", "--target", "target", "--fit", "learned-activation", "--features", "20",
              "--grid-points", "8", "--lambda", "1e-4", "--iterations", "3", "--model", "m.weft"});
  }
};

TEST_F(LearnedActivationCommand, PrintsAndDraws) {
  const json printed = json::parse(weft_out({"activation", "m.weft", "--points", "41", "--json"}));
  EXPECT_EQ(printed["basis"], "bspline");
  EXPECT_EQ(printed["coefficients"].size(), 8U);
  EXPECT_EQ(printed["z"].size(), 41U);
  EXPECT_NEAR(printed["z"][0].get<double>(), printed["low"].get<double>(), 1e-12);
  EXPECT_NEAR(printed["z"][40].get<double>(), printed["high"].get<double>(), 1e-9);

  weft_out({"activation", "m.weft", "--points", "41", "--out", "a.csv"});
  std::istringstream lines(file_text(path("a.csv")));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "z,activation,basis1,basis2,basis3,basis4,basis5,basis6,basis7,basis8");
  for (std::size_t k = 0; std::getline(lines, line); ++k) {
    std::istringstream cells(line);
    std::vector<double> row;
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
    ASSERT_EQ(row.size(), 10U);
    EXPECT_EQ(row[1], printed["value"][k].get<double>());
    double sum = 0;
    for (std::size_t i = 2; i < 10; ++i) sum += row[i];
    EXPECT_NEAR(sum, row[1], 1e-12);
  }
  weft_out({"activation", "m.weft", "--points", "41", "--report", "a.html"});
  const std::string page = file_text(path("a.html"));
  EXPECT_EQ(page.rfind("<!doctype html>", 0), 0U);
  for (const char* words : {"Activation h", "Its basis functions", "8 bspline functions"})
    EXPECT_NE(page.find(words), std::string::npos) << words;
  EXPECT_NE(weft_out({"activation", "m.weft"}).find("8 bspline functions"), std::string::npos);
}

TEST_F(LearnedActivationCommand, TheModelIsLikeAnyOther) {
  EXPECT_NE(weft_out({"info", "m.weft"}).find("rks-learned"), std::string::npos);
  EXPECT_LT(json::parse(weft_out({"evaluate", "m.weft", "moons.csv", "--json"}))["error"].get<double>(), 0.2);
  const std::string certificate = weft_out({"certify", "m.weft", "moons.csv"});
  EXPECT_NE(certificate.find("activation was learned from the rows"), std::string::npos);
  weft_out({"tune", "moons.csv", "--target", "target", "--fit", "learned-activation", "--features", "10",
            "--grid-points", "6", "--configurations", "2", "--folds", "3", "--iterations", "2", "--model", "t.weft"});
  EXPECT_NE(weft_out({"info", "t.weft"}).find("rks-learned"), std::string::npos);
}

TEST_F(LearnedActivationCommand, PruningKeepsTheActivation) {
  weft_out({"prune", "m.weft", "moons.csv", "--out", "small.weft", "--features", "8"});
  EXPECT_EQ(json::parse(weft_out({"activation", "small.weft", "--json"})),
            json::parse(weft_out({"activation", "m.weft", "--json"})));
  EXPECT_LT(json::parse(weft_out({"evaluate", "small.weft", "moons.csv", "--json"}))["error"].get<double>(), 0.3);
}

TEST_F(LearnedActivationCommand, StructuredCentresServeAsWell) {
  for (const char* sampling : {"structured", "orthogonal", "sobol"}) {
    weft_out({"train", "moons.csv", "--target", "target", "--fit", "learned-activation", "--features", "20",
              "--grid-points", "8", "--lambda", "1e-4", "--iterations", "3", "--sampling", sampling, "--model",
              "s.weft"});
    EXPECT_LT(json::parse(weft_out({"evaluate", "s.weft", "moons.csv", "--json"}))["error"].get<double>(), 0.2)
        << sampling;
  }
}

TEST_F(LearnedActivationCommand, CentresAreChosenFromAPool) {
  for (const char* sampling : {"leverage", "leverage-top"}) {
    const json trained =
        json::parse(weft_out({"train",        "moons.csv", "--target",      "target", "--fit",    "learned-activation",
                              "--features",   "20",        "--grid-points", "8",      "--lambda", "1e-4",
                              "--iterations", "3",         "--sampling",    sampling, "--pool",   "100",
                              "--model",      "s.weft",    "--json"}));
    EXPECT_EQ(trained["report"]["pool"], 100) << trained.dump();
    EXPECT_LT(json::parse(weft_out({"evaluate", "s.weft", "moons.csv", "--json"}))["error"].get<double>(), 0.2)
        << sampling;
    weft_out({"predict", "s.weft", "moons.csv", "--out", "p.csv"});
    EXPECT_FALSE(file_text(path("p.csv")).empty());
  }
  weft_out({"tune",
            "moons.csv",
            "--target",
            "target",
            "--fit",
            "learned-activation",
            "--features",
            "5",
            "--grid-points",
            "6",
            "--configurations",
            "2",
            "--folds",
            "3",
            "--iterations",
            "2",
            "--sampling",
            "leverage",
            "--pool",
            "30",
            "--model",
            "t.weft"});
  EXPECT_NE(weft_out({"info", "t.weft"}).find("rks-learned"), std::string::npos);
}

TEST_F(LearnedActivationCommand, ASearchOverAllFamiliesLeavesOutWhatHasNothingToLearn) {
  const json found = json::parse(weft_out({"tune",
                                           "moons.csv",
                                           "--target",
                                           "target",
                                           "--fit",
                                           "learned-activation",
                                           "--family",
                                           "all",
                                           "--features",
                                           "4",
                                           "--grid-points",
                                           "5",
                                           "--lambda",
                                           "1e-3",
                                           "--configurations",
                                           "1",
                                           "--folds",
                                           "2",
                                           "--iterations",
                                           "1",
                                           "--json"}));
  ASSERT_EQ(found["notes"].size(), 1U);
  EXPECT_EQ(found["notes"][0], "--fit learned-activation does not support rff-rbf, rff-laplace");
}

TEST_F(LearnedActivationCommand, MistakesHaveRemedies) {
  const auto refuse = [this](std::vector<std::string> options, Words words) {
    std::vector<std::string> command = {"train", "moons.csv", "--target", "target", "--fit", "learned-activation"};
    command.insert(command.end(), options.begin(), options.end());
    expect_refused(command, words);
  };
  refuse({"--grid-points", "1"}, {"--grid-points:", "at least 2"});
  refuse({"--basis", "rbf", "--basis-width", "0"}, {"--basis-width:", "greater than 0"});
  refuse({"--basis", "rbf", "--basis-width", "-1"}, {"--basis-width:", "greater than 0"});
  refuse({"--grid-range", "100:200"}, {"--grid-range:", "no projection", "leave it out"});
  refuse({"--family", "rks-relu+rks-cos"}, {"--family:", "union", "rks-relu"});
  refuse({"--family", "rff-rbf"}, {"--family:", "cosine", "rks-cos"});
  expect_refused(
      {"tune", "moons.csv", "--target", "target", "--fit", "learned-activation", "--family", "rks-relu,rff-rbf"},
      {"--family:", "cosine", "rks-cos"});
  refuse({"--solver", "direct"}, {"--solver:", "learned-activation does not use it"});
  refuse({"--sampling", "leverage", "--features", "30", "--pool", "20"}, {"--pool:", "30 features", "among 20"});
  expect_refused({"train", "moons.csv", "--target", "target", "--starts", "3"}, {"--starts:", "learned-activation"});
  expect_refused({"activation", "m.weft", "--out", "a.svg"}, {"--out:", ".csv", "--report"});
  weft_out({"train", "moons.csv", "--target", "target", "--features", "5", "--model", "plain.weft"});
  expect_refused({"activation", "plain.weft"}, {"plain.weft:", "not learned", "--fit learned-activation"});
  expect_refused({"features", "moons.csv", "--family", "rks-learned"}, {"--family:", "--fit learned-activation"});
}

}  // namespace

}  // namespace weft::testing
