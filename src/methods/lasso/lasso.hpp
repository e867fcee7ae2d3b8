#pragma once

#include "methods/problem.hpp"

namespace weft {

FitResult fit_lasso(const Problem& problem);

}  // namespace weft
