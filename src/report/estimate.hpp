// Estimates with 95 % intervals, of weighted rows.
#pragma once

#include "report/held_out.hpp"

#include <optional>
#include <string>
#include <vector>

namespace weft::detail {

struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
};

/// Weighted mean with value ± 1.96 standard errors, Σw²(v − mean)²/(Σw)² their square, times n/(n − 1).
Estimate mean_estimate(const std::vector<double>& values, const std::vector<double>& weights);

/// Wilson's interval for a share; weighted rows count as (Σw)²/Σw² rows.
Estimate share_estimate(double share, double rows);
double effective_rows(const std::vector<double>& weights);

/// Area under the ROC curve with DeLong's interval; none where a class is missing or a score is no number.
std::optional<Estimate> auc_estimate(const std::vector<double>& scores, const std::vector<bool>& positive,
                                     const std::vector<double>& weights);

/// The measures of `evaluate`, by name, of these rows.
std::vector<std::pair<std::string, Estimate>> held_out_estimates(const HeldOut& rows);

}  // namespace weft::detail
