// Figures: curves over some number x, one per series, in panels per data set, averaged over seeds.
#pragma once

#include "experiment.hpp"

#include <optional>
#include <string>
#include <vector>

namespace weft::papers {

/// One chart per data set: a value of the cells against x.
struct Panel {
  std::string value;  ///< member of a cell's values
  std::string label;  ///< of the y axis
  bool log_y = false;
  /// Takes the mean of this value for x instead of the key's x; empty: x itself.
  std::string x_value = {};
  std::string x_label = {};
};

struct Figure {
  std::string x_label;
  bool log_x = false;
  std::vector<Panel> panels;
  /// Interval of x to set off in the charts of a set.
  std::function<std::optional<std::pair<double, double>>(const std::string& set, const Bench&)> shaded = {};
  /// Remarks about the results, from all cells.
  std::function<std::vector<std::string>(const std::vector<Cell>&, const Bench&)> remarks = {};
  /// Tables beside them.
  std::function<std::vector<ReportTable>(const std::vector<Cell>&, const Bench&)> tables = {};
};

/// Keys must have "set", "series", "x" and "seed". Cells without the value of a panel are left out of it.
std::vector<ReportSection> present_figure(const Figure& figure, const std::vector<Cell>& cells, const Bench& bench);

/// An experiment that is one such figure.
Experiment figure_experiment(ExperimentInfo info, std::function<std::vector<Json>(const Bench&)> plan,
                             std::function<Json(const Json&, const Bench&)> compute, Figure figure);

/// The same under both protocols (trained.hpp): first the paper's, then weft's defaults.
Experiment protocol_figure(ExperimentInfo info, std::function<std::vector<Json>(const Bench&)> plan,
                           std::function<Json(const Json&, const Bench&)> compute, Figure figure);

/// Keys over sets (those that are there), series, x and seeds 1 … `seeds`, each with `rest` appended.
std::vector<Json> figure_plan(const Bench& bench, const std::vector<std::string>& sets,
                              const std::vector<std::string>& series, const std::vector<double>& xs, int seeds,
                              const Json& rest = Json::object());

}  // namespace weft::papers
