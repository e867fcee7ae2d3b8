#include "explain/class_curves.hpp"
#include "report/sections.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr std::size_t kCurvePoints = 300;
constexpr std::size_t kMostClasses = 8;
constexpr std::size_t kCalibrationBins = 10;

/// The columns of scores that have a curve: one for two classes, that of the second.
std::vector<Index> ranked_classes(const HeldOut& rows) {
  if (rows.target.task == Task::binary) return {1};
  std::vector<Index> classes(std::min(kMostClasses, rows.target.classes.size()));
  std::iota(classes.begin(), classes.end(), Index{0});
  return classes;
}

/// Enough points to see the shape, evenly chosen.
std::vector<ChartPoint> roc_points(const HeldOut& rows, Index k) {
  const std::vector<RocPoint> curve = roc_curve(rows, k);
  std::vector<ChartPoint> points;
  const std::size_t step = (curve.size() + kCurvePoints - 1) / kCurvePoints;
  for (std::size_t i = 0; i < curve.size(); ++i)
    if (i % step == 0 || i + 1 == curve.size())
      points.push_back({curve[i].false_positive_rate, curve[i].true_positive_rate});
  return points;
}

std::string auc_text(const HeldOut& rows, Index k) {
  const auto auc = roc_area(rows, k);
  return auc ? fmt::format(", AUC {:.3f}", auc->value) : "";
}

ReportChart roc_chart(const EvaluationRows& held_out) {
  const HeldOut& rows = held_out.predictions;
  ReportChart chart{
      .title = "ROC on the " + held_out.name, .x_label = "false positive rate", .y_label = "true positive rate"};
  for (const Index k : ranked_classes(rows))
    chart.series.push_back(
        {.name = rows.target.classes[static_cast<std::size_t>(k)] + auc_text(rows, k), .points = roc_points(rows, k)});
  chart.series.push_back({.name = "random guessing", .mark = Mark::dashed, .points = {{0, 0}, {1, 1}}});
  return chart;
}

ReportChart calibration_chart(const EvaluationRows& held_out) {
  const HeldOut& rows = held_out.predictions;
  const bool binary = rows.target.task == Task::binary;
  ReportChart chart{.title = "Calibration on the " + held_out.name,
                    .x_label = binary ? "predicted probability of " + rows.target.classes[1] : "predicted probability",
                    .y_label = "observed frequency"};
  std::vector<ChartPoint> points;
  for (const CalibrationBin& bin : calibration_bins(rows, kCalibrationBins))
    points.push_back({bin.predicted, bin.observed.value, bin.observed.low, bin.observed.high});
  chart.series = {{.name = fmt::format("{} bins with equal numbers of rows, 95 % intervals", kCalibrationBins),
                   .points = std::move(points)},
                  {.name = "perfect", .mark = Mark::dashed, .points = {{0, 0}, {1, 1}}}};
  return chart;
}

ReportCell optional_cell(const std::optional<double>& value) {
  return value ? number_cell(*value) : ReportCell("");
}

/// One line per class; of two classes the second alone, which is the positive one.
ReportTable measures_table(const Evaluation& measured) {
  ReportTable table{.caption = "",
                    .columns = {"class", "rows", "precision", "recall", "F1", "AUC", "average precision"}};
  const auto add = [&](const std::string& name, const ReportCell& rows, const auto&... values) {
    table.rows.push_back({name, rows, optional_cell(values)...});
  };
  if (measured.task == Task::binary) {
    table.caption = fmt::format("Positive class {}; balanced accuracy {:.4g}", measured.positive,
                                measured.balanced_accuracy.value());
    const std::vector<double>& row = measured.confusion[1];
    add(measured.positive, number_cell(row[0] + row[1]), measured.precision, measured.recall, measured.f1, measured.auc,
        measured.pr_auc);
    return table;
  }
  table.caption =
      fmt::format("Every class against the others; balanced accuracy {:.4g}", measured.balanced_accuracy.value());
  for (std::size_t k = 0; k < measured.per_class.size(); ++k) {
    const ClassMeasures& one = measured.per_class[k];
    add(measured.classes[k], number_cell(one.weight), std::optional(one.precision), std::optional(one.recall),
        std::optional(one.f1), one.auc, one.pr_auc);
  }
  add("mean", "", measured.macro_precision, measured.macro_recall, measured.macro_f1, measured.macro_auc,
      measured.macro_pr_auc);
  return table;
}

ReportTable confusion_table(const Evaluation& measured) {
  const std::vector<std::string>& classes = measured.classes;
  const std::vector<std::vector<double>>& counts = measured.confusion;
  ReportTable table{.caption = "Confusion matrix: true class (rows), predicted class (columns)",
                    .columns = {"true class"}};
  for (const std::string& name : classes) table.columns.push_back(name);
  for (std::size_t k = 0; k < classes.size(); ++k) {
    std::vector<ReportCell> row = {classes[k]};
    for (const double count : counts[k]) row.push_back(number_cell(count));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

ReportSection classes_section(const EvaluationRows& held_out) {
  const HeldOut& rows = held_out.predictions;
  ReportSection section{.heading = "Classes"};
  if (rows.target.classes.size() > kMostClasses)
    section.paragraphs.push_back(fmt::format("Curves are drawn for the first {} classes.", kMostClasses));
  const Evaluation measured = class_evaluation(rows);
  section.tables.push_back(confusion_table(measured));
  section.tables.push_back(measures_table(measured));
  section.charts.push_back(roc_chart(held_out));
  if (rows.probabilities.cols() > 0)
    section.charts.push_back(calibration_chart(held_out));
  else
    section.paragraphs.emplace_back(
        "The model does not predict class probabilities, so there is no calibration chart. Train it again to get "
        "them.");
  return section;
}

}  // namespace weft::detail
