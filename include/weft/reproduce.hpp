// The papers' tables and figures, run again: experiments made of cells that are computed once and kept.
#pragma once

#include <weft/report.hpp>
#include <weft/run.hpp>

#include <functional>
#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

struct ReproduceOptions {
  std::string data = "";
  std::string size = "quick";
  std::string out = "weft-results";

  static auto fields() {
    using O = ReproduceOptions;
    return std::tuple{
        Field{"data", &O::data, Allowed::anything(), "folder of the data sets; not given: $WEFT_DATA"},
        Field{"size", &O::size, Allowed::one_of({"quick", "full"}),
              "full: the papers' numbers of configurations, seeds and features; quick: a reduced version in minutes"},
        Field{"out", &O::out, Allowed::anything(),
              "folder for the log of finished cells, from which a run goes on, and for the reports"},
    };
  }
};

struct ExperimentInfo {
  std::string name;               ///< "elss-figure-2"
  std::string source;             ///< "[001] Figure 2"
  std::string title;              ///< one sentence: what is compared
  std::vector<std::string> data;  ///< data sets it can use; those that are missing are left out with a word
};

/// In the order of the papers.
std::vector<ExperimentInfo> experiments();

struct Reproduction {
  ExperimentInfo experiment;
  std::string size = {};  ///< of the options
  Report report = {};
  Index cells = 0;                         ///< of the plan
  Index resumed = 0;                       ///< found in the log
  Index unfinished = 0;                    ///< left for a later run by the time limit
  double seconds = 0;                      ///< of this run
  double cell_seconds = 0;                 ///< of all cells, whenever they were run
  std::vector<std::string> missing = {};   ///< data sets that are not in the folder
  int better = 0, matches = 0, worse = 0;  ///< verdicts of the tables
};

/// Data sets of an experiment that are not in the folder of the options.
std::vector<std::string> missing_data(const ExperimentInfo& experiment, const ReproduceOptions& options);

/// Runs the cells that OUT/NAME.jsonl does not hold (none is begun after run.max_seconds), then writes OUT/NAME.html
/// and OUT/NAME.md. Throws weft::Error for an unknown experiment, a folder that is not there, or when no data set of
/// the experiment is in it.
Reproduction reproduce(const std::string& name, const ReproduceOptions& options = {}, const Run& run = {});

/// Several of them in one report, after a table of their verdicts and times.
Report combined_report(const std::vector<Reproduction>& results);

}  // namespace weft
