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
  ASSERT_EQ(find(many, "Classes")->charts.size(), 2U);  // least squares have probabilities, and so a calibration
  const std::vector<ReportTable>& tables = find(many, "Classes")->tables;
  ASSERT_EQ(tables.size(), 2U);
  ASSERT_EQ(tables[1].rows.size(), 4U);  // three classes and their mean
  EXPECT_EQ(tables[1].rows.back()[0].text, "mean");
  for (const auto& row : tables[0].rows)
    for (std::size_t k = 1; k < row.size(); ++k)
      EXPECT_EQ(row[k].text.find_first_not_of("0123456789"), std::string::npos);

  const Report numbers = describe(fitted(generate("friedman1", {.rows = 300}), family));
  ASSERT_TRUE(find(numbers, "Residuals"));
  double rows = 0;
  for (const ChartPoint& bar : find(numbers, "Residuals")->charts.back().series[0].points) rows += bar.y;
  EXPECT_EQ(rows, 60);  // a fifth is held out
  const std::vector<std::vector<ReportCell>>& errors = find(numbers, "Errors")->tables[0].rows;
  const auto r2 = std::find_if(errors.begin(), errors.end(), [](const auto& row) { return row[1].text == "r2"; });
  ASSERT_NE(r2, errors.end());
  EXPECT_NE((*r2)[0].text.find("held out"), std::string::npos);  // not of the training rows alone

  // Every assumption of the certificate stands once, and the bounds refer to it by number.
  const std::vector<ReportTable>& bounds = find(numbers, "Certificate")->tables;
  ASSERT_EQ(bounds.size(), 2U);
  std::vector<std::string> assumptions;
  for (const auto& row : bounds[1].rows) assumptions.push_back(row[1].text);
  std::sort(assumptions.begin(), assumptions.end());
  EXPECT_EQ(std::adjacent_find(assumptions.begin(), assumptions.end()), assumptions.end());
  EXPECT_EQ(bounds[0].rows[0].back().text.substr(0, 4), "1, 2");
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

TEST(Describe, ImportanceIsMeasuredOnRowsThatTheModelHasNotSeen) {
  FamilyOptions family;
  family.features = 60;
  Described subject = fitted(generate("friedman1", {.rows = 400}), family);
  subject.test = generate("friedman1", {.rows = 150, .seed = 2});
  const Report report = describe(subject);
  const ReportSection* importance = find(report, "Variable importance");
  ASSERT_TRUE(importance);
  EXPECT_NE(importance->paragraphs[0].find("over 150 test rows"), std::string::npos) << importance->paragraphs[0];
  EXPECT_EQ(importance->paragraphs.size(), 1U);
  const ReportChart& chart = importance->charts[0];
  ASSERT_EQ(chart.x_names.size(), 10U);
  EXPECT_EQ(chart.x_names[0], "x3");  // 10 x3 has the largest variance
  const ChartPoint& first = chart.series[0].points[0];
  EXPECT_LT(*first.low, first.y);
  EXPECT_GT(*first.high, first.y);
  // Exchanging independent values of x3 adds twice the variance of its term, which is 100/12.
  EXPECT_NEAR(first.y, 2 * 100 / 12.0, 5);

  subject.test = {};
  subject.refit = {};
  EXPECT_NE(find(describe(subject), "Variable importance")->paragraphs.back().find("fitted to these rows"),
            std::string::npos);
}

TEST(Describe, RowsOfATable) {
  FamilyOptions family;
  family.features = 40;
  const Model model = fit({generate("moons", {.rows = 300}), family});
  const Data rows = generate("moons", {.rows = 120, .seed = 2});
  const Report report = describe(model, rows);
  std::vector<std::string> headings;
  for (const ReportSection& section : report.sections) headings.push_back(section.heading);
  EXPECT_EQ(headings, (std::vector<std::string>{"Errors", "Classes", "Variable importance"}));
  for (const auto& row : report.sections[0].tables[0].rows)
    EXPECT_NE(row[0].text.find("120 rows of"), std::string::npos);
  // A threshold above every probability predicts the first class only.
  const Report strict = describe(model, rows, {.threshold = 1.0});
  for (const auto& row : strict.sections[1].tables[0].rows) EXPECT_EQ(row[2].text, "0");
}

TEST(Describe, ManyClassesAreNotAllDrawn) {
  const std::vector<std::string> classes = {"a", "b", "c", "d", "e", "f", "g"};
  DependenceCurve curve{.variable = "x", .values = {0, 1}, .outputs = classes};
  for (Matrix* part : {&curve.mean, &curve.low, &curve.high}) *part = Matrix(2, 7);
  for (Index k = 0; k < 7; ++k) curve.mean(1, k) = k == 2 || k == 4 ? 0.001 : 0.1;
  RowExplanation row{.outputs = classes, .base = std::vector<double>(7), .prediction = {1, 7, 2, 3, 6, 5, 4}};
  row.parts = {{"x", "", std::vector<double>(7, 0.5), std::vector<double>(7, 0.1)}};
  const Model model = fit({generate("friedman1", {.rows = 50}), {}});
  const Explanation explanation{.rows = 2, .variables = {{"x", {1, 0.5, 1.5}}}, .curves = {curve}};
  const Report report = describe(model, explanation, {row});
  std::vector<std::string> drawn;
  for (const ChartSeries& series : find(report, "Dependence")->charts[0].series) drawn.push_back(series.name);
  EXPECT_EQ(drawn, (std::vector<std::string>{"a", "b", "d", "f", "g"}));
  const ReportSection* one = find(report, "Row 1");
  ASSERT_EQ(one->charts.size(), 3U);
  EXPECT_EQ(one->charts[0].title, "Contributions to b");
  EXPECT_EQ(one->charts[0].x_names[0], "x = (missing)");
  EXPECT_NEAR(*one->charts[0].series[0].points[0].high, 0.5 + 0.196, 1e-12);
  EXPECT_EQ(one->tables[0].rows.size(), 7U);
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
