#include <weft/report.hpp>

#include "core/embedded.hpp"
#include "report/html_text.hpp"
#include "report/page_parts.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace weft {

using namespace detail;

namespace {

std::string_view page_file(std::string_view name) {
  return find_embedded(embedded_page(), name);
}

bool has_charts(const Report& report) {
  return std::any_of(report.sections.begin(), report.sections.end(),
                     [](const ReportSection& section) { return !section.charts.empty(); });
}

std::string head_html(const Report& report) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"weft\">\n<title>{}</title>\n"
      "<link rel=\"icon\" href=\"data:,\">\n<style>\n{}</style>\n</head>\n",
      html_text(report.title), page_file("page.css"));
}

std::string anchor(std::size_t section) {
  return fmt::format("section-{}", section + 1);
}

/// Links to the headings, where there is more than one to choose from.
std::string navigation_html(const Report& report) {
  std::string links;
  int count = 0;
  for (std::size_t k = 0; k < report.sections.size(); ++k)
    if (!report.sections[k].heading.empty()) {
      links += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", anchor(k), html_text(report.sections[k].heading));
      ++count;
    }
  return count < 2 ? "" : "<nav aria-label=\"Sections\"><ul>\n" + links + "</ul></nav>\n";
}

std::string section_html(const ReportSection& section, std::size_t k) {
  std::string html = fmt::format("<section id=\"{}\">\n", anchor(k));
  if (!section.heading.empty()) html += fmt::format("<h2>{}</h2>\n", html_text(section.heading));
  for (const std::string& paragraph : section.paragraphs) html += fmt::format("<p>{}</p>\n", html_text(paragraph));
  for (const ReportTable& table : section.tables) html += table_html(table);
  for (const ReportChart& chart : section.charts) html += chart_html(chart);
  return html + "</section>\n";
}

std::string facts_html(const Report& report) {
  if (report.facts.empty()) return "";
  std::string html = "<footer><h2>How this was made</h2>\n<dl>\n";
  for (const auto& [name, value] : report.facts)
    html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", html_text(name), html_text(value));
  return html + "</dl></footer>\n";
}

/// Vega and Vega-Lite with the licences of all they bundle, where the build has them.
std::string library_html() {
  return fmt::format("<script>\n/*! This page draws its charts with:\n\n{}*/\n{}\n</script>\n<script>\n{}\n</script>\n",
                     page_file("licences.txt"), page_file("vega.min.js"), page_file("vega-lite.min.js"));
}

}  // namespace

std::string Report::to_html() const {
  const bool drawn = !page_file("vega.min.js").empty();
  std::string html = head_html(*this) + "<body>\n<header>\n";
  html += fmt::format("<h1>{}</h1>\n", html_text(title));
  if (!summary.empty()) html += fmt::format("<p class=\"summary\">{}</p>\n", html_text(summary));
  if (has_charts(*this) && !drawn)
    html +=
        "<p class=\"notice\">The charts of this page are missing: this weft was built without the charting library. "
        "Install "
        "npm, build again with ./run and make the report again. Their numbers are below.</p>\n";
  html += navigation_html(*this) + "</header>\n<main>\n";
  for (std::size_t k = 0; k < sections.size(); ++k) html += section_html(sections[k], k);
  html += "</main>\n" + facts_html(*this);
  if (has_charts(*this) && drawn) html += library_html();
  return html + fmt::format("<script>\n{}</script>\n</body>\n</html>\n", page_file("page.js"));
}

}  // namespace weft
