#include "report/chart_table.hpp"

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

ReportChart chart() {
  return {.title = "t",
          .x_label = "features",
          .y_label = "error",
          .series = {{.name = "a", .points = {{10, 0.5, 0.4, 0.6}, {20, 0.25, 0.2, 0.4}}},
                     {.name = "b", .points = {{20, 1.0 / 3}}}}};
}

TEST(ChartTable, HasARowPerXAndAColumnPerSeries) {
  const ReportTable table = chart_table(chart(), 10);
  EXPECT_EQ(table.columns, (std::vector<std::string>{"features", "a", "b"}));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0][0].text, "10");
  EXPECT_EQ(table.rows[0][1].text, "0.5 ± 0.1");
  EXPECT_EQ(table.rows[0][2].text, "");
  EXPECT_EQ(table.rows[1][1].text, "0.25 (0.2 … 0.4)");
  EXPECT_EQ(table.rows[1][2].text, "0.3333");
  EXPECT_EQ(table.rows[1][2].value, 1.0 / 3);
}

TEST(ChartTable, NamesStandUnderTheirHeading) {
  ReportChart bars = chart();
  bars.x_label.clear();
  bars.x_names = {"one"};
  bars.series = {{.name = "a", .mark = Mark::bars, .points = {{0, 1}}}};
  const ReportTable table = chart_table(bars, 10);
  EXPECT_EQ(table.columns[0], "name");
  EXPECT_EQ(table.rows[0][0].text, "one");
}

TEST(ChartTable, LeavesLongCurvesToTheEye) {
  EXPECT_TRUE(chart_table(chart(), 1).rows.empty());
}

TEST(ChartTable, IsWhatMarkdownShowsOfAChart) {
  const Report report{.title = "r", .sections = {{.heading = "h", .charts = {chart()}}}};
  EXPECT_NE(report.to_markdown().find("| 10 | 0.5 ± 0.1 |  |"), std::string::npos) << report.to_markdown();
}

}  // namespace
}  // namespace weft
