// Reports on models: intervals against textbook values, sections for every kind of target, effects on a known function.
#include <weft/describe.hpp>
#include <weft/fit.hpp>

#include "model/ranked_scores.hpp"
#include "report/estimate.hpp"
#include "report/sections.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

TEST(Estimate, WilsonIntervalOfTenInAHundred) {
  const Estimate estimate = share_estimate(0.1, 100);
  EXPECT_NEAR(estimate.low, 0.0552, 1e-4);  // Wilson (1927), as in every table
  EXPECT_NEAR(estimate.high, 0.1744, 1e-4);
  EXPECT_EQ(share_estimate(0, 10).low, 0);
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
  EXPECT_FALSE(auc_estimate({1, 2}, {true, true}, {1, 1}));
  EXPECT_FALSE(auc_estimate({1, 2}, {true, false}, {1, 0}));
}

const ReportSection* find(const Report& report, const std::string& heading) {
  const auto found = std::find_if(report.sections.begin(), report.sections.end(),
                                  [&](const ReportSection& section) { return section.heading == heading; });
  return found == report.sections.end() ? nullptr : &*found;
}

Described fitted(const Data& data, const FamilyOptions& family, const FitOptions& options = {}) {
  return {fit({data, family, options}), data, {}, {}, [=](const Data& rows) { return fit({rows, family, options}); }};
}

TEST(Describe, VariablesOfAKnownFunction) {
  // friedman1 uses its first five variables and no other.
  FamilyOptions family;
  family.features = 150;
  const Described subject = fitted(generate("friedman1", {.rows = 1500, .noise = 0}), family);
  const auto section = variables_section(subject, 1, {});
  ASSERT_TRUE(section);
  const ReportChart& chart = section->charts.front();
  ASSERT_EQ(chart.x_names.size(), 10U);
  std::vector<std::string> best(chart.x_names.begin(), chart.x_names.begin() + 5);
  std::sort(best.begin(), best.end());
  EXPECT_EQ(best, (std::vector<std::string>{"x0", "x1", "x2", "x3", "x4"}));
}

TEST(Describe, EffectOfStumpsIsTheSpreadOfTheirFunction) {
  // y = 3·sign(a) + sign(b): the functions have standard deviations 3 and 1.
  Matrix x(1000, 2), y(1000, 1);
  for (Index i = 0; i < 1000; ++i) {
    x(i, 0) = i % 2 == 0 ? -1 : 1;
    x(i, 1) = i / 2 % 2 == 0 ? -1 : 1;
    y(i, 0) = 3 * x(i, 0) + x(i, 1);
  }
  FamilyOptions family;
  family.family = "rw-stumps";
  family.gamma = 1;
  family.features = 40;
  FitOptions options;
  options.lambda = 1e-9;
  EncodeOptions encode;
  encode.scale = "none";
  encode.task = "regression";
  const Data data = array(x, y);
  const auto section = variables_section({fit({data, family, options, encode}), data}, 1, {});
  ASSERT_TRUE(section);
  EXPECT_NEAR(section->charts[0].series[0].points[0].y, 3, 0.15);
  EXPECT_NEAR(section->charts[0].series[0].points[1].y, 1, 0.05);
}

TEST(Describe, ClassesHaveCurvesAndNumbersHaveResiduals) {
  FamilyOptions family;
  family.features = 40;
  FitOptions logistic;
  logistic.method = LogisticOptions{};
  logistic.lambda = 1e-3;
  const Report classes = describe(fitted(generate("moons", {.rows = 300}), family, logistic));
  ASSERT_TRUE(find(classes, "Classes"));
  const std::vector<ReportChart>& charts = find(classes, "Classes")->charts;
  ASSERT_EQ(charts.size(), 2U);
  const ChartPoint last = charts[0].series[0].points.back();
  EXPECT_EQ(last.x, 1);
  EXPECT_EQ(last.y, 1);
  EXPECT_FALSE(find(classes, "Residuals"));
  EXPECT_TRUE(find(classes, "Pruning"));
  EXPECT_TRUE(find(classes, "Certificate"));

  const Report many = describe(fitted(generate("gaussian-quantiles", {.rows = 300}), family));
  EXPECT_FALSE(find(many, "Classes")->paragraphs.empty());  // least squares have no probabilities, and the page says so

  const Report numbers = describe(fitted(generate("friedman1", {.rows = 300}), family));
  ASSERT_TRUE(find(numbers, "Residuals"));
  double rows = 0;
  for (const ChartPoint& bar : find(numbers, "Residuals")->charts.back().series[0].points) rows += bar.y;
  EXPECT_EQ(rows, 60);  // a fifth is held out
}

TEST(Describe, WithoutRowsToJudgeItSaysSo) {
  FamilyOptions family;
  family.features = 20;
  Described subject = fitted(generate("friedman1", {.rows = 100}), family);
  subject.refit = {};
  const Report report = describe(subject);
  EXPECT_FALSE(find(report, "Residuals"));
  EXPECT_NE(find(report, "Errors")->paragraphs.back().find("--holdout"), std::string::npos);
}

TEST(Describe, TooFewRowsForASecondFitAreNoFailure) {
  FamilyOptions family;
  family.features = 3;
  FitOptions options;
  options.lambda = 1;
  const Report report = describe(fitted(generate("friedman1", {.rows = 2}), family, options));
  EXPECT_NE(find(report, "Errors")->paragraphs.back().find("not possible"), std::string::npos);
}

}  // namespace
}  // namespace weft
