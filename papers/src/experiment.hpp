// An experiment: a plan of cells, how one is computed, and how the finished ones are shown.
#pragma once

#include <weft/report.hpp>
#include <weft/run.hpp>

#include "data_folder.hpp"
#include "json.hpp"

#include <functional>
#include <string>
#include <vector>

namespace weft::papers {

struct ExperimentInfo {
  std::string name;               ///< "elss-figure-2"
  std::string source;             ///< "Shahrampour & Kolouri 2019, Figure 2"
  std::string title;              ///< one sentence: what is compared
  std::vector<std::string> data;  ///< data sets it can use; those that are missing are left out, and named
};

/// tiny: seconds, to see that everything runs; quick: a reduced version in minutes; full: the papers' numbers of
/// configurations, seeds and features.
enum class Size { tiny, quick, full };

/// What a plan and its cells see.
struct Bench {
  DataFolder data;
  Size size = Size::quick;
  Run run = {};

  bool full() const { return size == Size::full; }
  template <class T>
  T sized(T tiny, T quick, T full_size) const {
    return size == Size::tiny ? tiny : size == Size::quick ? quick : full_size;
  }
};

/// A member of a key as it was put in.
inline std::string text_of(const Json& key, const char* name) {
  return key.at(name).get<std::string>();
}
template <Choice T>
T choice_of(const Json& key, const char* name) {
  return parse_choice<T>(name, text_of(key, name));
}
inline Index integer_of(const Json& key, const char* name) {
  return key.at(name).get<Index>();
}

/// `key` names everything the result depends on (data set, family, seed, numbers of configurations and features, …), so
/// that logs of runs of all sizes may be one file. `values` are numbers, texts or arrays of them.
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

/// All of them, in the order of the papers: one function per experiment in experiments/.
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
Experiment rkhs_question_norm();
Experiment rkhs_question_limit();
Experiment rkhs_question_family();
Experiment rflaf_question_leverage();

/// "Wang 2019, Figure 1" for ("rfm", "Figure 1"). The first part of an experiment's name is its paper.
std::string source_of(const std::string& paper, const std::string& what);

}  // namespace weft::papers
