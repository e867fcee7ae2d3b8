// Reports on models: sections for every kind of target.
#include <weft/describe.hpp>
#include <weft/fit.hpp>

#include <algorithm>

#include <gtest/gtest.h>

#include "model/sample_members.hpp"

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

TEST(Describe, ListsMembersAndTheRelevanceOfVariables) {
  const Report report = describe({.model = Model(testing::member_parts("y")), .train = testing::sample_data(200, "y")});
  EXPECT_NE(report.summary.find("of 4 members"), std::string::npos) << report.summary;
  const ReportSection* members = find(report, "Members");
  ASSERT_TRUE(members);
  ASSERT_EQ(members->tables[0].rows.size(), 4U);
  const std::vector<ReportCell>& first = members->tables[0].rows[0];
  const char* expected[] = {"first", "0.5", "laplace", "3", "4", "29", "0.8 to 2.5"};
  for (std::size_t c = 0; c < first.size(); ++c) EXPECT_EQ(first[c].text, expected[c]);
  EXPECT_EQ(members->tables[0].rows[3][2].text, "rw-relu/sparse:2, rks-cos, rw-stumps");

  const ReportSection* relevance = find(report, "Relevance");
  ASSERT_TRUE(relevance);
  EXPECT_EQ(relevance->charts[0].x_names, (std::vector<std::string>{"a", "city", "b"}));
  EXPECT_EQ(relevance->charts[0].series[0].points[0].y, 1);
  EXPECT_EQ(relevance->charts[0].series[0].points[2].y, 0);
  // What a sum of members does not have says why.
  EXPECT_NE(find(report, "Pruning")->paragraphs[0].find("members"), std::string::npos);
  EXPECT_NE(find(report, "Certificate")->paragraphs[0].find("members"), std::string::npos);
  EXPECT_TRUE(find(report, "Variable importance"));
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
