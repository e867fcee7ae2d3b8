// The features of a fit: drawn independently, or chosen among candidates by their scores on the rows.
#pragma once

#include "sampling/candidates.hpp"
#include "sampling/choose.hpp"

namespace weft::detail {

struct SamplingRows {
  const BlockSource& labelled;  ///< whose targets eerf and lkrf use
  const BlockSource& inputs;    ///< which leverage scores use; the same unless there are unlabelled rows
};

/// The scores by which options.sampling chooses, one per candidate. Leverage scores are at options.sampling_lambda,
/// 1/rows where it is not given.
std::vector<double> candidate_scores(const FeatureMap& candidates, const FamilyOptions& options,
                                     const SamplingRows& rows, const Run& run);

/// The features to choose.
Index chosen_count(const FamilyOptions& options, const Inputs& inputs, const ActivationPtr& custom);

/// The candidates for options.sampling.
FeatureMap draw_candidates(const FamilyOptions& options, const Inputs& inputs, const Run& run,
                           const ActivationPtr& custom);

/// FeatureMap::draw for draws that do not use the data.
FeatureMap sample_map(const FamilyOptions& options, const Inputs& inputs, const SamplingRows& rows, const Run& run,
                      const ActivationPtr& custom);

}  // namespace weft::detail
