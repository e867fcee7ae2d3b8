// Intervals against textbook values.
#include "explain/estimate.hpp"

#include "model/ranked_scores.hpp"
#include "model/sample_models.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

TEST(Estimate, WilsonIntervalOfTenInAHundred) {
  const Estimate estimate = share_estimate(0.1, 100);
  EXPECT_NEAR(estimate.low, 0.0552, 1e-4);  // Wilson (1927), as in every table
  EXPECT_NEAR(estimate.high, 0.1744, 1e-4);
  for (const double rows : {3, 10, 100, 997}) {
    EXPECT_EQ(share_estimate(0, rows).low, 0);
    EXPECT_EQ(share_estimate(1, rows).high, 1);
  }
  EXPECT_GT(share_estimate(0, 10).high, 0.2);
}

TEST(Estimate, WeightsCountAsRows) {
  const Estimate twice = mean_estimate({1, 2, 4}, {2, 2, 2});
  const Estimate once = mean_estimate({1, 2, 4}, {1, 1, 1});
  EXPECT_DOUBLE_EQ(twice.low, once.low);
  EXPECT_NEAR(once.value, 7.0 / 3, 1e-12);
  EXPECT_NEAR(once.high - once.value, 1.95996 * std::sqrt(7.0 / 3 / 3), 1e-4);  // variance 7/3, three rows
  EXPECT_DOUBLE_EQ(effective_rows({1, 1, 0, 2}), 16.0 / 6);
}

TEST(Estimate, AucIsThatOfTheRankingWithDeLongsVariance) {
  const std::vector<double> scores = {0.1, 0.4, 0.35, 0.8, 0.4, 0.9};
  const std::vector<bool> positive = {false, false, true, true, true, true};
  RankedScores ranked;
  for (std::size_t i = 0; i < scores.size(); ++i) ranked.add(1, scores[i], positive[i]);
  const auto auc = auc_estimate(scores, positive, std::vector<double>(6, 1.0));
  ASSERT_TRUE(auc);
  EXPECT_DOUBLE_EQ(auc->value, *ranked.area());
  // By hand: positives' placements 1/2, 1, 3/4, 1 (variance 0.0572917), negatives' 1, 5/8 (variance 0.0703125).
  EXPECT_NEAR(auc->value - auc->low, 1.959964 * std::sqrt(0.05729167 / 4 + 0.0703125 / 2), 1e-6);
  const std::vector<double> apart = {0, 0, 0, 1, 1, 1};
  const auto perfect = auc_estimate(apart, {false, false, false, true, true, true}, std::vector<double>(6, 0.1));
  ASSERT_TRUE(perfect);
  EXPECT_LE(perfect->value, 1);
  EXPECT_LE(perfect->low, perfect->value);
  EXPECT_LE(perfect->value, perfect->high);
  EXPECT_FALSE(auc_estimate({1, 2}, {true, true}, {1, 1}));
  EXPECT_FALSE(auc_estimate({1, 2}, {true, false}, {1, 0}));
}

TEST(Estimate, MeasuresAreThoseOfEvaluate) {
  for (const char* target : {"y", "y,z", "yes", "kind"}) {
    const Model model(testing::sample_parts(target));
    const Data rows = testing::sample_data(50, target, "w");
    const Evaluation evaluation = evaluate(model, rows);
    const ErrorEstimates found = estimate_errors(model, rows);
    EXPECT_EQ(found.rows, 50);
    ASSERT_FALSE(found.measures.empty());
    for (const ErrorEstimates::Measure& measure : found.measures) {
      for (const auto& [name, member] : kMeasures)
        if (name == measure.name) {
          EXPECT_NEAR(measure.estimate.value, (evaluation.*member).value(), 1e-12) << name;
        }
      EXPECT_LT(measure.estimate.low, measure.estimate.value) << measure.name;
      EXPECT_GT(measure.estimate.high, measure.estimate.value) << measure.name;
    }
  }
}

}  // namespace
}  // namespace weft
