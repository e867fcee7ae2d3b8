// Error against the number of features, for one configuration: features are drawn in a fixed order, so the equations of
// the first T' features are a leading block of the equations of all, and their Cholesky factor a leading block of the
// factor. One factor per fold and λ gives the whole curve.
#pragma once

#include "train/search/shared_sums.hpp"

namespace weft::detail {

/// The numbers of features at which the curve of a configuration is computed, ascending, the last its own, and the
/// order in which its features join: those of a union in the shares that a smaller union would have. One number alone
/// where the family's text fixes the counts.
struct Growth {
  std::vector<Index> sizes;
  std::vector<Index> order;  ///< position in order → feature
};
Growth growth(const FamilyOptions& family, const Inputs& inputs);

/// λs are effective; a point has the best of them for its number of features. Nothing when the time ended.
std::optional<std::vector<CurvePoint>> feature_curve(const FeatureMap& map, const Growth& growth, const PartSums& sums,
                                                     const Penalty& penalty, std::span<const double> lambdas,
                                                     const Validation& validation, const FitOptions& options,
                                                     const Run& run);

/// The same in row coordinates, of which every number of features has its own.
std::optional<std::vector<CurvePoint>> feature_curve_of_rows(const FeatureMap& map, const Growth& growth,
                                                             const Penalty& penalty, std::span<const double> lambdas,
                                                             const Validation& validation, const FitOptions& options,
                                                             const Run& run);

/// Position of the fewest features whose score is within one standard error of the curve's best.
std::size_t smallest_good(Metric metric, const std::vector<CurvePoint>& curve);

}  // namespace weft::detail
