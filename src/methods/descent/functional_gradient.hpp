// Stochastic functional gradient descent: Anonymous 2026, Algorithm 3 with η_t = 1/(2λt) (docs/mathematics.md §5.5 and
// §11) and c features per step (section 5.1.1 there).
#pragma once

#include "methods/descent/descent.hpp"

namespace weft::detail {

/// The way predictions are kept changes the result by rounding alone.
FitResult fit_functional_gradient(const Problem& problem, Predictions predictions = Predictions::automatic);

}  // namespace weft::detail
