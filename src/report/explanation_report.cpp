#include <weft/describe.hpp>
#include <weft/version.hpp>

#include "report/sections.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft {

using namespace detail;

namespace {

constexpr Index kShownRows = 5;
constexpr std::size_t kMostOutputs = 5;  // of a curve: more lines or bars are not told apart
constexpr std::size_t kMostScores = 3;   // of a row that is explained

/// The `most` outputs that have the largest values of `key`, in their order.
template <class Key>
std::vector<std::size_t> largest(std::size_t outputs, std::size_t most, const Key& key) {
  std::vector<std::size_t> chosen(outputs);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  std::stable_sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) { return key(a) > key(b); });
  chosen.resize(std::min(chosen.size(), most));
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

/// The outputs that depend most on the variable.
std::vector<std::size_t> shown_outputs(const DependenceCurve& curve) {
  return largest(curve.outputs.size(), kMostOutputs, [&](std::size_t k) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (Index g = 0; g < curve.points(); ++g) {
      low = std::min(low, curve.mean(g, static_cast<Index>(k)));
      high = std::max(high, curve.mean(g, static_cast<Index>(k)));
    }
    return high - low;
  });
}

/// A category's means as bars.
ReportChart category_chart(const DependenceCurve& curve, ReportChart chart) {
  for (const std::string& category : curve.categories)
    chart.x_names.push_back(category.empty() ? "(missing)" : category);
  for (const std::size_t k : shown_outputs(curve)) {
    ChartSeries series{.name = curve.outputs[k], .mark = Mark::bars};
    for (Index g = 0; g < curve.points(); ++g)
      series.points.push_back({static_cast<double>(g), curve.mean(g, static_cast<Index>(k))});
    chart.series.push_back(std::move(series));
  }
  return chart;
}

ReportChart curve_chart(const DependenceCurve& curve, const std::string& of) {
  ReportChart chart{.title = curve.variable, .x_label = curve.variable, .y_label = of};
  if (curve.values.empty()) {
    chart.x_label.clear();
    return category_chart(curve, std::move(chart));
  }
  const bool single = curve.outputs.size() == 1;
  for (const std::size_t k : shown_outputs(curve)) {
    ChartSeries series{.name = single ? "mean, and 10 to 90 % of the rows" : curve.outputs[k],
                       .mark = single ? Mark::band : Mark::line};
    for (Index g = 0; g < curve.points(); ++g) {
      const auto o = static_cast<Index>(k);
      ChartPoint point{curve.values[static_cast<std::size_t>(g)], curve.mean(g, o)};
      if (single) {
        point.low = curve.low(g, o);
        point.high = curve.high(g, o);
      }
      series.points.push_back(point);
    }
    chart.series.push_back(std::move(series));
  }
  for (Index i = 0; single && i < std::min(kShownRows, curve.individual.cols()); ++i) {
    const Index at = i * curve.individual.cols() / kShownRows;
    ChartSeries series{.name = fmt::format("row {}", curve.rows[static_cast<std::size_t>(at)] + 1),
                       .mark = Mark::dashed};
    for (Index g = 0; g < curve.points(); ++g)
      series.points.push_back({curve.values[static_cast<std::size_t>(g)], curve.individual(g, at)});
    chart.series.push_back(std::move(series));
  }
  return chart;
}

ReportSection curves_section(const Explanation& explanation) {
  ReportSection section{.heading = "Dependence"};
  section.paragraphs.push_back(
      fmt::format("The {} as a function of one variable, every row keeping its other values: the mean over the rows "
                  "(partial dependence), and some single rows.",
                  explanation.curves_of));
  if (const std::size_t outputs = explanation.curves.front().outputs.size(); outputs > kMostOutputs)
    section.paragraphs.push_back(
        fmt::format("Of the {} classes, the {} that depend most on a variable are drawn.", outputs, kMostOutputs));
  for (const DependenceCurve& curve : explanation.curves)
    section.charts.push_back(curve_chart(curve, explanation.curves_of));
  return section;
}

ReportSection interactions_section(const std::vector<Interaction>& interactions) {
  ReportSection section{.heading = "Interactions"};
  section.paragraphs.emplace_back(
      "By how much the effect of one variable depends on another, as a standard deviation of the prediction (of "
      "classes: "
      "the scores); 0: their effects add up.");
  ReportTable table{.caption = "Pairs of variables", .columns = {"variables", "strength"}};
  std::vector<std::pair<std::string, Estimate>> bars;
  for (const Interaction& pair : interactions) {
    bars.emplace_back(fmt::format("{} × {}", pair.first, pair.second), pair.strength);
    table.rows.push_back({bars.back().first, estimate_cell(pair.strength)});
  }
  section.charts.push_back(bar_chart("Interactions", "standard deviation", bars));
  section.tables.push_back(std::move(table));
  return section;
}

ReportSection row_section(const RowExplanation& row) {
  ReportSection section{.heading = fmt::format("Row {}", row.row + 1)};
  section.paragraphs.push_back(
      fmt::format("The prediction (of classes: the score) is the mean of the background rows plus the contributions of "
                  "the variables: {} Shapley values{}.",
                  row.exact ? "exact" : "sampled", row.exact ? "" : ", with 95 % intervals of the sampling"));
  ReportTable table{.caption = "Predictions", .columns = {"prediction of", "mean of the background rows", "this row"}};
  for (std::size_t o = 0; o < row.outputs.size(); ++o)
    table.rows.push_back({row.outputs[o], number_cell(row.base[o]), number_cell(row.prediction[o])});
  section.tables.push_back(std::move(table));
  if (row.outputs.size() > kMostScores)
    section.paragraphs.push_back(
        fmt::format("Drawn are the {} largest scores of {}.", kMostScores, row.outputs.size()));
  for (const std::size_t o :
       largest(row.outputs.size(), kMostScores, [&](std::size_t k) { return row.prediction[k]; })) {
    std::vector<std::pair<std::string, Estimate>> bars;
    for (const RowExplanation::Part& part : row.parts) {
      const double half = 1.96 * part.standard_error[o];
      bars.emplace_back(fmt::format("{} = {}", part.variable, part.cell.empty() ? "(missing)" : part.cell),
                        Estimate{part.value[o], part.value[o] - half, part.value[o] + half});
    }
    section.charts.push_back(bar_chart("Contributions to " + row.outputs[o], "contribution", bars));
  }
  return section;
}

}  // namespace

Report describe(const Model& model, const Explanation& explanation, const std::vector<RowExplanation>& rows,
                const Run& run) {
  Report report{.title = fmt::format("What predicts {}", fmt::join(model.target().names, ", ")),
                .summary = fmt::format("A model of {} variables, explained on {} rows.", explanation.variables.size(),
                                       explanation.rows)};
  for (const RowExplanation& row : rows) report.sections.push_back(row_section(row));
  report.sections.push_back(importance_section(explanation, "rows", false));
  if (!explanation.curves.empty()) report.sections.push_back(curves_section(explanation));
  if (!explanation.interactions.empty()) report.sections.push_back(interactions_section(explanation.interactions));
  report.facts = {{"weft", version()}, {"machine", machine_text(run)}};
  return report;
}

}  // namespace weft
