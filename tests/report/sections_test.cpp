// Sections of reports, from results that are made up: searches, certificates, curves, interactions.
#include "report/sections.hpp"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "model/sample_models.hpp"

namespace weft {

using namespace detail;
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

Trial trial(Index number, const std::string& family, double score, std::optional<double> lambda) {
  Trial made;
  made.number = number;
  made.family.family = family;
  made.family.features = 100 + number;
  made.family.sigma = 0.5;
  made.lambda = lambda;
  made.fold_scores = {score - 0.25, score + 0.25};
  made.score = score;
  made.standard_error = 0.125;
  return made;
}

/// Three configurations, the second of which failed; the third is the best.
TuneResult search() {
  TuneResult made;
  made.metric = Metric::mse;
  made.trials = {trial(0, "rw-sign", 2, 1e-3), {}, trial(2, "rks-cos", 1, {})};
  made.trials[1].number = 1;
  made.trials[1].family.family = "rw-sign";
  made.trials[1].failure = "too few rows";
  made.trials[2].family.theta = 0.25;
  made.trials[2].rows = 0.5;
  made.trials[0].rows = 0.5;
  made.best = 2;
  made.planned = 5;
  made.seconds = 1.25;
  made.leave_one_out = 1.5;
  made.generalised = 1.75;
  made.notes = {"a note"};
  made.curve = {{10, 0.1, 3, 0.5}, {50, 1e-3, 2, 0.25}, {100, 1e-4, 1.9, 0.25}};
  made.recommended = 1;
  return made;
}

std::vector<std::string> texts(const std::vector<ReportCell>& row) {
  std::vector<std::string> all;
  for (const ReportCell& cell : row) all.push_back(cell.text);
  return all;
}

using Texts = std::vector<std::string>;

TEST(SearchSection, RanksTheTrialsAndCountsThoseThatFailed) {
  TuneResult result = search();
  const ReportSection section = search_section(result);
  EXPECT_EQ(section.paragraphs, (Texts{"3 of 5 configurations were tried in 1.2 s; 1 could not be fitted.", "a note"}));
  const ReportTable& table = section.tables.at(0);
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(texts(table.rows[0]),
            (Texts{"rks-cos", "102", "0.5", "theta 0.25", "left to the fit", "1 ± 0.12", "50 %"}));
  EXPECT_EQ(texts(table.rows[1]), (Texts{"rw-sign", "100", "0.5", "", "0.001", "2 ± 0.12", "50 %"}));
  EXPECT_EQ(table.rows[0][5].value, 1);
  const ReportChart& chart = section.charts.at(0);
  ASSERT_EQ(chart.series.size(), 2U);
  EXPECT_EQ(chart.series[0].name, "rw-sign");
  ASSERT_EQ(chart.series[0].points.size(), 1U);  // without the one that failed
  EXPECT_EQ(chart.series[1].points[0].x, 3);
  EXPECT_EQ(chart.series[1].points[0].low, 0.875);
  result.out_of_time = true;
  EXPECT_NE(search_section(result).paragraphs[0].find("; time limit reached"), std::string::npos);
  result.trials = {trial(0, "rw-sign", 2, 1e-3)};
  EXPECT_TRUE(search_section(result).charts.empty());
}

TEST(SearchSection, ManyFamiliesAreDrawnTogether) {
  TuneResult result = search();
  for (Index k = 3; k < 12; ++k) result.trials.push_back(trial(k, "rw-stumps:" + std::to_string(k), 3, 1e-3));
  const ReportChart chart = search_section(result).charts.at(0);
  ASSERT_EQ(chart.series.size(), 1U);
  EXPECT_EQ(chart.series[0].points.size(), 11U);
}

TEST(SearchSection, MachinesOfKernelsHaveTheirKernelsNames) {
  TuneResult result = search();
  for (Trial& one : result.trials) one.kernel = one.number == 0 ? "laplace" : "gaussian";
  result.trials[2].family.theta = {};
  result.trials[2].bandwidth = 3;
  const ReportSection section = search_section(result);
  EXPECT_EQ(texts(section.tables.at(0).rows.at(0)),
            (Texts{"gaussian", "", "3", "", "left to the fit", "1 ± 0.12", "50 %"}));
  EXPECT_EQ(section.charts.at(0).series.at(0).name, "laplace");
  EXPECT_EQ(section.charts.at(0).series.at(0).points.size(), 1U);
}

TEST(CurveSection, ShowsTheRecommendedNumberOfFeatures) {
  const ReportSection section = curve_section(search());
  EXPECT_NE(section.paragraphs.at(0).find("50 features are the fewest"), std::string::npos);
  const std::vector<ChartPoint>& points = section.charts.at(0).series.at(0).points;
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[0].x, 10);
  EXPECT_EQ(points[0].low, 2.5);
  EXPECT_EQ(points[0].high, 3.5);
}

