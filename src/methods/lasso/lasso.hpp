#pragma once

#include "methods/problem.hpp"

namespace weft::detail {

FitResult fit_lasso(const Problem& problem);

}  // namespace weft::detail
