#include <weft/describe.hpp>
#include <weft/version.hpp>

#include "report/sections.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft {

using namespace detail;

namespace {

constexpr std::size_t kShownBars = 20;
constexpr Index kShownRows = 5;

ReportCell estimate_cell(const Estimate& estimate) {
  return {fmt::format("{:.4g} ({})", estimate.value, interval_text(estimate.low, estimate.high)), estimate.value};
}

ReportChart bar_chart(std::string title, std::string label, const std::vector<std::pair<std::string, double>>& bars) {
  ReportChart chart{.title = std::move(title), .x_label = "", .y_label = std::move(label)};
  ChartSeries series{.name = chart.y_label, .mark = Mark::bars};
  for (std::size_t k = 0; k < std::min(kShownBars, bars.size()); ++k) {
    series.points.push_back({static_cast<double>(k), bars[k].second});
    chart.x_names.push_back(bars[k].first);
  }
  chart.series.push_back(std::move(series));
  return chart;
}

ReportSection importance_section(const Explanation& explanation) {
  ReportSection section{.heading = "Importance"};
  const bool losses = !explanation.loss.empty();
  section.paragraphs.push_back(
      fmt::format("What changes when the values of a variable are taken from other rows, over {} rows, with 95 % "
                  "intervals: the effect "
                  "is the standard deviation of the change of the prediction (of classes: the scores) over √2{}.",
                  explanation.rows,
                  losses ? fmt::format("; the other figure is the growth of the {}, which is {:.4g}", explanation.loss,
                                       *explanation.loss_before)
                         : ""));
  ReportTable table{.caption = "Variables", .columns = {"variable", "effect"}};
  if (losses) table.columns.push_back("growth of the " + explanation.loss);
  const bool relevance = std::any_of(explanation.variables.begin(), explanation.variables.end(),
                                     [](const VariableEffect& variable) { return variable.relevance.has_value(); });
  if (relevance) table.columns.emplace_back("relevance of the fit");
  std::vector<std::pair<std::string, double>> bars;
  for (const VariableEffect& variable : explanation.variables) {
    bars.emplace_back(variable.name, losses ? variable.loss->value : variable.effect.value);
    std::vector<ReportCell> row = {variable.name, estimate_cell(variable.effect)};
    if (losses) row.push_back(estimate_cell(*variable.loss));
    if (relevance) row.push_back(number_cell(variable.relevance.value_or(0)));
    table.rows.push_back(std::move(row));
  }
  section.charts.push_back(bar_chart("Importance of each variable",
                                     losses ? "growth of the " + explanation.loss : "standard deviation", bars));
  section.tables.push_back(std::move(table));
  return section;
}

/// A category's means as bars.
ReportChart category_chart(const DependenceCurve& curve, ReportChart chart) {
  chart.x_names = curve.categories;
  for (std::size_t k = 0; k < curve.outputs.size(); ++k) {
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
  for (std::size_t k = 0; k < curve.outputs.size(); ++k) {
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
                  "(partial dependence), and some rows of their own.",
                  explanation.curves_of));
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
  std::vector<std::pair<std::string, double>> bars;
  for (const Interaction& pair : interactions) {
    bars.emplace_back(fmt::format("{} × {}", pair.first, pair.second), pair.strength.value);
    table.rows.push_back({bars.back().first, estimate_cell(pair.strength)});
  }
  section.charts.push_back(bar_chart("Interactions", "standard deviation", bars));
  section.tables.push_back(std::move(table));
  return section;
}

ReportSection row_section(const RowExplanation& row) {
  ReportSection section{.heading = fmt::format("Row {}", row.row + 1)};
  for (std::size_t o = 0; o < row.outputs.size(); ++o) {
    section.paragraphs.push_back(
        fmt::format("{}: {:.6g}, which is the mean of the background rows, {:.6g}, plus the "
                    "contributions of the variables ({} Shapley values).",
                    row.outputs[o], row.prediction[o], row.base[o], row.exact ? "exact" : "sampled"));
    std::vector<std::pair<std::string, double>> bars;
    for (const RowExplanation::Part& part : row.parts)
      bars.emplace_back(fmt::format("{} = {}", part.variable, part.cell), part.value[o]);
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
  report.sections.push_back(importance_section(explanation));
  if (!explanation.curves.empty()) report.sections.push_back(curves_section(explanation));
  if (!explanation.interactions.empty()) report.sections.push_back(interactions_section(explanation.interactions));
  report.facts = {{"weft", version()}, {"machine", machine_text(run)}};
  return report;
}

}  // namespace weft
