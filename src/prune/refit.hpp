// Models of the features that are left.
#pragma once

#include "methods/problem.hpp"
#include "prune/risk.hpp"

#include <string>
#include <vector>

namespace weft::detail {

/// With the coefficients given. What was fitted to other coefficients (calibration, standard deviations) goes; `notes`
/// says so.
ModelParts keep_features(const ModelParts& parts, const std::vector<Index>& features, const Pruned& pruned,
                         std::vector<std::string>& notes);

/// Least squares with the options of the model's own fit. Those of a lasso have no λ for that: it is chosen anew.
ModelParts refit_features(const ModelParts& parts, const std::vector<Index>& features, const BlockSource& rows,
                          const Run& run);

/// Throws where the fit is no least squares.
void check_refit(const FitOptions& options);

}  // namespace weft::detail
