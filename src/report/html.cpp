#include <weft/report.hpp>

#include <fmt/format.h>

namespace weft {

namespace {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

std::string table_html(const ReportTable& table) {
  std::string html = fmt::format("<table><caption>{}</caption><thead><tr>", escaped(table.caption));
  for (const std::string& column : table.columns) html += fmt::format("<th>{}</th>", escaped(column));
  html += "</tr></thead><tbody>";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (const ReportCell& cell : row)
      html += fmt::format("<td class=\"{}\">{}</td>", escaped(cell.verdict), escaped(cell.text));
    html += "</tr>";
  }
  return html + "</tbody></table>";
}

}  // namespace

std::string Report::to_html() const {
  std::string html =
      fmt::format("<!doctype html><meta charset=\"utf-8\"><title>{0}</title><h1>{0}</h1>", escaped(title));
  for (const ReportSection& section : sections) {
    html += fmt::format("<h2>{}</h2>", escaped(section.heading));
    for (const std::string& paragraph : section.paragraphs) html += fmt::format("<p>{}</p>", escaped(paragraph));
    for (const ReportTable& table : section.tables) html += table_html(table);
  }
  return html;
}

}  // namespace weft
