// The plain bound of held-out rows: against quantiles of SciPy, and over many simulated samples.
#include "guarantee/held_out.hpp"

#include <weft/fit.hpp>

#include "core/random.hpp"
#include "data/expect_error.hpp"
#include "guarantee/certificates.hpp"
#include "model/sample_members.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace weft::testing {

namespace {

TEST(HeldOutBound, ClopperPearsonIsTheQuantileOfABeta) {
  // scipy.stats.beta.ppf(1 - delta, errors + 1, rows - errors)
  EXPECT_NEAR(clopper_pearson(0, 20, 0.05), 0.13910834066826516, 1e-12);
  EXPECT_NEAR(clopper_pearson(3, 50, 0.05), 0.14783717636418123, 1e-12);
  EXPECT_NEAR(clopper_pearson(137, 1000, 0.01), 0.1642419144671473, 1e-12);
  EXPECT_NEAR(clopper_pearson(4321, 10000, 0.05), 0.44031194459512774, 1e-12);
  EXPECT_NEAR(clopper_pearson(999, 1000, 0.05), 0.999948708021091, 1e-12);
  EXPECT_NEAR(clopper_pearson(2400, 16281, 0.05), 0.15205841196664313, 1e-12);
  EXPECT_NEAR(clopper_pearson(0, 1, 0.1), 0.9, 1e-12);
  EXPECT_EQ(clopper_pearson(5, 5, 0.05), 1);
}

/// Losses in [0, 2], most of them small; their mean is 0.2.
MeasuredLoss drawn_losses(std::uint64_t seed, Index rows) {
  const Random random(seed, RandomStream::generator);
  MeasuredLoss loss{rows, 0, 0, 2};
  std::vector<double> values;
  for (Index i = 0; i < rows; ++i)
    values.push_back(random.uniform(static_cast<std::uint64_t>(i)) < 0.1
                         ? 2 * random.uniform(static_cast<std::uint64_t>(i), 1)
                         : 0.1 / 0.9);
  for (const double value : values) loss.mean += value / static_cast<double>(rows);
  for (const double value : values)
    loss.variance += (value - loss.mean) * (value - loss.mean) / static_cast<double>(rows - 1);
  return loss;
}

TEST(HeldOutBound, EmpiricalBernsteinHoldsAndShrinks) {
  // Maurer & Pontil 2009, Theorem 4, for losses in [0, 1]: 0.25 + √(2·0.04·log 40/101) + 7 log 40/300.
  EXPECT_NEAR(empirical_bernstein({101, 0.25, 0.04, 1}, 0.05),
              0.25 + std::sqrt(0.08 * std::log(40.0) / 101) + 7 * std::log(40.0) / 300, 1e-12);
  EXPECT_EQ(empirical_bernstein({1, 0.25, 0, 1}, 0.05), std::numeric_limits<double>::infinity());
  int failed = 0;
  for (std::uint64_t set = 0; set < 2000; ++set) failed += empirical_bernstein(drawn_losses(set, 200), 0.1) < 0.2;
  EXPECT_LE(failed, 200 + 3 * std::sqrt(180.0));
  EXPECT_LT(empirical_bernstein(drawn_losses(1, 100000), 0.05), 0.21);
}

TEST(HeldOutBound, ComesFirstAndSaysWhichRowsItIsFrom) {
  const Data train = sample_data(60, "yes"), fresh = sample_data(45, "yes");
  const Model model = fit({train, signs(20), {.lambda = 0.05}});
  const Certificate own = certify(model, train);
  ASSERT_TRUE(own.held_out.has_value());
  EXPECT_EQ(own.held_out->by, ScoredBy::leaving_one_out);
  EXPECT_EQ(own.held_out->rows, 60);
  const Certificate given = certify(model, train, {.delta = 0.1}, {}, nullptr, &fresh);
  EXPECT_EQ(given.held_out->by, ScoredBy::given_rows);
  const double error = *evaluate(model, fresh).error;
  EXPECT_DOUBLE_EQ(given.held_out->measured, error);
  EXPECT_DOUBLE_EQ(given.held_out->bound, clopper_pearson(static_cast<Index>(std::lround(45 * error)), 45, 0.1));
  EXPECT_EQ(given.lines.size(), own.lines.size());
  const auto json = nlohmann::json::parse(given.to_json());
  EXPECT_EQ(json["held_out"]["by"], "the rows given");
  EXPECT_EQ(json["held_out"]["name"], "Clopper–Pearson");
  EXPECT_FALSE(certify(Model(sample_parts("y", signs())), sample_data(60, "y")).held_out.has_value());
}

TEST(HeldOutBound, ErrorsOfNumbersAreClippedToTheRangeOfTraining) {
  const Data train = sample_data(60, "y"), fresh = sample_data(50, "y");
  const Model model = fit({train, signs(20), {.lambda = 0.05}});
  const Certificate result = certify(model, train, {}, {}, nullptr, &fresh);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  model.for_each_prediction(train, {.with_targets = true}, [&](const PredictionBlock& block) {
    for (Index i = 0; i < block.rows(); ++i) {
      low = std::min(low, block.targets(i, 0));
      high = std::max(high, block.targets(i, 0));
    }
  });
  double mean = 0;
  model.for_each_prediction(fresh, {.with_targets = true}, [&](const PredictionBlock& block) {
    for (Index i = 0; i < block.rows(); ++i)
      mean += std::pow(std::clamp(block.values(i, 0), low, high) - block.targets(i, 0), 2) / 50;
  });
  EXPECT_NEAR(result.held_out->measured, mean, 1e-12);
  EXPECT_GT(result.held_out->bound, mean);
  EXPECT_NEAR(result.held_out->constant, result.trivial_loss, 1e-9);
}

TEST(HeldOutBound, StandsAloneWhereNoTheoremCoversTheModel) {
  const Data rows = sample_data(60, "y");
  const Model sum(member_parts("y"));
  const Certificate result = certify(sum, rows, {}, {}, nullptr, &rows);
  ASSERT_TRUE(result.held_out.has_value());
  EXPECT_TRUE(result.lines.empty());
  EXPECT_FALSE(result.best.has_value());
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_NE(result.notes[0].find("members"), std::string::npos);
  EXPECT_NO_THROW(nlohmann::json::parse(result.to_json()));
  expect_error([&] { certify(sum, rows, {.bound = Theorem::theorem_10}, {}, nullptr, &rows); }, ErrorKind::option,
               {"members"});
}

}  // namespace

}  // namespace weft::testing
