#pragma once

#include "methods/problem.hpp"
#include "objective/loss.hpp"

namespace weft::detail {

FitResult fit_learned_activation(const Problem& problem);

/// Squared or logistic.
Loss learned_loss(const FitOptions& options, Task task);

}  // namespace weft::detail
