// What classifiers and regressions are measured by, on tables as people have them: probabilities of every method,
// measures against computations of their own, thresholds, and values beyond double precision.
#include "cli/run_weft.hpp"

#include <fmt/format.h>
#include <cmath>

#include <nlohmann/json.hpp>

namespace weft::testing {

namespace {

using Json = nlohmann::json;

/// The label and the probabilities of every row of a predictions file.
struct Answers {
  Words classes;
  Words labels;
  std::vector<std::vector<double>> probabilities;
};

Words cells_of_line(const std::string& line) {
  Words cells;
  std::istringstream text(line);
  for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
  return cells;
}

Answers answers_of(const std::string& text) {
  Answers result;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  for (const std::string& name : cells_of_line(line))
    if (name.starts_with("proba_")) result.classes.push_back(name.substr(6));
  while (std::getline(lines, line)) {
    const Words cells = cells_of_line(line);
    result.labels.push_back(cells.at(0));
    auto& row = result.probabilities.emplace_back();
    for (std::size_t k = 1; k < cells.size(); ++k) row.push_back(std::stod(cells[k]));
  }
  return result;
}

/// P(p⁺ > p⁻), ties half, over all pairs.
double pairs_won(const Answers& said, const Words& truth, std::size_t k) {
  double won = 0, pairs = 0;
  for (std::size_t i = 0; i < truth.size(); ++i)
    for (std::size_t j = 0; j < truth.size(); ++j) {
      if (truth[i] != said.classes[k] || truth[j] == said.classes[k]) continue;
      const double up = said.probabilities[i][k], down = said.probabilities[j][k];
      won += up > down ? 1 : up == down ? 0.5 : 0;
      ++pairs;
    }
  return won / pairs;
}

class OwnScores : public WeftTest {
 protected:
  /// Points of two or three classes with words for labels; their last column.
  Words write_classes(const std::string& name, bool three, int rows, int seed) const {
    const Words generate = {"generate", three ? "gaussian-quantiles" : "moons",
                            "--rows",   std::to_string(rows),
                            "--seed",   std::to_string(seed)};
    Words labels;
    std::string table;
    for (const auto& row : csv_numbers(weft_out(generate))) {
      labels.push_back(
          std::vector<std::string>{"ash", "birch", "cedar"}[static_cast<std::size_t>(three            ? row.back()
                                                                                     : row.back() > 0 ? 1
                                                                                                      : 0)]);
      for (std::size_t j = 0; j + 1 < row.size(); ++j) table += std::to_string(row[j]) + ",";
      table += labels.back() + "\n";
      if (columns_.empty()) {
        for (std::size_t j = 0; j + 1 < row.size(); ++j) columns_ += "x" + std::to_string(j) + ",";
        columns_ += "tree\n";
      }
    }
    write(name, columns_ + table);
    columns_.clear();
    return labels;
  }

