#pragma once

#include "methods/problem.hpp"

namespace weft::detail {

FitResult fit_logistic(const Problem& problem);

}  // namespace weft::detail
