#pragma once

#include "methods/fold_rows.hpp"

namespace weft::detail {

/// Of a map of kernel sections: exact where every row is a centre, else on landmarks.
FitResult fit_kernel_ridge(const Problem& problem);
/// On landmarks, from sums; the problem's rows are those that are to be scored.
FitResult solve_kernel_ridge(const Problem& sample, HeldOutSums sums);

}  // namespace weft::detail
