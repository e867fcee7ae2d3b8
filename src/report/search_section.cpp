#include "report/sections.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr std::size_t kShownTrials = 20;
constexpr std::size_t kMostFamilies = 8;

ReportTable trial_table(const TuneResult& search) {
  ReportTable table{.caption = "The best configurations; score ± standard error over the folds",
                    .columns = {"family", "features", "sigma", "bandwidth", "lambda", name_of(search.metric), "rows"}};
  const std::vector<std::size_t> order = search.ranking();
  for (std::size_t k = 0; k < std::min(kShownTrials, order.size()); ++k) {
    const Trial& trial = search.trials[order[k]];
    table.rows.push_back({trial.name(), trial.kernel.empty() ? count_cell(trial.family.features) : ReportCell(""),
                          number_cell(trial.bandwidth.value_or(*trial.family.sigma)), trial.width(),
                          trial.lambda ? number_cell(*trial.lambda) : ReportCell("left to the fit"),
                          ReportCell(fmt::format("{:.4g} ± {:.2g}", trial.score, trial.standard_error), trial.score),
                          ReportCell(fmt::format("{:.0f} %", 100 * trial.rows), trial.rows)});
  }
  return table;
}

ReportChart trial_chart(const TuneResult& search) {
  ReportChart chart{.title = "All configurations, in the order tried",
                    .x_label = "configuration",
                    .y_label = std::string("cross-validated ") + name_of(search.metric)};
  std::vector<std::string> families;
  for (const Trial& trial : search.trials)
    if (std::find(families.begin(), families.end(), trial.name()) == families.end()) families.push_back(trial.name());
  if (families.size() > kMostFamilies) families = {"configurations"};
  for (const std::string& family : families) {
    ChartSeries series{.name = family, .mark = Mark::points};
    for (const Trial& trial : search.trials)
      if (!trial.failed() && (families.size() == 1 || trial.name() == family))
        series.points.push_back({static_cast<double>(trial.number + 1), trial.score, trial.score - trial.standard_error,
                                 trial.score + trial.standard_error});
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace

ReportSection search_section(const TuneResult& search) {
  ReportSection section{.heading = "Search"};
  const auto failed =
      std::count_if(search.trials.begin(), search.trials.end(), [](const Trial& trial) { return trial.failed(); });
  section.paragraphs.push_back(fmt::format("{} of {} configurations were tried in {:.1f} s{}{}.", search.trials.size(),
                                           search.planned, search.seconds,
                                           failed > 0 ? fmt::format("; {} could not be fitted", failed) : "",
                                           search.out_of_time ? "; time limit reached" : ""));
  for (const std::string& note : search.notes) section.paragraphs.push_back(note);
  section.tables.push_back(trial_table(search));
  if (search.trials.size() > 1) section.charts.push_back(trial_chart(search));
  return section;
}

ReportSection curve_section(const TuneResult& search) {
  const CurvePoint& recommended = search.curve[search.recommended];
  ReportSection section{.heading = "Number of features"};
  section.paragraphs.push_back(
      fmt::format("The winner's first T features, each T at its best lambda. {} features are the fewest within one "
                  "standard error of the best; ‹smallest› fits that many.",
                  recommended.features));
  ReportChart chart{.title = "Learning curve",
                    .x_label = "features T",
                    .y_label = std::string("cross-validated ") + name_of(search.metric),
                    .log_x = true};
  ChartSeries series{.name = "mean ± standard error", .mark = Mark::band};
  for (const CurvePoint& point : search.curve)
    series.points.push_back({static_cast<double>(point.features), point.score, point.score - point.standard_error,
                             point.score + point.standard_error});
  chart.series.push_back(std::move(series));
  chart.series.push_back({.name = "fewest within one standard error",
                          .mark = Mark::points,
                          .points = {{static_cast<double>(recommended.features), recommended.score}}});
  section.charts.push_back(std::move(chart));
  return section;
}

}  // namespace weft::detail
