// Kernel ridge regression in the leaves of trees over the rows: cost n·leaf²/3 instead of n³/3, and a prediction
// touches one leaf of each tree.
#pragma once

#include "methods/problem.hpp"

namespace weft::detail {

FitResult fit_local(const Problem& problem);

/// The number given, none where the bandwidth is chosen; throws for anything else.
std::optional<double> local_bandwidth(const LocalOptions& options);

}  // namespace weft::detail
