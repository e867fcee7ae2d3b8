// Reproduction of the papers' tables and figures: experiments made of cells that are computed once and kept.
#pragma once

#include "experiment.hpp"

#include <string>
#include <vector>

namespace weft::papers {

struct ReproduceOptions {
  std::string data = "";
  Size size = Size::quick;
  std::string out = "weft-results";
  std::string only = "";

  static auto fields() {
    using O = ReproduceOptions;
    return std::tuple{
        Field{"data", &O::data, Allowed::anything(), "folder of the data sets; not given: $WEFT_DATA"},
        Field{"out", &O::out, Allowed::anything(),
              "folder for the log of finished cells, from which a run continues, and for the reports"},
        Field{"only", &O::only, Allowed::anything(),
              "cells whose keys have these members, as they are in the log: protocol=paper,set=wine; not given: all"},
    };
  }
};

/// In the order of the papers.
std::vector<ExperimentInfo> experiments();

struct Reproduction {
  ExperimentInfo experiment;
  Size size = Size::quick;
  Report report = {};
  Index cells = 0;                         ///< of the plan
  Index resumed = 0;                       ///< found in the log
  Index unfinished = 0;                    ///< left for a later run by the time limit
  double seconds = 0;                      ///< of this run
  double cell_seconds = 0;                 ///< of all cells, whenever they were run
  std::vector<std::string> missing = {};   ///< data sets that are not in the folder
  std::vector<Cell> failed = {};           ///< whose values are {"failure": reason}; a later run tries them again
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

}  // namespace weft::papers
