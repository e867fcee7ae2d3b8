// Every family of RKHS weightings against random kitchen sinks with the same base predictor, tested in pairs.
#pragma once

#include "experiment.hpp"

namespace weft::papers {

/// From cells with "set", "family" and "seed" and the value "test". Over the data sets, one mean each (Wilcoxon's
/// signed ranks; Demšar 2006), and for every set over its seeds (Student's t); p-values by Holm over each table.
ReportSection rkhs_comparisons(const std::vector<Cell>& cells, const std::vector<std::string>& sets);

}  // namespace weft::papers
