#include <weft/fit.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

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

}  // namespace
}  // namespace weft
