#pragma once

#include "methods/problem.hpp"

namespace weft::detail {

/// Of a map of kernel sections: exact where every row is a centre, else on landmarks.
FitResult fit_kernel_ridge(const Problem& problem);

}  // namespace weft::detail
