#include "report/sections.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr std::size_t kShownVariables = 20;

}  // namespace

ReportSection variables_section(const VariableImportance& importance, Task task) {
  ReportSection section{.heading = "Variable importance"};
  section.paragraphs.push_back(fmt::format(
      "How much the {} changes when a variable's value is taken from another row, over {} training rows, as a standard "
      "deviation. For stumps this is the standard deviation of the variable's own term of the prediction.",
      task == Task::regression ? "prediction" : "score", importance.rows));
  ReportChart chart{.title = "Effect of each variable", .x_label = "", .y_label = "standard deviation"};
  ChartSeries series{.name = "effect", .mark = Mark::bars};
  for (std::size_t v = 0; v < std::min(kShownVariables, importance.variables.size()); ++v) {
    series.points.push_back({static_cast<double>(v), importance.variables[v].effect});
    chart.x_names.push_back(importance.variables[v].name);
  }
  chart.series.push_back(std::move(series));
  section.charts.push_back(std::move(chart));
  return section;
}

}  // namespace weft::detail
