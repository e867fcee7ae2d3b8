// Leave-one-out predictions and generalised cross-validation of a least-squares fit, in closed form from one factor.
#pragma once

#include "train/search/shared_sums.hpp"

namespace weft::detail {

/// With h_i the leverage of row i, its weight times (1/W + φ_iᵀA⁻¹φ_i) about the means, the fit without row i under the
/// same penalty predicts y_i − (y_i − f(x_i))/(1 − h_i).
struct LeaveOneOut {
  double score = 0;        ///< of the metric, over all rows
  double generalised = 0;  ///< mse / (1 − tr(H)/m)²
  double degrees = 0;      ///< tr(H): the degrees of freedom the fit uses
};

/// Of the fit to all rows with this effective λ; `sums` are those of the set's one map. Reads the rows once more.
/// Nothing when the time ends, and where rows have a rule: others of a row's group, or later ones, would stay in the
/// fit.
std::optional<LeaveOneOut> leave_one_out(MapSet& maps, const PartSums& sums, const Penalty& penalty, double lambda,
                                         const Validation& validation, const FitOptions& options, const Run& run);

}  // namespace weft::detail
