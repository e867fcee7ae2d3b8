// Probabilities for least-squares classifiers: a sigmoid per output, fitted to scores of rows the scoring fit did not
// see.
#pragma once

#include "methods/problem.hpp"
#include "objective/penalty.hpp"

namespace weft::detail {

/// Three folds by accumulator arithmetic: one pass for the folds' sums, three solves, one pass for the held-out scores.
Calibration calibrate(const Problem& problem, const Penalty& penalty, double effective_lambda);

}  // namespace weft::detail
