// Distances between rows, from which bandwidths are taken.
#pragma once

#include <weft/kernel.hpp>

namespace weft::detail {

/// Of all pairs of columns of x (inputs × rows): ‖a − b‖₁ for laplace, ‖a − b‖ for laplace-l2, ‖a − b‖² for rbf.
std::vector<double> pair_distances(const Matrix& x, Kernel::Kind kind, const Run& run);

double median(std::vector<double> values);

}  // namespace weft::detail
