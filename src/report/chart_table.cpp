#include "report/chart_table.hpp"
#include "report/page_parts.hpp"

#include <cmath>
#include <map>

#include <fmt/format.h>

namespace weft::detail {

namespace {

std::string cell_text(const ChartPoint& point) {
  if (!point.low || !point.high || *point.low == *point.high) return number_cell(point.y).text;
  const double below = point.y - *point.low;
  const double above = *point.high - point.y;
  if (std::abs(below - above) <= 1e-9 * std::abs(above)) return fmt::format("{:.4g} ± {:.2g}", point.y, above);
  return fmt::format("{:.4g} ({:.4g} … {:.4g})", point.y, *point.low, *point.high);
}

}  // namespace

ReportTable chart_table(const ReportChart& chart, std::size_t most) {
  const std::string heading = !chart.x_label.empty() ? chart.x_label : chart.x_names.empty() ? "x" : "name";
  ReportTable table{.caption = chart.y_label, .columns = {heading}};
  std::map<double, std::vector<const ChartPoint*>> rows;
  for (std::size_t k = 0; k < chart.series.size(); ++k) {
    table.columns.push_back(chart.series[k].name);
    for (const ChartPoint& point : chart.series[k].points)
      rows.try_emplace(point.x, chart.series.size()).first->second[k] = &point;
  }
  if (rows.size() > most) return table;
  for (const auto& [x, points] : rows) {
    const auto at = static_cast<std::size_t>(std::max(0.0, x));
    std::vector<ReportCell> row = {at < chart.x_names.size() ? ReportCell(chart.x_names[at]) : number_cell(x)};
    for (const ChartPoint* point : points)
      row.push_back(point == nullptr ? ReportCell("") : ReportCell(cell_text(*point), point->y));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace weft::detail
