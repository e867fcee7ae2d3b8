// Pages and chart specifications: nothing in a text becomes markup, nothing that an axis cannot show reaches it.
#include <weft/report.hpp>

#include "core/embedded.hpp"
#include "report/chart_spec.hpp"
#include "report/html_text.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

const std::string kHostile = "</script><!-- <script>\"'&\xff";

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

Report hostile_report() {
  ReportChart chart{.title = kHostile, .x_label = kHostile, .y_label = kHostile};
  chart.series = {{.name = kHostile, .points = {{1, 2}}}, {.name = "b", .mark = Mark::dashed, .points = {{1, 2}}}};
  ReportTable table{.caption = kHostile, .columns = {kHostile}, .rows = {{{kHostile, 1.0, kHostile}}}};
  Report report{.title = kHostile, .summary = kHostile};
  report.sections = {{.heading = kHostile, .paragraphs = {kHostile}, .tables = {table}, .charts = {chart}},
                     {.heading = "second"}};
  report.facts = {{kHostile, kHostile}};
  return report;
}

TEST(Html, EscapesEveryText) {
  Report plain = hostile_report();
  const std::string html = plain.to_html();
  for (std::string* text : {&plain.title, &plain.summary, &plain.sections[0].heading, &plain.sections[0].paragraphs[0]})
    *text = "text";
  plain.sections[0].tables[0] = {.caption = "text", .columns = {"text"}, .rows = {{{"text", 1.0, "text"}}}};
  for (std::string* text : {&plain.sections[0].charts[0].title, &plain.sections[0].charts[0].x_label,
                            &plain.sections[0].charts[0].y_label, &plain.sections[0].charts[0].series[0].name})
    *text = "text";
  plain.facts = {{"text", "text"}};
  // The same page with harmless texts has as many of these.
  for (const char* part : {"<script", "</script", "<!--", "<td", "<p"})
    EXPECT_EQ(count_of(html, part), count_of(plain.to_html(), part)) << part;
}

TEST(Html, EmbeddedFilesDoNotEndTheirElement) {
  for (const EmbeddedFile& file : embedded_page()) {
    EXPECT_FALSE(file.contents.empty()) << file.name;
    EXPECT_EQ(file.contents.find("</script"), std::string_view::npos) << file.name;
    EXPECT_EQ(file.contents.find("<!--"), std::string_view::npos) << file.name;
    EXPECT_TRUE(file.name != "licences.txt" || file.contents.find("*/") == std::string_view::npos);
  }
}

TEST(Html, JsonInScriptReadsBack) {
  const Json json = {{"a", "</script><!--"}, {"b", {1.5, nullptr}}};
  const std::string text = script_json(json);
  EXPECT_EQ(text.find('<'), std::string::npos);
  EXPECT_EQ(Json::parse(text), json);
}

TEST(Html, CellsCarryTheNumberTheySortByAndTheirVerdict) {
  Report report{.title = "t"};
  report.sections = {{.heading = "", .tables = {{.caption = "", .columns = {"a", "b", "c"}}}}};
  report.sections[0].tables[0].rows = {{{"1 ± 2", 1.25, "better"}, {"nothing", std::nan("")}}};
  const std::string html = report.to_html();
  EXPECT_NE(
      html.find(
          "<td data-value=\"1.25\">1 ± 2<span class=\"verdict better\"><span aria-hidden=\"true\">▲</span> better"),
      std::string::npos);
  EXPECT_NE(html.find("<td>nothing</td><td></td></tr>"), std::string::npos);  // a short row is filled up
  EXPECT_EQ(html.find("<nav"), std::string::npos);
  EXPECT_EQ(html.find("vegaLite={}"), std::string::npos);  // a page without charts does not carry the library
}

std::size_t points_drawn(const Json& spec) {
  std::size_t count = 0;
  for (const Json& layer : spec.at("layer")) count += layer.at("data").at("values").size();
  return count;
}

