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
  options.method = OptimalStepOptions{};
  options.lambda = 0.01;
  weft::Run run;
  run.max_seconds = 1000;
  run.started = weft::Run::Clock::now() - std::chrono::hours(1);  // as in a program that keeps one Run for many fits
  const Model model = fit({generate("friedman1", {.rows = 100}), {.features = 600}, options, {}, run});
  const auto& words = model.parts().report.words;
  const auto stopped =
      std::find_if(words.begin(), words.end(), [](const auto& word) { return word.first == "stopped"; });
  ASSERT_NE(stopped, words.end());
  EXPECT_EQ(stopped->second, "all features used");
}

/// Where the refusal points; empty when the fit was made.
std::string place_of_refusal(const FitOptions& options, const FamilyOptions& family = {.features = 20}) {
  try {
    fit({generate("friedman1", {.rows = 60}), family, options});
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::option) << error.what();
    return error.field();
  }
  return {};
}

TEST(Fit, RefusesOptionsThatContradict) {
  EXPECT_EQ(place_of_refusal({.method = FunctionalGradientOptions{.resume = true}, .lambda = 0.1}), "resume");
  EXPECT_EQ(place_of_refusal({.method = LassoOptions{.nonzeros = 3}, .lambda = 0.1}), "nonzeros");
  EXPECT_EQ(place_of_refusal({.method = FunctionalGradientOptions{.huber_delta = 2}, .lambda = 0.1}), "huber_delta");
  EXPECT_EQ(place_of_refusal({.method = LeastSquaresOptions{.calibrate = true}}), "calibrate");  // of a number
}

TEST(Fit, AnOptionAtItsDefaultIsGivenAllTheSame) {
  EXPECT_EQ(place_of_refusal({.method = FunctionalGradientOptions{.huber_delta = 1}, .lambda = 0.1}), "huber_delta");
  EXPECT_EQ(place_of_refusal({.method = KernelRidgeOptions{.tolerance = 1e-6}}, {}), "tolerance");
}

TEST(Fit, RefusesValuesOutOfRangeOfItsMethod) {
  EXPECT_EQ(place_of_refusal({.method = LassoOptions{.tolerance = 0}}), "tolerance");
}

TEST(Fit, TakesItsOwnOptions) {
  for (const FitOptions& options : std::vector<FitOptions>{
           {.method =
                LeastSquaresOptions{
                    .regularizer = Regularizer::ridge, .epsilon = 1e-8, .precision = Precision::float32, .std = true}},
           {.method = LassoOptions{.lasso_scale = LassoScale::half_mean, .nonzeros = 3, .tolerance = 1e-4}},
           {.method =
                FunctionalGradientOptions{
                    .loss = DescentLoss::huber, .huber_delta = 2, .iterations = 5, .batch = 7, .radius = 2},
           .lambda = 0.1},
           {.method = OptimalStepOptions{.loss = DescentLoss::huber, .iterations = 5, .batch = 7}, .lambda = 0.1}})
    EXPECT_EQ(place_of_refusal(options), "") << method_name(options.method);
}

TEST(Fit, TwoAtOnceGiveTheBitsOfEachAlone) {
  const FitOptions options[] = {{}, {.method = OptimalStepOptions{}, .lambda = 0.01}};
  const Data data = generate("friedman1", {.rows = 3000});
  const auto coefficients = [&](int k) {
    const Model model = fit({data, {.features = 200}, options[k], {}, {.threads = 2}});
    const Matrix& all = model.parts().coefficients;
    return std::vector<double>(all.data(), all.data() + all.rows() * all.cols());
  };
  std::vector<double> alone[2], together[2];
  for (int k : {0, 1}) alone[k] = coefficients(k);
  std::thread other([&] { together[1] = coefficients(1); });
  together[0] = coefficients(0);
  other.join();
  for (int k : {0, 1}) EXPECT_EQ(together[k], alone[k]) << method_name(options[k].method);
}

}  // namespace
}  // namespace weft
