// Cutting blocks into parts (fitted and held out, or folds) whose sums go to separate accumulators.
#pragma once

#include "fit/problem.hpp"
#include "linalg/accumulator.hpp"

#include <functional>
#include <vector>

namespace weft {

/// part_of(row) in 0 … parts-1 for a 0-based row of the table.
using PartOf = std::function<Index(Index row)>;

/// One pass: the sums of every part. Stops early when run.max_seconds is over (then *stopped_at says after how many
/// rows).
std::vector<Accumulator> accumulate_parts(const Problem& problem, Index parts, const PartOf& part_of,
                                          Index* stopped_at);

}  // namespace weft
