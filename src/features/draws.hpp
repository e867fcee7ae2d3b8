// Drawing the centres of a part: independently, in orthogonal or Hadamard blocks, or along a low-discrepancy sequence.
#pragma once

#include <weft/feature_map.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace weft::detail {

/// Whether the sampling chooses among candidates, for which it must see rows.
bool samples_from_data(Sampling sampling);
/// Whether it chooses them by their leverage scores.
bool by_leverage(Sampling sampling);

/// Refuses sampling options that the sampling does not read.
void check_sampling_options(const FamilyOptions& options);

/// Features of each part of the family; parts of a union without a count share what is left of options.features.
std::vector<Index> part_sizes(const FamilyOptions& options, const Inputs& inputs, const ActivationPtr& custom);

/// Draws sizes[k] centres of part k as the options say; plainly where the sampling chooses among them afterwards.
FeatureMap draw_parts(const FamilyOptions& options, const Inputs& inputs, const std::vector<Index>& sizes,
                      const ActivationPtr& custom);

/// `sampling` is plain, orthogonal, structured, halton or sobol. All but plain need a dense projection. Every centre is
/// by itself distributed as a plain one, so that kernels stay unbiased; only their joint law differs. The first T'
/// of T centres are the T' centres.
void draw_centres(FeaturePart& part, Index count, Sampling sampling, std::uint64_t seed);

}  // namespace weft::detail
