// The pool from which data-dependent sampling chooses: independently drawn features, and their scores on rows.
#pragma once

#include <weft/feature_map.hpp>

#include "data/rows/block_source.hpp"

#include <memory>
#include <vector>

namespace weft::detail {

/// Square matrices that leverage scores hold at once: the sums, G and its factor.
inline constexpr double kLeverageMatrices = 3;

/// Draws options.candidates features (ten times options.features where 0), the parts of a union in proportion to their
/// shares. Throws where they are fewer than the features to choose, or where `square_matrices` of their size do not
/// fit.
FeatureMap draw_candidates(const FamilyOptions& options, const Inputs& inputs, double square_matrices, const Run& run,
                           const ActivationPtr& custom);

/// The options.sampling_rows rows on which candidates are scored, drawn at random; nullptr: all rows. `rows` must
/// outlive them.
std::unique_ptr<BlockSource> scoring_rows(const BlockSource& rows, const FamilyOptions& options);

/// G = ΦᵀWΦ / (M₀·ΣW) over those rows (Shahrampour & Kolouri 2019, eq. 14), lower triangle.
Matrix candidate_gram(const FeatureMap& candidates, const BlockSource& rows, const FamilyOptions& options,
                      const Run& run);

/// Σ_o ((1/W)Σ_i w_i z_oi φ_t(x_i))² per candidate, z_o an output less its mean over its standard deviation: the mean
/// is fitted by the intercept (with it, a rare class would choose the features that are nearest to constant), and
/// several outputs count alike whatever their units.
std::vector<double> candidate_alignments(const FeatureMap& candidates, const BlockSource& rows,
                                         const FamilyOptions& options, const Run& run);

}  // namespace weft::detail
