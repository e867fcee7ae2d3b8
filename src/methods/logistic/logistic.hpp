#pragma once

#include "methods/problem.hpp"

namespace weft {

FitResult fit_logistic(const Problem& problem);

}  // namespace weft