TEST(ErrorsSection, HasTheScoresOfASearchAndOfTheTrainingRows) {
  const TuneResult result = search();
  Evaluation train;
  train.task = Task::regression;
  train.rows = 7;
  train.mse = 0.5;
  train.deviance = 3;
  const ReportSection section = errors_section(train, nullptr, &result);
  std::vector<Texts> rows;
  for (const auto& row : section.tables.at(0).rows) rows.push_back(texts(row));
  EXPECT_EQ(rows, (std::vector<Texts>{{"2-fold cross-validation", "mse", "1", "0.755 to 1.245"},
                                      {"leave-one-out, closed form", "mse", "1.5", ""},
                                      {"generalised cross-validation", "mse", "1.75", ""},
                                      {"training rows", "mse", "0.5", ""},
                                      {"training rows", "poisson loss", "1.5", ""}}));
  ASSERT_EQ(section.paragraphs.size(), 2U);
  EXPECT_NE(section.paragraphs[0].find("slightly optimistic"), std::string::npos);
  EXPECT_NE(section.paragraphs[1].find("No rows were held out"), std::string::npos);
  // Squared errors of coded classes are no measure.
  train.task = Task::binary;
  train.deviance = {};
  EXPECT_EQ(errors_section(train, nullptr, nullptr).tables.at(0).rows.size(), 0U);
}

TEST(TriedSection, NamesCandidatesWithTheirWeights) {
  const ReportSection section =
      tried_section({{"global laplace", 200, 2.5, 1e-3, 0.5, 0.75, false}, {"tree", 50, 1, 0.1, 0.875, 0, true}});
  const ReportTable& table = section.tables.at(0);
  EXPECT_EQ(texts(table.rows.at(0)), (Texts{"global laplace", "200", "2.5", "0.001", "0.5", "0.75"}));
  EXPECT_EQ(texts(table.rows.at(1)), (Texts{"tree (part of the rows)", "50", "1", "0.1", "0.875", ""}));
}

TEST(RelevanceSection, SaysHowManyAreShown) {
  std::vector<Relevance> relevance;
  for (int k = 0; k < 30; ++k) relevance.push_back({"x" + std::to_string(k), 1.0 / (1 + k)});
  const ReportSection section = relevance_section(relevance);
  EXPECT_EQ(section.paragraphs.back(), "Shown are the largest 20 of 30.");
  EXPECT_EQ(section.charts.at(0).x_names.size(), 20U);
  relevance.resize(3);
  EXPECT_EQ(relevance_section(relevance).paragraphs.size(), 1U);
}

BoundLine bound_line(const std::string& name, double bound, const std::string& assumes) {
  BoundLine line;
  line.name = name;
  line.claim = "risk";
  line.radius = "learned";
  line.theta = "exact";
  line.bound = bound;
  line.assumes = assumes;
  return line;
}