TEST(ChartSpec, LeavesOutWhatAnAxisCannotShow) {
  const double inf = std::numeric_limits<double>::infinity();
  ReportChart chart{.title = "t", .x_label = "x", .y_label = "y"};
  chart.series = {{.name = "a", .points = {{0, 1}, {1, 0}, {2, -1}, {3, inf}, {inf, 3}, {4, 2, -1.0, 3.0}}}};
  EXPECT_EQ(points_drawn(chart_spec(chart)), 4U);
  chart.log_y = true;
  EXPECT_EQ(points_drawn(chart_spec(chart)), 2U);
  const Json last = chart_spec(chart)["layer"][0]["data"]["values"][1];
  EXPECT_EQ(last.at("low"), 2);  // an interval that reaches below the axis starts at its point
  EXPECT_EQ(last.at("high"), 3);
  chart.log_x = true;
  EXPECT_EQ(points_drawn(chart_spec(chart)), 1U);
  EXPECT_EQ(chart_spec(chart)["layer"][0]["layer"].back()["encoding"]["x"]["scale"]["type"], "log");
}

TEST(ChartSpec, BarsTouch) {
  ReportChart chart{.title = "t", .x_label = "x", .y_label = "y"};
  chart.series = {{.name = "a", .mark = Mark::bars, .points = {{2, 1}, {0, 1}, {1, 1}, {5, 1}}}};
  Json values = chart_spec(chart)["layer"][0]["data"]["values"];
  EXPECT_EQ(values[2]["left"], 0.5);
  EXPECT_EQ(values[2]["right"], values[0]["left"]);
  chart.log_x = true;
  chart.series[0].points = {{1, 1}, {4, 1}, {100, 1}};
  values = chart_spec(chart)["layer"][0]["data"]["values"];
  EXPECT_NEAR(values[0]["right"].get<double>(), 2, 1e-12);
  EXPECT_NEAR(values[1]["left"].get<double>(), 2, 1e-12);
}

TEST(ChartSpec, NamedBarsIgnoreWhatHasNoName) {
  ReportChart chart{.title = "t", .x_label = "", .y_label = "y", .x_names = {"one", "two"}};
  chart.series = {{.name = "a", .mark = Mark::bars, .points = {{0, 1}, {1, 2}, {2, 3}, {-1, 4}}}};
  const Json spec = chart_spec(chart);
  ASSERT_EQ(spec.at("data").at("values").size(), 2U);
  EXPECT_EQ(spec["data"]["values"][1]["name"], "two");
  EXPECT_FALSE(spec["encoding"].contains("yOffset"));
  chart.series.push_back({.name = "b", .mark = Mark::bars, .points = {{0, 1}}});
  EXPECT_TRUE(chart_spec(chart)["encoding"].contains("yOffset"));
  chart.stacked = true;
  EXPECT_FALSE(chart_spec(chart)["encoding"].contains("yOffset"));
}

TEST(ChartSpec, NamedBarsHaveTheirIntervals) {
  ReportChart chart{.title = "t", .x_label = "", .y_label = "y", .x_names = {"one", "two"}};
  chart.series = {{.name = "a", .mark = Mark::bars, .points = {{0, 1}, {1, 2}}}};
  EXPECT_EQ(chart_spec(chart).at("layer").size(), 1U);
  chart.series[0].points[1] = {1, 2, 1.5, 2.5};
  const Json spec = chart_spec(chart);
  ASSERT_EQ(spec.at("layer").size(), 2U);
  EXPECT_EQ(spec["layer"][1]["encoding"]["x"]["field"], "low");
  EXPECT_FALSE(spec["data"]["values"][0].contains("low"));
  EXPECT_EQ(spec["data"]["values"][1]["high"], 2.5);
}

TEST(Machine, SaysThreads) {
  weft::Run run;
  run.threads = 1;
  EXPECT_NE(machine_text(run).find("; 1 thread, "), std::string::npos) << machine_text(run);
}

}  // namespace
}  // namespace weft
