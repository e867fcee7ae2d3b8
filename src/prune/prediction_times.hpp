// How long a row takes before and after pruning.
#pragma once

#include <weft/model.hpp>

#include "data/rows/block_source.hpp"

namespace weft::detail {

struct PredictionTimes {
  double before = 0, after = 0;  ///< seconds per row
};

/// Measured alternately on the first rows, the best of several rounds.
PredictionTimes prediction_times(const ModelParts& before, const ModelParts& after, const BlockSource& rows,
                                 const Run& run);

}  // namespace weft::detail
