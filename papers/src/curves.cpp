#include "curves.hpp"

#include "trained.hpp"

#include "statistics.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace weft::papers {

namespace {

template <class T>
void add_once(std::vector<T>& list, const T& entry) {
  if (std::find(list.begin(), list.end(), entry) == list.end()) list.push_back(entry);
}

/// Values of one point of a curve, one per seed.
struct Point {
  std::vector<double> y;
  std::vector<double> x;  // where the panel has an x of its own
};

using Curves = std::map<std::string, std::map<double, Point>>;  // series → x → values

Curves collect(const std::vector<Cell>& cells, const std::string& set, const Panel& panel) {
  Curves curves;
  for (const Cell& cell : cells) {
    if (text_of(cell.key, "set") != set || !cell.values.contains(panel.value)) continue;
    Point& point = curves[text_of(cell.key, "series")][cell.key.at("x").get<double>()];
    point.y.push_back(number_from_json(cell.values.at(panel.value)));
    if (!panel.x_value.empty()) point.x.push_back(number_from_json(cell.values.at(panel.x_value)));
  }
  return curves;
}

ReportChart chart_of(const Figure& figure, const Panel& panel, const std::string& set,
                     const std::vector<std::string>& series, Curves& curves) {
  ReportChart chart{.title = fmt::format("{}: {}", set, panel.label),
                    .x_label = panel.x_value.empty() ? figure.x_label : panel.x_label,
                    .y_label = panel.label,
                    .log_x = figure.log_x,
                    .log_y = panel.log_y};
  for (const std::string& name : series) {
    ChartSeries line{.name = name};
    for (const auto& [x, point] : curves[name]) {
      const Summary y = summary_of(point.y);
      const double at = point.x.empty() ? x : summary_of(point.x).mean;
      line.points.push_back({at, y.mean, y.mean - y.deviation, y.mean + y.deviation});
    }
    if (!line.points.empty()) chart.series.push_back(std::move(line));
  }
  return chart;
}

}  // namespace

std::vector<ReportSection> present_figure(const Figure& figure, const std::vector<Cell>& cells, const Bench& bench) {
  std::vector<std::string> sets, series;
  for (const Cell& cell : cells) {
    add_once(sets, text_of(cell.key, "set"));
    add_once(series, text_of(cell.key, "series"));
  }
  std::vector<ReportSection> sections;
  if (figure.remarks || figure.tables) sections.push_back({.heading = "What it shows"});
  if (figure.remarks) sections.back().paragraphs = figure.remarks(cells, bench);
  if (figure.tables) sections.back().tables = figure.tables(cells, bench);
  for (const std::string& set : sets) {
    ReportSection section{.heading = set};
    for (const Panel& panel : figure.panels) {
      Curves curves = collect(cells, set, panel);
      if (curves.empty()) continue;
      ReportChart chart = chart_of(figure, panel, set, series, curves);
      if (figure.shaded) chart.shaded = figure.shaded(set, bench);
      section.charts.push_back(std::move(chart));
    }
    sections.push_back(std::move(section));
  }
  return sections;
}

Experiment figure_experiment(ExperimentInfo info, std::function<std::vector<Json>(const Bench&)> plan,
                             std::function<Json(const Json&, const Bench&)> compute, Figure figure) {
  const bool timed = std::any_of(figure.panels.begin(), figure.panels.end(), [](const Panel& panel) {
    return panel.value == "seconds" || panel.x_value == "seconds";
  });
  return {std::move(info), std::move(plan), std::move(compute),
          [figure = std::move(figure)](const std::vector<Cell>& cells, const Bench& bench) {
            return present_figure(figure, cells, bench);
          },
          timed};
}

Experiment protocol_figure(ExperimentInfo info, std::function<std::vector<Json>(const Bench&)> plan,
                           std::function<Json(const Json&, const Bench&)> compute, Figure figure) {
  Experiment experiment = figure_experiment(std::move(info), {}, std::move(compute), {});
  experiment.plan = [plan = std::move(plan)](const Bench& bench) {
    std::vector<Json> keys;
    for (const Json& key : plan(bench))
      for (Json& one : both_protocols(key)) keys.push_back(std::move(one));
    return keys;
  };
  experiment.present = [figure = std::move(figure)](const std::vector<Cell>& cells, const Bench& bench) {
    std::vector<ReportSection> sections;
    for (const bool paper : {true, false})
      for (ReportSection& section : present_figure(figure, of_protocol(cells, paper), bench)) {
        section.heading += paper ? ", the paper's protocol" : ", weft's defaults";
        sections.push_back(std::move(section));
      }
    return sections;
  };
  return experiment;
}

std::vector<Json> figure_plan(const Bench& bench, const std::vector<std::string>& sets,
                              const std::vector<std::string>& series, const std::vector<double>& xs, int seeds,
                              const Json& rest) {
  std::vector<Json> keys;
  for (int seed = 1; seed <= seeds; ++seed)
    for (const std::string& set : sets) {
      if (!bench.data.has(set)) continue;
      for (const std::string& name : series)
        for (const double x : xs) {
          Json key = {{"set", set}, {"series", name}, {"x", x}, {"seed", seed}};
          key.update(rest);
          keys.push_back(std::move(key));
        }
    }
  return keys;
}

}  // namespace weft::papers
