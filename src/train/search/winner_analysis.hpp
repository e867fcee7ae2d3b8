// What the sums of a search's winner say besides its score.
#pragma once

#include "train/search/feature_curve.hpp"
#include "train/search/leave_one_out.hpp"

#include <optional>
#include <vector>

namespace weft::detail {

struct WinnerAnalysis {
  std::vector<CurvePoint> curve;  ///< over λ's neighbours; empty when the time ended
  std::optional<LeaveOneOut> left_out;
};

/// Of a winner that was validated by sums, on the rows of the validation. Empty where its λ overflows.
WinnerAnalysis analyse(const Trial& winner, const Inputs& inputs, const Validation& validation, const FitOptions& fit,
                       const Run& run);

}  // namespace weft::detail
