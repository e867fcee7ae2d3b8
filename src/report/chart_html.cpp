#include "report/page_parts.hpp"

#include "report/chart_spec.hpp"
#include "report/chart_table.hpp"
#include "report/html_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft::detail {

namespace {

/// Longer tables are hardly read, and would make a page of scatter plots large.
constexpr std::size_t kPointsInTable = 200;

std::string shape_path(const std::string& shape) {
  if (shape == "circle") return "M9 6a4 4 0 1 0 8 0a4 4 0 1 0-8 0";
  if (shape == "square") return "M9.5 2.5h7v7h-7z";
  if (shape == "triangle-up") return "M13 2l4.5 8h-9z";
  if (shape == "diamond") return "M13 1l4 5l-4 5l-4-5z";
  return "M11.5 2h3v2.5h2.5v3h-2.5v2.5h-3v-2.5h-2.5v-3h2.5z";  // cross
}

std::string swatch(const ReportChart& chart, std::size_t k) {
  const ChartSeries& series = chart.series[k];
  const std::string colour = series_colour(k);
  std::string inside;
  if (series.mark == Mark::bars || !chart.x_names.empty())
    inside = fmt::format("<path d=\"M7 0h12v12h-12z\" fill=\"{}\"/>", colour);
  else {
    if (series.mark == Mark::band)
      inside += fmt::format("<path d=\"M0 1h26v10h-26z\" fill=\"{}\" opacity=\".2\"/>", colour);
    if (series.mark != Mark::points)
      inside += fmt::format("<path d=\"M0 6h26\" stroke=\"{}\" stroke-width=\"2\"{}/>", colour,
                            series.mark == Mark::dashed ? " stroke-dasharray=\"6 4\"" : "");
    if (shows_points(series))
      inside += fmt::format("<path d=\"{}\" fill=\"{}\"/>", shape_path(series_shape(k)), colour);
  }
  return fmt::format("<svg viewBox=\"0 0 26 12\" aria-hidden=\"true\">{}</svg>", inside);
}

std::string legend_html(const ReportChart& chart) {
  if (chart.series.size() < 2) return "";
  std::string html = "<ul class=\"legend\">";
  for (std::size_t k = 0; k < chart.series.size(); ++k)
    html += fmt::format("<li>{}{}</li>", swatch(chart, k), html_text(chart.series[k].name));
  return html + "</ul>\n";
}

std::string description(const ReportChart& chart) {
  std::vector<std::string> names;
  for (const ChartSeries& series : chart.series)
    if (!series.name.empty()) names.push_back(series.name);
  return fmt::format("Chart: {}. {}{}{}{}", chart.title, chart.y_label.empty() ? "y" : chart.y_label,
                     chart.x_label.empty() ? "" : " against " + chart.x_label, names.empty() ? "" : " for ",
                     fmt::join(names, ", "));
}

std::string numbers_html(const ReportChart& chart) {
  ReportTable table = chart_table(chart, kPointsInTable);
  table.caption.clear();  // the axis label repeats it
  if (table.rows.empty()) return "";
  return "<details><summary>The numbers</summary>" + table_html(table) + "</details>\n";
}

}  // namespace

std::string chart_html(const ReportChart& chart) {
  return fmt::format(
      "<figure class=\"chart\"><figcaption>{}</figcaption>\n{}<div class=\"plot\" role=\"img\" aria-label=\"{}\" "
      "data-x=\"{}\" data-y=\"{}\"></div>\n<script type=\"application/json\">{}</script>\n{}</figure>\n",
      html_text(chart.title), legend_html(chart), html_text(description(chart)), html_text(chart.x_label),
      html_text(chart.y_label), script_json(chart_spec(chart)), numbers_html(chart));
}

}  // namespace weft::detail
