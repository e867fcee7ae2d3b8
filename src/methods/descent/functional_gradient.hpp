// Stochastic functional gradient descent: Anonymous 2026, Algorithm 3 with η_t = 1/(2λt) (docs/mathematics.md §5.5 and
// §11) and c features per step (section 5.1.1 there).
#pragma once

#include "methods/descent/descent.hpp"

namespace weft::detail {

/// fit_functional_gradient with the way predictions are kept chosen by hand; the result is the same up to rounding.
FitResult fit_functional_gradient(const Problem& problem, Predictions predictions);

}  // namespace weft::detail
