#include "report/sections.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace weft::detail {

namespace {

/// The quantity that the rules compare with epsilon (weft/prune.hpp).
std::string growth_label(AcceptRule accept) {
  return accept == AcceptRule::error ? "increase of the error" : "increase of the mean loss";
}

ReportChart prune_chart(const PruneResult& result) {
  ReportChart chart{.title = "Pruning curve", .x_label = "features kept", .y_label = growth_label(result.accept)};
  std::vector<ChartPoint> steps;
  for (const PruneStep& step : result.path) steps.push_back({static_cast<double>(step.kept), step.value});
  std::sort(steps.begin(), steps.end(), [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
  const auto all = static_cast<double>(result.features_before);
  const double epsilon = result.epsilon.value();
  chart.series = {
      {.name = "lasso", .points = std::move(steps)},
      {.name = fmt::format("allowed: {:g}", epsilon), .mark = Mark::dashed, .points = {{0, epsilon}, {all, epsilon}}}};
  return chart;
}

ReportTable prune_table(const PruneResult& result) {
  const bool classes = result.train_before.task != Task::regression;
  const auto measure = classes ? &Evaluation::error : &Evaluation::mse;
  ReportTable table{.caption = "Before and after, on the training rows",
                    .columns = {"model", "features", classes ? "error" : "mse", "µs per row"}};
  const auto add = [&](const char* name, Index features, const Evaluation& quality, double seconds) {
    table.rows.push_back(
        {name, count_cell(features), number_cell((quality.*measure).value()), number_cell(1e6 * seconds)});
  };
  add("as fitted", result.features_before, result.train_before, result.seconds_before);
  add("pruned", result.features_after, result.train_after, result.seconds_after);
  return table;
}

}  // namespace

ReportSection prune_section(const PruneResult& result) {
  ReportSection section{.heading = "Pruning"};
  section.paragraphs.push_back(fmt::format("weft prune would keep {} of {} features within the allowed {} of {:g}.",
                                           result.features_after, result.features_before, growth_label(result.accept),
                                           result.epsilon.value()));
  for (const std::string& note : result.notes) section.paragraphs.push_back(note);
  section.tables.push_back(prune_table(result));
  section.charts.push_back(prune_chart(result));
  return section;
}

}  // namespace weft::detail
