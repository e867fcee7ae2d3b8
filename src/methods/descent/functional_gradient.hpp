// Stochastic functional gradient descent: [000] Algorithm 3 with η_t = 1/(2λt) (MATH section 8) and c features per step
// ([000] section 5.1.1).
#pragma once

#include "methods/descent/descent.hpp"

namespace weft {

/// The way predictions are kept changes the result by rounding alone.
FitResult fit_functional_gradient(const Problem& problem, Predictions predictions = Predictions::automatic);

}  // namespace weft
