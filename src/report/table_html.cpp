#include "report/html_text.hpp"
#include "report/page_parts.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace weft::detail {

namespace {

/// The verdict as a sign and a word, so that it does not depend on colour.
std::string verdict_html(const ReportCell& cell) {
  if (cell.verdict.empty()) return "";
  const char* const sign = cell.verdict == "better" ? "▲" : cell.verdict == "worse" ? "▼" : "=";
  return fmt::format("<span class=\"verdict {0}\"><span aria-hidden=\"true\">{1}</span> {0}</span>",
                     html_text(cell.verdict), sign);
}

std::string class_attribute(const char* name) {
  return *name ? fmt::format(" class=\"{}\"", name) : "";
}

std::string cell_html(const ReportCell& cell, const char* kind) {
  const std::string value =
      cell.value && std::isfinite(*cell.value) ? fmt::format(" data-value=\"{}\"", *cell.value) : "";
  // A cell whose text is its verdict shows it once.
  const std::string text = cell.text == cell.verdict ? "" : html_text(cell.text);
  return fmt::format("<td{}{}>{}{}</td>", class_attribute(kind), value, text, verdict_html(cell));
}

/// Columns without a number read from the left; those with sentences need more width.
const char* column_kind(const ReportTable& table, std::size_t column) {
  constexpr std::size_t kSentence = 40;
  const char* kind = "words";
  for (const auto& row : table.rows) {
    if (column >= row.size()) continue;
    if (row[column].value) return "";
    if (row[column].text.size() > kSentence) kind = "words long";
  }
  return kind;
}

}  // namespace

ReportCell number_cell(double value) {
  constexpr double kMostDigits = 1e15;
  const bool whole = value == std::round(value) && std::abs(value) < kMostDigits;
  return {whole ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value), value};
}

ReportCell count_cell(Index count) {
  return {fmt::format("{}", count), static_cast<double>(count)};
}

std::string table_html(const ReportTable& table) {
  // The box can be reached by keyboard, to scroll it; its caption stays where it is.
  std::string html;
  if (!table.caption.empty()) html += fmt::format("<p class=\"caption\">{}</p>\n", html_text(table.caption));
  html += fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table>",
                      html_text(table.caption.empty() ? "table" : table.caption));
  html += "<thead><tr>";
  std::vector<const char*> kinds;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    kinds.push_back(column_kind(table, c));
    html += fmt::format("<th scope=\"col\"{}><button type=\"button\">{}</button></th>", class_attribute(kinds.back()),
                        html_text(table.columns[c]));
  }
  html += "</tr></thead><tbody>\n";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      html += c < row.size() ? cell_html(row[c], kinds[c]) : "<td></td>";
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

}  // namespace weft::detail