TEST(CertificateSection, NumbersItsNotesAndSaysWhatTheBestBoundIsWorth) {
  Certificate result{.loss = "hinge", .rows = 8, .delta = 0.05, .train_loss = 0.5, .trivial_loss = 2};
  result.lines = {bound_line("Theorem A", 3, "rows are independent; the loss is bounded"),
                  bound_line("Theorem B", kEndless, "the loss is bounded"), bound_line("Theorem C", 0, "")};
  result.lines[2].inapplicable = "the model has no intercept";
  result.lines[1].vacuous = false;
  result.lines[0].error = 0.75;
  result.best = 0;
  result.notes = {"a note"};
  ReportSection section = certificate_section(result);
  ASSERT_EQ(section.paragraphs.size(), 2U);
  for (const char* part : {"With probability 0.95", "expected hinge loss is at most 3 (Theorem A)",
                           "The error is at most 0.75.", "this bound is vacuous"})
    EXPECT_NE(section.paragraphs[0].find(part), std::string::npos) << section.paragraphs[0];
  const std::vector<std::vector<ReportCell>>& rows = section.tables.at(0).rows;
  EXPECT_EQ(texts(rows.at(0)), (Texts{"Theorem A", "risk", "learned", "exact", "3", "vacuous", "1, 2"}));
  EXPECT_EQ(texts(rows.at(1)), (Texts{"Theorem B", "risk", "learned", "exact", "infinite", "informative", "2"}));
  EXPECT_EQ(texts(rows.at(2)), (Texts{"Theorem C", "risk", "learned", "exact", "", "does not apply", "3"}));
  EXPECT_EQ(section.tables.at(1).rows.at(2).at(1).text, "the model has no intercept");

  result.best = {};
  EXPECT_EQ(certificate_section(result).paragraphs[0], "No theorem gives a bound on the risk of this model.");
  result.lines.clear();
  result.held_out =
      HeldOutBound{"Clopper–Pearson", "error", ScoredBy::given_rows, 40, 0.125, 0.25, 0.5, false, "chance"};
  section = certificate_section(result);
  EXPECT_TRUE(section.tables.empty());
  for (const char* part : {"On 40 rows", "the error is 0.125", "with probability 0.95 it is at most 0.25",
                           "(Clopper–Pearson)", "has 0.5", "This assumes: chance."})
    EXPECT_NE(section.paragraphs[0].find(part), std::string::npos) << section.paragraphs[0];
}

TEST(PruneSection, DrawsThePathFromFewFeaturesToMany) {
  PruneResult result{.model = Model(testing::sample_parts("y"))};
  result.accept = AcceptRule::error;
  result.epsilon = 0.01;
  result.features_before = 40;
  result.features_after = 10;
  result.train_before.task = Task::regression;
  result.train_before.mse = 1;
  result.train_after.mse = 2;
  result.seconds_before = 4e-6;
  result.seconds_after = 1e-6;
  result.path = {{0.5, 20, 0.005, true}, {0.7, 10, 0.02, false}};
  result.notes = {"a note"};
  const ReportSection section = prune_section(result);
  EXPECT_EQ(
      section.paragraphs,
      (Texts{"weft prune would keep 10 of 40 features within the allowed increase of the error of 0.01.", "a note"}));
  EXPECT_EQ(texts(section.tables.at(0).rows.at(1)), (Texts{"pruned", "10", "2", "1"}));
  const std::vector<ChartSeries>& series = section.charts.at(0).series;
  EXPECT_EQ(series.at(0).points.at(0).x, 10);
  EXPECT_EQ(series.at(0).points.at(1).x, 20);
  EXPECT_EQ(series.at(1).name, "allowed: 0.01");
  EXPECT_EQ(series.at(1).points.at(1).x, 40);
  result.accept = AcceptRule::risk;
  EXPECT_EQ(prune_section(result).charts.at(0).y_label, "increase of the mean loss");
}

EvaluationRows numbers(Index rows, Index targets) {
  EvaluationRows made;
  made.name = "test rows";
  made.predictions.values = Matrix(rows, targets);
  made.predictions.targets = Matrix(rows, targets);
  made.predictions.weights.assign(static_cast<std::size_t>(rows), 2);
  for (Index k = 0; k < targets; ++k) made.predictions.target.names.push_back("y" + std::to_string(k));
  for (Index i = 0; i < rows; ++i)
    for (Index k = 0; k < targets; ++k) {
      made.predictions.values(i, k) = static_cast<double>(i);
      made.predictions.targets(i, k) = static_cast<double>(i + (i % 3) * (k + 1));
    }
  return made;
}

TEST(ResidualsSection, DrawsThePointsOfSomeRowsAndAllRowsInBars) {
  const ReportSection section = residuals_section(numbers(2500, 1));
  EXPECT_EQ(section.paragraphs.at(0), "On the 2500 test rows, of which a subset is drawn as points.");
  ASSERT_EQ(section.charts.size(), 3U);
  EXPECT_EQ(section.charts[0].series[0].points.size(), 834U);  // every third
  EXPECT_EQ(section.charts[0].series[1].points[1].y, section.charts[0].series[1].points[1].x);
  EXPECT_EQ(section.charts[1].series[1].points[1].y, 0);
  double weight = 0;
  for (const ChartPoint& bar : section.charts[2].series[0].points) weight += bar.y;
  EXPECT_EQ(weight, 5000);
}

