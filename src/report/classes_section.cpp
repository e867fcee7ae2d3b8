// How well a classifier ranks (ROC), whether its probabilities can be believed (calibration), and what it confuses.
#include "report/estimate.hpp"
#include "report/sections.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr std::size_t kCurvePoints = 300;
constexpr std::size_t kMostClasses = 8;
constexpr std::size_t kBins = 10;

/// The columns of scores that have a curve: one for two classes, that of the second.
std::vector<Index> ranked_classes(const HeldOut& rows) {
  if (rows.target.task == Task::binary) return {1};
  std::vector<Index> classes(std::min(kMostClasses, rows.target.classes.size()));
  std::iota(classes.begin(), classes.end(), Index{0});
  return classes;
}

/// Steps of the ROC curve, thinned evenly; empty where a class is missing.
std::vector<ChartPoint> roc_points(const HeldOut& rows, Index k) {
  std::vector<Index> order(static_cast<std::size_t>(rows.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return rows.score(a, k) > rows.score(b, k); });
  double hits = 0, alarms = 0;
  std::vector<ChartPoint> points = {{0, 0}};
  for (std::size_t i = 0; i < order.size(); ++i) {
    (rows.truth(order[i]) == k ? hits : alarms) += rows.weights[static_cast<std::size_t>(order[i])];
    const bool tie = i + 1 < order.size() && rows.score(order[i], k) == rows.score(order[i + 1], k);
    if (!tie) points.push_back({alarms, hits});
  }
  if (hits == 0 || alarms == 0) return {};
  std::vector<ChartPoint> thinned;
  const std::size_t step = (points.size() + kCurvePoints - 1) / kCurvePoints;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (i % step == 0 || i + 1 == points.size()) thinned.push_back({points[i].x / alarms, points[i].y / hits});
  return thinned;
}

std::string auc_text(const HeldOut& rows, Index k) {
  std::vector<double> scores;
  std::vector<bool> positive;
  for (Index i = 0; i < rows.rows(); ++i) {
    scores.push_back(rows.score(i, k));
    positive.push_back(rows.truth(i) == k);
  }
  const auto auc = auc_estimate(scores, positive, rows.weights);
  return auc ? fmt::format(", AUC {:.3f}", auc->value) : "";
}

ReportChart roc_chart(const HeldOut& rows) {
  ReportChart chart{.title = "ROC on the " + rows.name,
                    .x_label = "share of the others that is taken for the class",
                    .y_label = "share of the class that is found"};
  for (const Index k : ranked_classes(rows))
    chart.series.push_back(
        {.name = rows.target.classes[static_cast<std::size_t>(k)] + auc_text(rows, k), .points = roc_points(rows, k)});
  chart.series.push_back({.name = "by chance", .mark = Mark::dashed, .points = {{0, 0}, {1, 1}}});
  return chart;
}

/// A probability that was given and whether it came true.
struct Claim {
  double probability = 0;
  double came_true = 0;
  double weight = 1;
};

/// Two classes: that of the second. More: that of the class that was predicted.
std::vector<Claim> claims(const HeldOut& rows) {
  std::vector<Claim> result;
  for (Index i = 0; i < rows.rows(); ++i) {
    const Index k = rows.target.task == Task::binary ? 1 : rows.guess(i);
    result.push_back(
        {rows.probabilities(i, k), rows.truth(i) == k ? 1.0 : 0.0, rows.weights[static_cast<std::size_t>(i)]});
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const Claim& a, const Claim& b) { return a.probability < b.probability; });
  return result;
}

/// Bins of equally many rows: mean probability against the share that came true.
std::vector<ChartPoint> calibration_points(const std::vector<Claim>& sorted) {
  std::vector<ChartPoint> points;
  const std::size_t bins = std::min(kBins, sorted.size());
  for (std::size_t bin = 0; bin < bins; ++bin) {
    double probability = 0, share = 0, total = 0;
    std::vector<double> weights;
    for (std::size_t i = bin * sorted.size() / bins; i < (bin + 1) * sorted.size() / bins; ++i) {
      probability += sorted[i].weight * sorted[i].probability;
      share += sorted[i].weight * sorted[i].came_true;
      total += sorted[i].weight;
      weights.push_back(sorted[i].weight);
    }
    if (total == 0) continue;
    const Estimate estimate = share_estimate(share / total, effective_rows(weights));
    points.push_back({probability / total, estimate.value, estimate.low, estimate.high});
  }
  return points;
}

ReportChart calibration_chart(const HeldOut& rows) {
  const bool binary = rows.target.task == Task::binary;
  ReportChart chart{
      .title = "Calibration on the " + rows.name,
      .x_label = binary ? "predicted probability of " + rows.target.classes[1] : "probability of the predicted class",
      .y_label = "share that came true"};
  chart.series = {{.name = fmt::format("{} bins of equally many rows, 95 % intervals", kBins),
                   .points = calibration_points(claims(rows))},
                  {.name = "perfect", .mark = Mark::dashed, .points = {{0, 0}, {1, 1}}}};
  return chart;
}

ReportTable confusion_table(const HeldOut& rows) {
  const std::vector<std::string>& classes = rows.target.classes;
  std::vector<std::vector<double>> counts(classes.size(), std::vector<double>(classes.size()));
  for (Index i = 0; i < rows.rows(); ++i)
    counts[static_cast<std::size_t>(rows.truth(i))][static_cast<std::size_t>(rows.guess(i))] +=
        rows.weights[static_cast<std::size_t>(i)];
  ReportTable table{.caption = "Rows of a class (down) by predicted class (across)", .columns = {"true class"}};
  for (const std::string& name : classes) table.columns.push_back(name);
  for (std::size_t k = 0; k < classes.size(); ++k) {
    std::vector<ReportCell> row = {classes[k]};
    for (const double count : counts[k]) row.push_back(number_cell(count));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

ReportSection classes_section(const HeldOut& rows) {
  ReportSection section{.heading = "Classes"};
  if (rows.target.classes.size() > kMostClasses)
    section.paragraphs.push_back(fmt::format("Curves are drawn for the first {} classes.", kMostClasses));
  section.tables.push_back(confusion_table(rows));
  section.charts.push_back(roc_chart(rows));
  if (rows.probabilities.cols() > 0)
    section.charts.push_back(calibration_chart(rows));
  else
    section.paragraphs.push_back(
        "The model has no probabilities, so there is no calibration to show: --calibrate adds them, --fit logistic is "
        "made of them.");
  return section;
}

}  // namespace weft::detail
