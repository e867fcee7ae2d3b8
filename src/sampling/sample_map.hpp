// The features of a fit: drawn as they come, or chosen among candidates by what the rows say.
#pragma once

#include "sampling/candidates.hpp"

namespace weft {

struct SamplingRows {
  const BlockSource& labelled;  ///< whose targets eerf and lkrf look at
  const BlockSource& inputs;    ///< which leverage scores look at; the same unless there are unlabelled rows
};

/// FeatureMap::draw for draws that look at nothing. Resampling draws features with replacement, so that there may be
/// fewer in the end.
FeatureMap sample_map(const FamilyOptions& options, const Inputs& inputs, const SamplingRows& rows, const Run& run,
                      const ActivationPtr& custom);

}  // namespace weft
