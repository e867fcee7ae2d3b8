// Evaluating methods whose leave-one-out predictions have a closed form (exact kernel ridge): one decomposition per
// configuration serves every λ, where folds would need one each.
#pragma once

#include "train/search/search_space.hpp"
#include "train/search/validation.hpp"

#include <optional>

namespace weft::detail {

/// Folds only measure how much the score varies: each is a share of the rows. Nothing when the time ended.
std::optional<Trial> validate_left_out(const Candidate& candidate, const Inputs& inputs, const Validation& validation,
                                       const FitOptions& fit, const Run& run);

}  // namespace weft::detail