TEST(ResidualsSection, DrawsTheFirstTargetsAndNoneWithoutFiniteValues) {
  EvaluationRows rows = numbers(9, 6);
  for (Index i = 0; i < 9; ++i) rows.predictions.values(i, 1) = kEndless;
  const ReportSection section = residuals_section(rows);
  EXPECT_EQ(section.paragraphs.back(), "The first 4 targets are drawn.");
  ASSERT_EQ(section.charts.size(), 9U);
  EXPECT_EQ(section.charts[0].title, "True against predicted values of y0");
  EXPECT_EQ(section.charts[3].title, "True against predicted values of y2");
}

TEST(ImportanceSection, ListsAHundredVariablesWithWhatIsKnown) {
  Explanation explanation{.rows = 50, .loss = "mse", .loss_before = 0.25};
  for (int k = 0; k < 130; ++k)
    explanation.variables.push_back({"x" + std::to_string(k), {1, 0.5, 1.5}, Estimate{2, 2, 2}, {}});
  explanation.variables[1].relevance = 0.5;
  const ReportSection section = importance_section(explanation, "training rows", true);
  EXPECT_EQ(section.paragraphs.back(), "Listed are the first 100 of 130 variables.");
  EXPECT_NE(section.paragraphs[0].find("without the exchange the mse is 0.25"), std::string::npos);
  EXPECT_NE(section.paragraphs[1].find("fitted to these rows"), std::string::npos);
  const ReportTable& table = section.tables.at(0);
  EXPECT_EQ(table.columns, (Texts{"variable", "growth of the mse", "effect", "relevance of the fit"}));
  EXPECT_EQ(texts(table.rows.at(1)), (Texts{"x1", "2 (2\u00a0to 2)", "1 (0.5\u00a0to 1.5)", "0.5"}));
  EXPECT_EQ(table.rows.at(2).back().text, "0");
  EXPECT_EQ(table.rows.size(), 100U);
  EXPECT_FALSE(section.charts.at(0).series.at(0).points.at(0).low);  // an interval of one number is not drawn
}

TEST(ExplanationReport, HasCurvesOfCategoriesAndNumbersAndPairs) {
  DependenceCurve numbers{.variable = "age", .values = {1, 2, 3}, .outputs = {"y"}, .rows = {4, 0, 7}};
  DependenceCurve cities{.variable = "city", .categories = {"Bern", ""}, .outputs = {"y"}};
  for (DependenceCurve* curve : {&numbers, &cities})
    for (Matrix* part : {&curve->mean, &curve->low, &curve->high}) *part = Matrix(curve == &numbers ? 3 : 2, 1);
  numbers.high(1, 0) = 2;
  cities.mean(1, 0) = 0.5;
  numbers.individual = Matrix(3, 3);
  numbers.individual(2, 1) = 9;
  const Explanation explanation{.rows = 10,
                                .curves_of = "prediction",
                                .variables = {{"age", {1, 0.5, 1.5}}, {"city", {0.5, 0.25, 1}}},
                                .curves = {numbers, cities},
                                .interactions = {{"age", "city", {0.75, 0.5, 1}}}};
  const Report report = describe(Model(testing::sample_parts("y")), explanation);
  ASSERT_EQ(report.sections.size(), 3U);
  const ReportSection& dependence = report.sections[1];
  EXPECT_NE(dependence.paragraphs.at(0).find("The prediction as a function of one variable"), std::string::npos);
  const std::vector<ChartSeries>& age = dependence.charts.at(0).series;
  ASSERT_EQ(age.size(), 4U);
  EXPECT_EQ(age[0].mark, Mark::band);
  EXPECT_EQ(age[0].points.at(1).high, 2);
  EXPECT_EQ(age[1].name, "row 5");
  const ReportChart& city = dependence.charts.at(1);
  EXPECT_EQ(city.x_names, (Texts{"Bern", "(missing)"}));
  EXPECT_EQ(city.series.at(0).points.at(1).y, 0.5);
  const ReportSection& interactions = report.sections[2];
  EXPECT_EQ(texts(interactions.tables.at(0).rows.at(0)), (Texts{"age × city", "0.75 (0.5\u00a0to 1)"}));
  EXPECT_EQ(interactions.charts.at(0).x_names, (Texts{"age × city"}));
}

}  // namespace
}  // namespace weft
