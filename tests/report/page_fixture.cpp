// Writes a report with every kind of chart and cell, for the browser test: page_fixture FILE
#include <weft/report.hpp>
#include <weft/write.hpp>

#include <cmath>

#include <fmt/format.h>

namespace {

using namespace weft;

/// Test errors that fall with the number of features, at a rate per sampler, with intervals.
ReportChart error_chart() {
  ReportChart chart{.title = "Test error against the number of features",
                    .x_label = "features M",
                    .y_label = "test error",
                    .log_x = true,
                    .log_y = true};
  const char* const names[] = {"plain", "leverage", "leverage-top", "lkrf", "eerf"};
  for (int k = 0; k < 5; ++k) {
    ChartSeries series{.name = names[k]};
    for (const double m : {20, 30, 50, 70, 100, 200}) {
      const double y = (0.9 - 0.07 * k) / std::sqrt(m) + 0.02 * k;
      series.points.push_back({m, y, y * 0.93, y * 1.07});
    }
    chart.series.push_back(series);
  }
  ChartSeries rate{.name = "rate 1/√M", .mark = Mark::dashed};
  for (const double m : {20, 200}) rate.points.push_back({m, 0.8 / std::sqrt(m)});
  chart.series.push_back(rate);
  return chart;
}

ReportChart band_chart() {
  ReportChart chart{.title = "Error against γ, with the chosen interval",
                    .x_label = "γ",
                    .y_label = "cross-validated mse",
                    .log_x = true,
                    .shaded = std::pair{0.5, 2.0}};
  ChartSeries series{.name = "rw-sign", .mark = Mark::band};
  for (int k = -20; k <= 20; ++k) {
    const double y = 0.2 + 0.0006 * k * k;
    series.points.push_back({std::pow(10.0, 0.1 * k), y, y - 0.02, y + 0.02});
  }
  chart.series.push_back(series);
  return chart;
}

ReportChart histogram_chart() {
  ReportChart chart{.title = "Histogram of the scores", .x_label = "score", .y_label = "features"};
  ChartSeries series{.name = "scores", .mark = Mark::bars};
  for (int k = 0; k < 20; ++k) series.points.push_back({0.05 * k, 100 * std::exp(-0.02 * (k - 6) * (k - 6))});
  chart.series.push_back(series);
  return chart;
}

ReportChart scatter_chart() {
  ReportChart chart{.title = "Predicted against true", .x_label = "true", .y_label = "predicted"};
  ChartSeries points{.name = "rows", .mark = Mark::points};
  for (int k = 0; k < 400; ++k) points.points.push_back({0.01 * k, 0.01 * k + 0.3 * std::sin(12.9898 * k)});
  chart.series = {points, {.name = "equal", .mark = Mark::dashed, .points = {{0, 0}, {4, 4}}}};
  return chart;
}

ReportChart named_chart() {
  return {.title = "Seconds by stage",
          .x_label = "",
          .y_label = "seconds",
          .series = {{.name = "features", .mark = Mark::bars, .points = {{0, 3}, {1, 2}, {2, 5}}},
                     {.name = "solve", .mark = Mark::bars, .points = {{0, 1}, {1, 4}, {2, 2}}}},
          .x_names = {"rw-sign", "rw-relu/sparse:3", "rks-cos"},
          .stacked = true};
}

ReportTable verdict_table() {
  ReportTable table{.caption = "Test error, ours beside the paper's", .columns = {"data", "ours", "paper", "verdict"}};
  const char* const verdicts[] = {"better", "matches", "worse"};
  const double ours[] = {0.1432, 0.0091, 0.0412};
  for (std::size_t k = 0; k < 3; ++k)
    table.rows.push_back({fmt::format("set <{}>", k),
                          {fmt::format("{:.4f} ± 0.002", ours[k]), ours[k]},
                          {fmt::format("{:.3f}", ours[2 - k]), ours[2 - k]},
                          {verdicts[k], double(k), verdicts[k]}});
  return table;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  Report report{.title = "Shahrampour & Kolouri 2019, Figure 2: features chosen by leverage scores against plain ones",
                .summary = "Text is text: <b>not bold</b>, </script><script>alert(1)</script> & <!-- no comment."};
  report.sections = {{.heading = "Errors",
                      .paragraphs = {"Mean ± standard error of 20 repeats."},
                      .tables = {verdict_table()},
                      .charts = {error_chart()}},
                     {.heading = "Width", .charts = {band_chart(), histogram_chart()}},
                     {.heading = "Predictions </script><!--", .charts = {scatter_chart(), named_chart()}}};
  report.sections[2].charts[0].title += " </script><!-- <script>";
  report.facts = {{"command", "weft-papers run elss-figure-2 --full --data DIR --out DIR"}, {"weft", "0.1.0"}};
  write_file(argv[1], report.to_html());
  return 0;
}
