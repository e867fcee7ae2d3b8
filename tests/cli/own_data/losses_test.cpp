// --loss on tables as people have them: counts, outliers, spreads that vary. What is predicted and measured is compared
// with the law that the rows were drawn from and with computations of its own.
#include "cli/run_weft.hpp"

#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace weft::testing {

namespace {

using Json = nlohmann::json;

/// The same numbers with every standard library.
class RandomNumbers {
 public:
  explicit RandomNumbers(unsigned seed) : bits_(seed) {}
  double uniform() { return (static_cast<double>(bits_() >> 11) + 0.5) * 0x1p-53; }
  double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  std::mt19937_64 bits_;
};

class OwnLosses : public WeftTest {
 protected:
  /// y = 5 + 2x + (0.5 + x)·z, z standard normal and x uniform on (0, 1): quantiles are known. Columns x, noise, y.
  void write_spread(const std::string& name, int rows, unsigned seed, double outliers = 0) const {
    RandomNumbers draws(seed);
    std::string text = "x,other,y\n";
    for (int i = 0; i < rows; ++i) {
      const double x = draws.uniform(), z = draws.normal();
      const double far = draws.uniform() < outliers ? 100 : 0;
      text += fmt::format("{},{},{}\n", x, draws.normal(), 5 + 2 * x + (0.5 + x) * z + far);
    }
    write(name, text);
  }

  /// Counts with mean exp(1 + x0 − x1), by inversion.
  void write_counts(const std::string& name, int rows, unsigned seed) const {
    RandomNumbers draws(seed);
    std::string text = "x0,x1,visits\n";
    for (int i = 0; i < rows; ++i) {
      const double x0 = draws.uniform(), x1 = draws.uniform();
      const double mean = std::exp(1 + x0 - x1);
      double left = draws.uniform(), p = std::exp(-mean);
      int count = 0;
      for (; left > p && count < 200; p *= mean / ++count) left -= p;
      text += fmt::format("{},{},{}\n", x0, x1, count);
    }
    write(name, text);
  }

  Json measured(const std::string& table) const {
    return Json::parse(weft_out({"evaluate", "m.weft", table, "--json"}));
  }
  void train(const std::string& table, const std::string& target, Words more) const {
    Words words = {"train", table, "--target", target, "--model", "m.weft"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = weft(words);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }
};

TEST_F(OwnLosses, QuantilesAreColumnsThatCoverTheirShare) {
  write_spread("old.csv", 2000, 1);
  write_spread("new.csv", 2000, 2);
  for (const Words& more : {Words{"--features", "100"}, Words{"--kernel", "rbf", "--landmarks", "60"}}) {
    Words options = {"--loss", "quantile", "--quantiles", "0.9,0.1,0.5"};
    options.insert(options.end(), more.begin(), more.end());
    train("old.csv", "y", options);
    const std::string predicted = weft_out({"predict", "m.weft", "new.csv"});
    EXPECT_EQ(predicted.substr(0, predicted.find('\n')), "q0.1,q0.5,q0.9");
    const auto rows = csv_numbers(predicted), truth = csv_numbers(text("new.csv"));
    ASSERT_EQ(rows.size(), truth.size());
    const double z[] = {-1.2816, 0, 1.2816};
    const double share[] = {0.1, 0.5, 0.9};
    double off[3] = {0, 0, 0}, below[3] = {0, 0, 0}, pinball[3] = {0, 0, 0};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_LE(rows[i][0], rows[i][1]);
      EXPECT_LE(rows[i][1], rows[i][2]);
      for (std::size_t k = 0; k < 3; ++k) {
        const double x = truth[i][0], r = truth[i][2] - rows[i][k];
        off[k] += std::abs(rows[i][k] - (5 + 2 * x + (0.5 + x) * z[k])) / 2000;
        below[k] += (r <= 0 ? 1.0 : 0) / 2000;
        pinball[k] += (r > 0 ? share[k] : share[k] - 1) * r / 2000;
      }
    }
    const Json found = measured("new.csv");
    EXPECT_FALSE(found.contains("mse"));
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_LT(off[k], 0.15);
      EXPECT_NEAR(below[k], share[k], 0.03);
      const Json& one = found.at("per_quantile").at(k);
      EXPECT_EQ(one.at("quantile"), share[k]);
      EXPECT_NEAR(one.at("coverage"), below[k], 1e-12);
      EXPECT_NEAR(one.at("pinball"), pinball[k], 1e-9);
    }
    EXPECT_NEAR(found.at("pinball"), (pinball[0] + pinball[1] + pinball[2]) / 3, 1e-9);
  }
  EXPECT_NE(weft_out({"evaluate", "m.weft", "new.csv"}).find("coverage"), std::string::npos);
  EXPECT_NE(weft_out({"info", "m.weft"}).find("quantile 0.1, 0.5, 0.9"), std::string::npos);
}