  Json measured(const Words& more = {}) const {
    Words words = {"evaluate", "m.weft", "new.csv", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return Json::parse(weft_out(words));
  }

 private:
  mutable std::string columns_;
};

TEST_F(OwnScores, EveryClassifierHasProbabilities) {
  const std::vector<Words> methods = {
      {},
      {"--fast", "--features", "30"},
      {"--fit", "least-squares", "--features", "30", "--lambda", "1e-3"},
      {"--fit", "least-squares", "--features", "30", "--calibrate"},
      {"--fit", "lasso", "--features", "30"},
      {"--fit", "sfgd", "--features", "200", "--lambda", "1e-1"},
      {"--fit", "sfgd", "--features", "200", "--lambda", "1e-2", "--loss", "logistic"},
      {"--fit", "optimal-step", "--features", "30", "--lambda", "1e-2", "--loss", "hinge"},
      {"--fit", "logistic", "--features", "30", "--lambda", "1e-3"},
      {"--fit", "kernel-ridge"},
      {"--fit", "kernel-ridge", "--landmarks", "20", "--solver", "direct"},
      {"--fit", "kernel-ridge", "--landmarks", "20", "--solver", "cg"},
      {"--fit", "learned-activation", "--features", "20", "--lambda", "1e-3", "--iterations", "2"},
      {"--fit", "learned-activation", "--features", "20", "--lambda", "1e-3", "--iterations", "2", "--loss", "squared"},
      {"--fit", "learned-relevance", "--features", "30"},
      {"--fit", "local", "--leaf", "60"},
  };
  for (const bool three : {false, true}) {
    write_classes("old.csv", three, 200, 1);
    const Words truth = write_classes("new.csv", three, 150, 2);
    for (const Words& method : methods) {
      Words train = {"train", "old.csv", "--target", "tree", "--model", "m.weft"};
      train.insert(train.end(), method.begin(), method.end());
      std::string shown;
      for (const std::string& word : train) shown += word + " ";
      SCOPED_TRACE(shown);
      const Outcome trained = weft(train);
      ASSERT_EQ(trained.exit_code, 0) << trained.err;
      const Answers said = answers_of(weft_out({"predict", "m.weft", "new.csv", "--proba"}));
      ASSERT_EQ(said.classes.size(), three ? 3U : 2U);
      double logloss = 0;
      for (std::size_t i = 0; i < truth.size(); ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < said.classes.size(); ++k) {
          sum += said.probabilities[i][k];
          if (said.classes[k] == truth[i]) logloss -= std::log(said.probabilities[i][k]) / 150;
        }
        EXPECT_NEAR(sum, 1, 1e-12);
      }
      const Json found = measured();
      EXPECT_NEAR(found.at("logloss"), logloss, 1e-9);
      EXPECT_LT(logloss, three ? 1.0986 : 0.6931);  // better than to know nothing
      // Areas are those of the probabilities.
      double mean = 0;
      for (std::size_t k = three ? 0 : 1; k < said.classes.size(); ++k) mean += pairs_won(said, truth, k);
      EXPECT_NEAR(found.at(three ? "macro_auc" : "auc"), three ? mean / 3 : mean, 1e-9);
    }
  }
}

TEST_F(OwnScores, ReportsRankSoftmaxModelsByTheirProbabilities) {
  write_classes("old.csv", true, 200, 1);
  const Words truth = write_classes("new.csv", true, 150, 2);
  weft_out({"train", "old.csv", "--target", "tree", "--fit", "logistic", "--features", "30", "--lambda", "1e-3",
            "--test", "new.csv", "--model", "m.weft", "--report", "r.html"});
  const Answers said = answers_of(weft_out({"predict", "m.weft", "new.csv", "--proba"}));
  for (std::size_t k = 0; k < said.classes.size(); ++k) {
    const std::string drawn = fmt::format("{}, AUC {:.3f}", said.classes[k], pairs_won(said, truth, k));
    EXPECT_NE(text("r.html").find(drawn), std::string::npos) << drawn;
  }
}

TEST_F(OwnScores, MeasuresFollowFromThePredictions) {
  for (const bool three : {false, true}) {
    write_classes("old.csv", three, 300, 1);
    const Words truth = write_classes("new.csv", three, 200, 2);
    weft_out({"train", "old.csv", "--target", "tree", "--fast", "--features", "20", "--model", "m.weft"});
    const Answers said = answers_of(weft_out({"predict", "m.weft", "new.csv", "--proba"}));
    const Json found = measured();
    double precision = 0, recall = 0, f1 = 0, brier = 0;
    for (std::size_t k = three ? 0 : 1; k < said.classes.size(); ++k) {
      double right = 0, predicted = 0, of_class = 0;
      for (std::size_t i = 0; i < truth.size(); ++i) {
        const bool guess = said.labels[i] == said.classes[k], is = truth[i] == said.classes[k];
        right += guess && is ? 1 : 0;
        predicted += guess ? 1 : 0;
        of_class += is ? 1 : 0;
        brier += std::pow(said.probabilities[i][k] - (is ? 1 : 0), 2) / 200;
      }
      const double p = right / predicted, r = right / of_class;
      if (three) {
        const Json& one = found.at("per_class").at(k);
        EXPECT_EQ(one.at("class"), said.classes[k]);
        EXPECT_EQ(one.at("weight"), of_class);
        EXPECT_NEAR(one.at("precision"), p, 1e-12);
        EXPECT_NEAR(one.at("recall"), r, 1e-12);
        EXPECT_NEAR(one.at("auc"), pairs_won(said, truth, k), 1e-9);
      }
      precision += p;
      recall += r;
      f1 += 2 * p * r / (p + r);
    }
    const std::string macro = three ? "macro_" : "";
    const double count = three ? 3 : 1;
    EXPECT_NEAR(found.at(macro + "precision"), precision / count, 1e-12);
    EXPECT_NEAR(found.at(macro + "recall"), recall / count, 1e-12);
    EXPECT_NEAR(found.at(macro + "f1"), f1 / count, 1e-12);
    EXPECT_NEAR(found.at("brier"), brier, 1e-9);
    if (!three) {
      EXPECT_EQ(found.at("positive"), "birch");
    }
  }
}

TEST_F(OwnScores, ThresholdsDecideByTheProbability) {
  write_classes("old.csv", false, 300, 1);
  const Words truth = write_classes("new.csv", false, 200, 2);
  weft_out({"train", "old.csv", "--target", "tree", "--fast", "--features", "20", "--model", "m.weft"});
  for (const char* threshold : {"0", "0.2", "0.5", "0.9", "1"}) {
    const Answers said = answers_of(weft_out({"predict", "m.weft", "new.csv", "--proba", "--threshold", threshold}));
    double right = 0, positive = 0, hits = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const bool birch = said.probabilities[i][1] >= std::stod(threshold);
      EXPECT_EQ(said.labels[i], birch ? "birch" : "ash");
      right += said.labels[i] == truth[i] ? 1 : 0;
      positive += birch ? 1 : 0;
      hits += birch && truth[i] == "birch" ? 1 : 0;
    }
    const Json found = measured({"--threshold", threshold});
    EXPECT_EQ(found.at("threshold"), std::stod(threshold));
    EXPECT_NEAR(found.at("accuracy"), right / 200, 1e-12);
    EXPECT_NEAR(found.at("precision"), positive > 0 ? hits / positive : 0, 1e-12);
    EXPECT_EQ(found.at("auc"), measured().at("auc"));
  }
  write_classes("three.csv", true, 100, 1);
  weft_out({"train", "three.csv", "--target", "tree", "--fast", "--features", "20", "--model", "three.weft"});
  expect_refused({"predict", "three.weft", "three.csv", "--threshold", "0.5"}, {"--threshold:", "two classes"});
  expect_refused({"evaluate", "three.weft", "three.csv", "--threshold", "0.5"}, {"--threshold:", "two classes"});
}

TEST_F(OwnScores, TablesOfClassifiersShowWhatConcernsClasses) {
  write_classes("old.csv", true, 300, 1);
  write_classes("new.csv", true, 200, 2);
  const Words train = {"train", "old.csv", "--target", "tree",    "--fast", "--features",
                       "20",    "--test",  "new.csv",  "--model", "m.weft"};
  const std::string said = weft_out(train);
  for (const char* word : {"balanced_accuracy", "macro_f1", "macro_pr_auc", "brier", "logloss", "cedar"})
    EXPECT_NE(said.find(word), std::string::npos) << word;
  for (const char* word : {"held_out_error", "mse"}) EXPECT_EQ(said.find(word), std::string::npos) << word;
  Words as_json = train;
  as_json.push_back("--json");
  const Json told = Json::parse(weft_out(as_json));
  EXPECT_TRUE(told.at("report").contains("held_out_error"));  // names of the JSON stay
  EXPECT_TRUE(told.at("test").contains("mse"));
  EXPECT_EQ(told.at("test").at("per_class").size(), 3U);
  const std::string evaluated = weft_out({"evaluate", "m.weft", "new.csv"});
  EXPECT_EQ(evaluated.find("mse"), std::string::npos);
  EXPECT_NE(evaluated.find("pr_auc"), std::string::npos);
}

TEST_F(OwnScores, ValuesBeyondDoublePrecisionAreNamed) {
  std::string target = "a,b,y\n", input = "a,b,y\n", tiny = "a,b,y\n", usual = "a,b,y\n";
  for (int i = 0; i < 100; ++i) {
    const double a = std::sin(i), b = std::cos(3 * i);
    target += fmt::format("{},{},{}\n", a, b, (a + b) * 1e200);
    input += fmt::format("{},{},{}\n", a * 1e200, b, a + b);
    tiny += fmt::format("{},{},{}\n", a, b, (a + b) * 1e-200);
    usual += fmt::format("{},{},{}\n", a, b, a + b);
  }
  write("target.csv", target);
  write("input.csv", input);
  write("tiny.csv", tiny);
  write("usual.csv", usual);
  for (const Words& method : {Words{}, Words{"--fast", "--features", "20"}}) {
    const auto with = [&](const char* data) {
      Words words = {"train", data, "--target", "y"};
      words.insert(words.end(), method.begin(), method.end());
      return words;
    };
    expect_refused(with("target.csv"), {"target.csv", "target 'y'", "e+200", "divide it"});
    expect_refused(with("tiny.csv"), {"tiny.csv", "target 'y'", "multiply it"});
    Words huge_input = with("input.csv");
    const Outcome outcome = weft(huge_input);  // ranks of the values are all that some scalings need
    if (outcome.exit_code == 0) {
      EXPECT_EQ(outcome.out.find("inf"), std::string::npos);
      EXPECT_EQ(outcome.out.find("nan"), std::string::npos);
    } else {
      EXPECT_NE(outcome.err.find("column 'a'"), std::string::npos) << outcome.err;
    }
  }
  weft_out({"train", "usual.csv", "--target", "y", "--fast", "--features", "20", "--model", "m.weft"});
  expect_refused({"evaluate", "m.weft", "target.csv"}, {"target.csv", "target 'y'", "rescale"});
}

}  // namespace

}  // namespace weft::testing
