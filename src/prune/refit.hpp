// Models of the remaining features.
#pragma once

#include "methods/problem.hpp"
#include "prune/risk.hpp"

#include <string>
#include <vector>

namespace weft::detail {

/// With the coefficients given. Where the model was calibrated, the result is calibrated on `rows`; standard
/// deviations, which belonged to other coefficients, are removed, with an entry in `notes`.
ModelParts keep_features(const ModelParts& parts, const std::vector<Index>& features, const Pruned& pruned,
                         const BlockSource& rows, const Run& run, std::vector<std::string>& notes);

/// Least squares with the options of the model's own fit. Options of a lasso have no λ for it: it is chosen again.
ModelParts refit_features(const ModelParts& parts, const std::vector<Index>& features, const BlockSource& rows,
                          const Run& run);

/// Throws if the fit is not a least-squares fit.
void check_refit(const FitOptions& options);

}  // namespace weft::detail