TEST_F(OwnLosses, CountsHaveMeansAndADeviance) {
  write_counts("old.csv", 1500, 1);
  write_counts("new.csv", 1000, 2);
  train("old.csv", "visits", {"--loss", "poisson", "--features", "60"});
  const auto rows = csv_numbers(weft_out({"predict", "m.weft", "new.csv"})), truth = csv_numbers(text("new.csv"));
  double off = 0, deviance = 0, null = 0, mean = 0;
  for (const auto& row : truth) mean += row[2] / 1000;
  const auto half = [](double y, double mu) { return (y > 0 ? y * std::log(y / mu) : 0) - y + mu; };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    off += std::abs(rows[i][0] / std::exp(1 + truth[i][0] - truth[i][1]) - 1) / 1000;
    deviance += 2 * half(truth[i][2], rows[i][0]) / 1000;
    null += 2 * half(truth[i][2], mean) / 1000;
  }
  EXPECT_LT(off, 0.08);
  const Json found = measured("new.csv");
  EXPECT_EQ(found.at("task"), "regression");
  EXPECT_NEAR(found.at("deviance"), deviance, 1e-9);
  EXPECT_NEAR(found.at("deviance_explained"), 1 - deviance / null, 1e-9);
  EXPECT_GT(found.at("deviance_explained"), 0.1);
}

TEST_F(OwnLosses, OutliersDoNotMoveRobustFits) {
  write_spread("old.csv", 1000, 1, 0.1);
  write_spread("new.csv", 1000, 2);
  for (const Words& loss :
       {Words{"--loss", "absolute"}, Words{"--loss", "huber"}, Words{"--loss", "huber", "--huber-multiple", "0.5"}}) {
    Words options = {"--features", "60"};
    options.insert(options.end(), loss.begin(), loss.end());
    train("old.csv", "y", options);
    EXPECT_LT(measured("new.csv").at("mae"), 1.1) << loss[1];  // 0.8 for the true median
  }
  EXPECT_GT(measured("new.csv").at("huber"), 0);
  train("old.csv", "y", {"--fast", "--features", "60"});
  EXPECT_GT(measured("new.csv").at("mae"), 5);
}

TEST_F(OwnLosses, ASearchComparesByTheLoss) {
  write_counts("old.csv", 200, 1);
  const Outcome outcome = weft({"train", "old.csv", "--target", "visits", "--loss", "poisson", "--features", "20",
                                "--auto", "--configurations", "3", "--folds", "2", "--json", "--model", "m.weft"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out).at("search").at("metric"), "loss");
  EXPECT_GT(measured("old.csv").at("deviance_explained"), 0.1);
  expect_refused(
      {"train", "old.csv", "--target", "visits", "--loss", "poisson", "--features", "20", "--auto", "--metric", "mse"},
      {"--metric", "loss"});
}

