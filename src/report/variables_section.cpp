#include "report/sections.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr std::size_t kListed = 100;  // variables

/// The variables with their effects, the growth of the loss where it is known and the relevance where there is one.
ReportTable variables_table(const Explanation& explanation) {
  const bool losses = !explanation.loss.empty();
  const bool relevance = std::any_of(explanation.variables.begin(), explanation.variables.end(),
                                     [](const VariableEffect& variable) { return variable.relevance.has_value(); });
  ReportTable table{.caption = "Variables, with 95 % intervals", .columns = {"variable"}};
  if (losses) table.columns.push_back("growth of the " + explanation.loss);
  table.columns.emplace_back("effect");
  if (relevance) table.columns.emplace_back("relevance of the fit");
  for (std::size_t v = 0; v < std::min(kListed, explanation.variables.size()); ++v) {
    const VariableEffect& variable = explanation.variables[v];
    std::vector<ReportCell> row = {variable.name};
    if (losses) row.push_back(estimate_cell(*variable.loss));
    row.push_back(estimate_cell(variable.effect));
    if (relevance) row.push_back(number_cell(variable.relevance.value_or(0)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

ReportCell estimate_cell(const Estimate& estimate) {
  // Narrow columns break it before an end of the interval, not before "to".
  return {fmt::format("{:.4g} ({:.4g}\u00a0to {:.4g})", estimate.value, estimate.low, estimate.high), estimate.value};
}

ReportChart bar_chart(std::string title, std::string label, const std::vector<std::pair<std::string, Estimate>>& bars) {
  ReportChart chart{.title = std::move(title), .x_label = "", .y_label = std::move(label)};
  ChartSeries series{.name = chart.y_label, .mark = Mark::bars};
  for (std::size_t k = 0; k < std::min(kShownBars, bars.size()); ++k) {
    const auto& [name, estimate] = bars[k];
    ChartPoint point{static_cast<double>(k), estimate.value};
    if (estimate.low < estimate.high) {
      point.low = estimate.low;
      point.high = estimate.high;
    }
    series.points.push_back(point);
    chart.x_names.push_back(name);
  }
  chart.series.push_back(std::move(series));
  return chart;
}

ReportSection importance_section(const Explanation& explanation, const std::string& rows, bool fitted) {
  ReportSection section{.heading = "Variable importance"};
  const bool losses = !explanation.loss.empty();
  const std::string exchanged = fmt::format(
      "The values of a variable are taken from other rows, over {} {}, everything else stays.", explanation.rows, rows);
  const std::string growth =
      losses ? fmt::format(
                   " The growth of the {0} says how much the predictions need the variable (permutation "
                   "importance); without the exchange the {0} is {1:.4g}.",
                   explanation.loss, *explanation.loss_before)
             : "";
  section.paragraphs.push_back(
      exchanged + growth +
      " The effect is the standard deviation of the change of the prediction (of classes: the scores) over √2; of a "
      "model that adds up functions of single variables, such as stumps, that of the variable's own function.");
  if (losses && fitted)
    section.paragraphs.emplace_back("The model was fitted to these rows, so the growth is larger than on new ones.");
  if (explanation.variables.size() > kListed)
    section.paragraphs.push_back(
        fmt::format("Listed are the first {} of {} variables.", kListed, explanation.variables.size()));
  std::vector<std::pair<std::string, Estimate>> bars;
  for (const VariableEffect& variable : explanation.variables)
    bars.emplace_back(variable.name, losses ? *variable.loss : variable.effect);
  section.charts.push_back(bar_chart("Importance of each variable",
                                     losses ? "growth of the " + explanation.loss : "standard deviation", bars));
  section.tables.push_back(variables_table(explanation));
  return section;
}

}  // namespace weft::detail
