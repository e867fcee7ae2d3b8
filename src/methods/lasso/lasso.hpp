#pragma once

#include "methods/fold_rows.hpp"

namespace weft::detail {

FitResult fit_lasso(const Problem& problem);
/// From sums; the problem's rows are not read.
FitResult solve_lasso(const Problem& problem, HeldOutSums sums);
/// Whether λ is chosen on held-out rows.
bool lasso_holds_out(const FitOptions& options);

}  // namespace weft::detail