TEST_F(OwnLosses, MistakesNameTheirPlace) {
  write_counts("old.csv", 40, 1);
  std::string table = text("old.csv");
  std::size_t line = 0;
  for (int k = 0; k < 6; ++k) line = table.find('\n', line) + 1;  // of the seventh line
  const std::size_t cell = table.rfind(',', table.find('\n', line)) + 1;
  table.insert(cell, "-1");
  write("negative.csv", table);
  expect_refused({"train", "negative.csv", "--target", "visits", "--loss", "poisson"},
                 {"negative.csv:7:3", "visits", "poisson"});
  expect_refused({"train", "old.csv", "--target", "visits", "--loss", "quantile", "--quantiles", "0.1,1.5"},
                 {"--quantiles", "1.5"});
  expect_refused({"train", "old.csv", "--target", "visits", "--loss", "poisson", "--quantiles", "0.1"},
                 {"--quantiles", "--loss quantile"});
  expect_refused({"train", "old.csv", "--target", "visits", "--loss", "hinge"}, {"--loss", "sfgd"});
  expect_refused({"train", "old.csv", "--target", "visits", "--loss", "cubic"}, {"--loss", "cubic", "poisson"});
  expect_refused({"train", "old.csv", "--target", "visits", "--loss", "poisson", "--std"}, {"--std", "newton"});
  train("old.csv", "visits", {"--loss", "absolute", "--features", "10"});
  expect_refused({"certify", "m.weft", "old.csv"}, {"absolute loss"});
  expect_refused({"prune", "m.weft", "old.csv", "--out", "small.weft"}, {"absolute loss"});
  train("old.csv", "visits", {"--loss", "poisson", "--features", "10"});
  expect_refused({"evaluate", "m.weft", "negative.csv"}, {"row 6", "visits", "counts"});
}

TEST_F(OwnLosses, IntervalsAreAroundPredictionsButNotQuantiles) {
  write_counts("old.csv", 800, 1);
  write_counts("new.csv", 2000, 2);
  write_counts("more.csv", 800, 3);
  train("old.csv", "visits", {"--loss", "poisson", "--features", "40", "--intervals"});
  for (const Words& more : {Words{}, Words{"--calibrate", "more.csv"}}) {
    Words words = {"predict", "m.weft", "new.csv", "--interval", "0.9"};
    words.insert(words.end(), more.begin(), more.end());
    const auto rows = csv_numbers(weft_out(words)), truth = csv_numbers(text("new.csv"));
    double covered = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_GE(rows[i][1], 0);
      covered += rows[i][1] <= truth[i][2] && truth[i][2] <= rows[i][2] ? 1.0 / 2000 : 0;
    }
    // Three standard deviations, of the calibration rows (a fifth of 800, or 800) and of the 2000 new ones.
    EXPECT_GT(covered, 0.9 - 3 * std::sqrt(0.09 / (more.empty() ? 160 : 800) + 0.09 / 2000));
  }
  const Json bound = Json::parse(weft_out({"certify", "m.weft", "old.csv", "--json"}));
  EXPECT_EQ(bound.at("held_out").at("loss"), "squared error");
  EXPECT_TRUE(bound.at("bounds").empty());
  train("old.csv", "visits", {"--loss", "quantile", "--features", "20"});
  const std::string why = "quantiles";
  expect_refused({"predict", "m.weft", "new.csv", "--interval", "0.9"}, {why});
  expect_refused({"predict", "m.weft", "new.csv", "--interval", "0.9", "--calibrate", "more.csv"}, {why});
  expect_refused({"train", "old.csv", "--target", "visits", "--loss", "quantile", "--intervals"}, {"--intervals", why});
  expect_refused({"certify", "m.weft", "old.csv", "--held-out", "new.csv"}, {"quantile loss"});
}

TEST_F(OwnLosses, ReportsAndExplanationsKnowThem) {
  write_spread("old.csv", 300, 1);
  for (const Words& loss : {Words{"--loss", "quantile"}, Words{"--loss", "poisson"}, Words{"--loss", "huber"}}) {
    Words options = {"--features", "20", "--holdout", "0.3", "--report", "r.html"};
    options.insert(options.end(), loss.begin(), loss.end());
    if (loss[1] == "poisson") write_counts("old.csv", 300, 1);
    train("old.csv", loss[1] == "poisson" ? "visits" : "y", options);
    if (loss[1] == "poisson") write_spread("old.csv", 300, 1);
    EXPECT_NE(text("r.html").find(loss[1] + " loss"), std::string::npos);
    if (loss[1] == "poisson") continue;
    const std::string explained = weft_out({"explain", "m.weft", "old.csv"});
    EXPECT_NE(explained.find(loss[1] + " loss"), std::string::npos) << explained;
  }
}

}  // namespace

}  // namespace weft::testing
