// Projections on structured centres (features/hadamard.hpp) in O(N log N) per row.
#pragma once

#include <weft/matrix.hpp>

namespace weft::detail {

/// out (N × rows) = factor · S·H·G·H·D·H·D' · x (inputs × rows, padded with zeros) for one block's 4 × N diagonals.
void project_hadamard(View<const double> diagonals, double factor, View<const double> x, View<double> out);
void project_hadamard(View<const double> diagonals, float factor, View<const float> x, View<float> out);

}  // namespace weft::detail
