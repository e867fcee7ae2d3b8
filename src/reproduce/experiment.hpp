// An experiment: a plan of cells, how one is computed, and how the finished ones are shown.
#pragma once

#include <weft/reproduce.hpp>

#include "core/json_text.hpp"
#include "reproduce/data_folder.hpp"

#include <functional>
#include <vector>

namespace weft {

using namespace detail;

/// What a plan and its cells see.
struct Bench {
  DataFolder data;
  bool full = false;
  Run run = {};
};

/// A member of a key as it was put in.
inline std::string text_of(const Json& key, const char* name) {
  return key.at(name).get<std::string>();
}
inline Index integer_of(const Json& key, const char* name) {
  return key.at(name).get<Index>();
}

/// `key` names everything the result depends on (data set, family, seed, numbers of configurations and features, …), so
/// that logs of quick and full runs may be one file. `values` are numbers, texts or arrays of them.
struct Cell {
  Json key;
  Json values;
  double seconds = 0;
};

/// A value of all cells whose keys have these members.
std::vector<double> values_of(const std::vector<Cell>& cells, const Json& members, const char* value);

struct Experiment {
  ExperimentInfo info;
  /// Keys in the order they are run. Only of data sets that are there.
  std::function<std::vector<Json>(const Bench&)> plan;
  std::function<Json(const Json& key, const Bench&)> compute;
  /// Sections from all cells of the plan, in its order.
  std::function<std::vector<ReportSection>(const std::vector<Cell>&, const Bench&)> present;
  /// Its subject is time: one cell after another, each with all threads. Elsewhere every thread takes a cell of its
  /// own, which needs nothing of the others and so is nearly as many times faster.
  bool timed = false;
};

/// All of them, in the order of the papers: one function per experiment, each in a file of its own.
const std::vector<Experiment>& all_experiments();

Experiment rkhs_tables();
Experiment rkhs_sota();
Experiment rkhs_figure_1();
Experiment rkhs_figure_2();
Experiment rkhs_figures_3_4();
Experiment rkhs_figures_5_6();
Experiment rkhs_figures_7_8();
Experiment rkhs_figures_9_10();
Experiment elss_figure_1();
Experiment elss_figure_2();
Experiment elss_figure_3();
Experiment elss_figure_4();
Experiment rfm_figure_1();
Experiment rfm_figure_2();
Experiment rfm_figure_3();
Experiment rfm_figure_4();
Experiment jmlr_figure_1();
Experiment jmlr_table_2();
Experiment jmlr_table_3();
Experiment rflaf_figures_1_3();
Experiment rflaf_figures_2_4();

}  // namespace weft
