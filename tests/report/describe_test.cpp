// Reports on models: sections for every kind of target.
#include <weft/describe.hpp>
#include <weft/fit.hpp>

#include <algorithm>

#include <gtest/gtest.h>

namespace weft {
namespace {

const ReportSection* find(const Report& report, const std::string& heading) {
  const auto found = std::find_if(report.sections.begin(), report.sections.end(),
                                  [&](const ReportSection& section) { return section.heading == heading; });
  return found == report.sections.end() ? nullptr : &*found;
}

Described fitted(const Data& data, const FamilyOptions& family, const FitOptions& options = {}) {
  return {fit({data, family, options}), data, {}, {}, [=](const Data& rows) { return fit({rows, family, options}); }};
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

TEST(Describe, WithoutRowsToEvaluateItSaysSo) {
  FamilyOptions family;
  family.features = 20;
  Described subject = fitted(generate("friedman1", {.rows = 100}), family);
  subject.refit = {};
  const Report report = describe(subject);
  EXPECT_FALSE(find(report, "Residuals"));
  EXPECT_NE(find(report, "Errors")->paragraphs.back().find("‹holdout›"), std::string::npos);
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
