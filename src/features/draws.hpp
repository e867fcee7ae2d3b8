// Drawing the centres of a part: independently, in orthogonal or Hadamard blocks, or along a low-discrepancy sequence.
#pragma once

#include <weft/feature_map.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace weft::detail {

/// Whether the sampling chooses among candidates by their scores on the rows.
bool samples_from_data(Sampling sampling);
/// Whether it chooses them by their leverage scores.
bool by_leverage(Sampling sampling);

/// Throws where an option is given that the sampling does not use.
void check_sampling_options(const FamilyOptions& options);

/// Features of each part of the family; parts of a union without a number of their own share the rest of
/// options.features.
std::vector<Index> part_sizes(const FamilyOptions& options, const Inputs& inputs, const ActivationPtr& custom);

/// Draws sizes[k] centres of part k as the options specify; independently where the sampling then chooses among them.
FeatureMap draw_parts(const FamilyOptions& options, const Inputs& inputs, const std::vector<Index>& sizes,
                      const ActivationPtr& custom);

/// `sampling` is plain, orthogonal, structured, halton or sobol. All but plain need a dense projection. The
/// marginal distribution of every centre is that of a plain one, so that kernels stay unbiased; only the joint
/// distribution differs. Drawing T' < T centres gives the first T' of the T.
void draw_centres(FeaturePart& part, Index count, Sampling sampling, std::uint64_t seed);

}  // namespace weft::detail
