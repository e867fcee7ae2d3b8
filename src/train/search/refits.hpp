// Evaluating configurations of fits that cannot be computed from sums over rows (lasso, logistic, sfgd, …): a plain fit
// per fold.
#pragma once

#include "train/search/search_space.hpp"
#include "train/search/validation.hpp"

#include <optional>

namespace weft::detail {

/// Nothing when the time ended. Where the candidate has no λ, each fit chooses its own, and so will the final one.
std::optional<Trial> validate_by_refits(const Candidate& candidate, const Inputs& inputs, const Validation& validation,
                                        const FitOptions& fit, const Run& run);

}  // namespace weft::detail
