// Stochastic functional gradient descent: [000] Algorithm 3 with η_t = 1/(2λt) (MATH section 8) and c features per step
// ([000] section 5.1.1).
#pragma once

#include "methods/descent/descent.hpp"

namespace weft::detail {

/// fit_functional_gradient with the way predictions are kept chosen by hand; the result is the same up to rounding.
FitResult fit_functional_gradient(const Problem& problem, Predictions predictions);

}  // namespace weft::detail
