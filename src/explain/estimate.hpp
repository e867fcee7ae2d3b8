// Estimates with 95 % intervals, of weighted rows.
#pragma once

#include <weft/explain.hpp>

#include "explain/held_out.hpp"

#include <optional>
#include <string>
#include <vector>

namespace weft::detail {

/// Weighted mean with value ± 1.96 standard errors, Σw²(v − mean)²/(Σw)² their square, times n/(n − 1).
Estimate mean_estimate(const std::vector<double>& values, const std::vector<double>& weights);

/// Wilson's interval for a proportion; weighted rows count as (Σw)²/Σw² rows.
Estimate share_estimate(double share, double rows);
double effective_rows(const std::vector<double>& weights);

/// Area under the ROC curve with DeLong's interval; none where a class is missing or a score is NaN.
std::optional<Estimate> auc_estimate(const std::vector<double>& scores, const std::vector<bool>& positive,
                                     const std::vector<double>& weights);

/// The public function's part after the prediction.
ErrorEstimates held_out_estimates(const HeldOut& rows);

}  // namespace weft::detail
