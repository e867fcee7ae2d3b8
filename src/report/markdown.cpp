#include <weft/report.hpp>

#include "report/chart_table.hpp"

#include <fmt/format.h>

namespace weft {

using namespace detail;

namespace {

constexpr std::size_t kChartRows = 60;  // a longer curve is not useful as a table

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '|' ? std::string("\\|") : std::string(1, c);
  return result;
}

std::string table_text(const ReportTable& table) {
  std::string text = table.caption.empty() ? "" : table.caption + "\n\n";
  text += "|";
  for (const std::string& column : table.columns) text += " " + escaped(column) + " |";
  text += "\n|";
  for (std::size_t c = 0; c < table.columns.size(); ++c) text += "---|";
  text += "\n";
  for (const auto& row : table.rows) {
    text += "|";
    for (const ReportCell& cell : row)
      text += fmt::format(" {}{} |", escaped(cell.text),
                          cell.verdict.empty() || cell.verdict == cell.text ? "" : " (" + cell.verdict + ")");
    text += "\n";
  }
  return text + "\n";
}

}  // namespace

std::string Report::to_markdown() const {
  std::string text = fmt::format("# {}\n\n", title);
  if (!summary.empty()) text += summary + "\n\n";
  for (const ReportSection& section : sections) {
    if (!section.heading.empty()) text += fmt::format("## {}\n\n", section.heading);
    for (const std::string& paragraph : section.paragraphs) text += paragraph + "\n\n";
    for (const ReportTable& table : section.tables) text += table_text(table);
    for (const ReportChart& chart : section.charts) {
      ReportTable numbers = chart_table(chart, kChartRows);
      if (numbers.rows.empty()) continue;
      numbers.caption = fmt::format("**{}**", chart.title);
      if (!chart.title.ends_with(chart.y_label)) numbers.caption += ": " + chart.y_label;
      text += table_text(numbers);
    }
  }
  for (const auto& [name, value] : facts) text += fmt::format("- {}: {}\n", name, value);
  return text;
}

}  // namespace weft
