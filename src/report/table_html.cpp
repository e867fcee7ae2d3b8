#include "report/html_text.hpp"
#include "report/page_parts.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace weft {

namespace {

/// The verdict as a sign and a word: colour only repeats it.
std::string verdict_html(const ReportCell& cell) {
  if (cell.verdict.empty()) return "";
  const char* const sign = cell.verdict == "better" ? "▲" : cell.verdict == "worse" ? "▼" : "=";
  return fmt::format("<span class=\"verdict {0}\"><span aria-hidden=\"true\">{1}</span> {0}</span>",
                     html_text(cell.verdict), sign);
}

std::string cell_html(const ReportCell& cell, bool words) {
  const std::string value =
      cell.value && std::isfinite(*cell.value) ? fmt::format(" data-value=\"{}\"", *cell.value) : "";
  // A cell that says nothing but its verdict says it once.
  const std::string text = cell.text == cell.verdict ? "" : html_text(cell.text);
  return fmt::format("<td{}{}>{}{}</td>", words ? " class=\"words\"" : "", value, text, verdict_html(cell));
}

/// Columns without a number read from the left.
bool is_words(const ReportTable& table, std::size_t column) {
  return std::none_of(table.rows.begin(), table.rows.end(),
                      [&](const auto& row) { return column < row.size() && row[column].value.has_value(); });
}

}  // namespace

ReportCell number_cell(double value) {
  return {fmt::format("{:.4g}", value), value};
}

std::string table_html(const ReportTable& table) {
  // The box can be reached by keyboard, to scroll it.
  std::string html = fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table>",
                                 html_text(table.caption.empty() ? "table" : table.caption));
  if (!table.caption.empty()) html += fmt::format("<caption>{}</caption>", html_text(table.caption));
  html += "<thead><tr>";
  std::vector<bool> words;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    words.push_back(is_words(table, c));
    html += fmt::format("<th scope=\"col\"{}><button type=\"button\">{}</button></th>",
                        words.back() ? " class=\"words\"" : "", html_text(table.columns[c]));
  }
  html += "</tr></thead><tbody>\n";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      html += c < row.size() ? cell_html(row[c], words[c]) : "<td></td>";
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

}  // namespace weft
