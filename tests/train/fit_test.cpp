#include <weft/fit.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace weft {
namespace {

TEST(Run, CountsTheTimeLeft) {
  weft::Run run;
  EXPECT_FALSE(run.out_of_time());
  EXPECT_EQ(run.seconds_left(), std::numeric_limits<double>::infinity());
  run.max_seconds = 1000;
  run.started = weft::Run::Clock::now() - std::chrono::seconds(400);
  EXPECT_FALSE(run.out_of_time());
  EXPECT_LE(run.seconds_left(), 600);
  run.started -= std::chrono::seconds(601);
  EXPECT_TRUE(run.out_of_time());
}

TEST(Fit, TimeBudgetStartsWithTheFit) {
  FitOptions options;
  options.fit = "optimal-step";
  options.lambda = 0.01;
  weft::Run run;
  run.max_seconds = 1000;
  run.started = weft::Run::Clock::now() - std::chrono::hours(1);  // as in a program that keeps one Run for many fits
  const Model model = fit(generate("friedman1", {.rows = 100}), {.features = 600}, options, {}, run);
  const auto& words = model.parts().report.words;
  const auto stopped =
      std::find_if(words.begin(), words.end(), [](const auto& word) { return word.first == "stopped"; });
  ASSERT_NE(stopped, words.end());
  EXPECT_EQ(stopped->second, "all features used");
}

/// Where the refusal points; empty when the fit was made.
std::string place_of_refusal(const FitOptions& options) {
  try {
    fit(generate("friedman1", {.rows = 60}), {.features = 20}, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::option) << error.what();
    return error.place();
  }
  return {};
}

TEST(Fit, RefusesOptionsOfOtherFits) {
  const std::pair<const char*, FitOptions> refused[] = {
      {"--loss", {.loss = "huber"}},
      {"--huber-delta", {.fit = "lasso", .huber_delta = 2}},
      {"--checkpoint", {.checkpoint = "x"}},
      {"--resume", {.fit = "lasso", .resume = true}},
      {"--nonzeros", {.nonzeros = 3}},
      {"--lasso-scale", {.fit = "sfgd", .lambda = 0.1, .lasso_scale = "1/2m"}},
      {"--batch", {.batch = 7}},
      {"--radius", {.fit = "optimal-step", .lambda = 0.1, .radius = 2}},
      {"--features-per-step", {.fit = "optimal-step", .lambda = 0.1, .features_per_step = 2}},
      {"--iterations", {.fit = "lasso", .iterations = 1}},
      {"--tolerance", {.tolerance = 1e-3}},
      {"--regularizer", {.fit = "lasso", .regularizer = "ridge"}},
      {"--epsilon", {.fit = "lasso", .epsilon = 1e-3}},
      {"--precision", {.fit = "sfgd", .lambda = 0.1, .precision = "single"}},
      {"--std", {.fit = "lasso", .std = true}},
      {"--calibrate", {.fit = "sfgd", .lambda = 0.1, .calibrate = true}},
  };
  for (const auto& [place, options] : refused) EXPECT_EQ(place_of_refusal(options), place) << options.fit;
}

TEST(Fit, RefusesOptionsThatContradict) {
  EXPECT_EQ(place_of_refusal({.fit = "sfgd", .lambda = 0.1, .resume = true}), "--resume");
  EXPECT_EQ(place_of_refusal({.fit = "lasso", .lambda = 0.1, .nonzeros = 3}), "--nonzeros");
  EXPECT_EQ(place_of_refusal({.fit = "sfgd", .lambda = 0.1, .huber_delta = 2}), "--huber-delta");
  EXPECT_EQ(place_of_refusal({.calibrate = true}), "--calibrate");  // the target is a number
}

TEST(Fit, TakesItsOwnOptions) {
  for (const FitOptions& options : std::vector<FitOptions>{
           {.regularizer = "ridge", .epsilon = 1e-8, .precision = "single", .std = true},
           {.fit = "lasso", .lasso_scale = "1/2m", .nonzeros = 3, .tolerance = 1e-4},
           {.fit = "sfgd", .lambda = 0.1, .loss = "huber", .huber_delta = 2, .iterations = 5, .batch = 7, .radius = 2},
           {.fit = "optimal-step", .lambda = 0.1, .loss = "huber", .iterations = 5, .batch = 7}})
    EXPECT_EQ(place_of_refusal(options), "") << options.fit;
}

TEST(Fit, TwoAtOnceGiveTheBitsOfEachAlone) {
  const FitOptions options[] = {{}, {.fit = "optimal-step", .lambda = 0.01}};
  const Data data = generate("friedman1", {.rows = 3000});
  const auto coefficients = [&](int k) {
    const Model model = fit(data, {.features = 200}, options[k], {}, {.threads = 2});
    const Matrix& all = model.parts().coefficients;
    return std::vector<double>(all.data(), all.data() + all.rows() * all.cols());
  };
  std::vector<double> alone[2], together[2];
  for (int k : {0, 1}) alone[k] = coefficients(k);
  std::thread other([&] { together[1] = coefficients(1); });
  together[0] = coefficients(0);
  other.join();
  for (int k : {0, 1}) EXPECT_EQ(together[k], alone[k]) << options[k].fit;
}

}  // namespace
}  // namespace weft
