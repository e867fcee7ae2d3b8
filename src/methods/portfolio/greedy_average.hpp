// The average of predictions that has the smallest error on rows that were held out.
#pragma once

#include <weft/matrix.hpp>

#include <functional>
#include <vector>

namespace weft::detail {

/// Adds, again and again, the candidate that makes the average best, until none makes it better by `gain` (a share of
/// the error) or `most` have been added; a candidate may be added more than once (Caruana, Niculescu-Mizil, Crew &
/// Ksikes 2004). Returns a weight per candidate; they sum to 1. `predictions` have one shape; one whose error is not a
/// number is never chosen.
std::vector<double> greedy_average(const std::vector<const Matrix*>& predictions,
                                   const std::function<double(const Matrix&)>& error, Index most, double gain = 1e-4);

}  // namespace weft::detail
