#include "report/sections.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr Index kPoints = 1000;
constexpr Index kMostTargets = 4;
constexpr int kResidualBins = 25;

ReportChart scatter(const std::string& title, const std::string& y_label, std::vector<ChartPoint> points,
                    const char* reference, bool diagonal) {
  ReportChart chart{.title = title, .x_label = "predicted value", .y_label = y_label};
  const auto [least, most] = std::minmax_element(points.begin(), points.end(),
                                                 [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
  const double low = least->x, high = most->x;
  chart.series = {
      {.name = "rows", .mark = Mark::points, .points = std::move(points)},
      {.name = reference, .mark = Mark::dashed, .points = {{low, diagonal ? low : 0}, {high, diagonal ? high : 0}}}};
  return chart;
}

ReportChart histogram(const std::string& title, const std::vector<double>& residuals,
                      const std::vector<double>& weights) {
  const auto [least, most] = std::minmax_element(residuals.begin(), residuals.end());
  const double low = *least;
  const double width = *most > low ? (*most - low) / kResidualBins : 1;
  ChartSeries series{.name = "rows", .mark = Mark::bars};
  for (int bin = 0; bin < kResidualBins; ++bin) series.points.push_back({low + (bin + 0.5) * width, 0});
  for (std::size_t i = 0; i < residuals.size(); ++i)
    series.points[static_cast<std::size_t>(std::min(kResidualBins - 1, static_cast<int>((residuals[i] - low) / width)))]
        .y += weights[i];
  return {.title = title, .x_label = "residual (true − predicted)", .y_label = "rows", .series = {std::move(series)}};
}

void add_target(ReportSection& section, const HeldOut& rows, Index target) {
  const std::string of =
      rows.targets.cols() > 1 ? " of " + rows.target.names[static_cast<std::size_t>(target)] : std::string();
  // Every step-th row keeps the page small.
  const Index step = (rows.rows() + kPoints - 1) / kPoints;
  std::vector<ChartPoint> pairs, errors;
  std::vector<double> residuals, weights;
  for (Index i = 0; i < rows.rows(); ++i) {
    const double predicted = rows.values(i, target);
    const double truth = rows.targets(i, target);
    if (!std::isfinite(predicted)) continue;
    residuals.push_back(truth - predicted);
    weights.push_back(rows.weights[static_cast<std::size_t>(i)]);
    if (i % step != 0) continue;
    pairs.push_back({predicted, truth});
    errors.push_back({predicted, truth - predicted});
  }
  if (pairs.empty()) return;
  section.charts.push_back(
      scatter("True against predicted values" + of, "true value", std::move(pairs), "equal", true));
  section.charts.push_back(scatter("Residuals against predicted values" + of, "residual (true − predicted)",
                                   std::move(errors), "zero", false));
  section.charts.push_back(histogram("Residuals" + of, residuals, weights));
}

}  // namespace

ReportSection residuals_section(const EvaluationRows& held_out) {
  const HeldOut& rows = held_out.predictions;
  ReportSection section{.heading = "Residuals"};
  section.paragraphs.push_back(fmt::format("On the {} {}{}.", rows.rows(), held_out.name,
                                           rows.rows() > kPoints ? ", of which a subset is drawn as points" : ""));
  if (rows.targets.cols() > kMostTargets)
    section.paragraphs.push_back(fmt::format("The first {} targets are drawn.", kMostTargets));
  for (Index k = 0; k < std::min(kMostTargets, rows.targets.cols()); ++k) add_target(section, rows, k);
  return section;
}

}  // namespace weft::detail
