// Loops over lower triangles of symmetric matrices on the device. Views are of its memory.
#pragma once

#include "compute/cuda/runtime.hpp"

namespace weft::detail::cuda {

/// out(s, t) = (gram(s, t) + lambda · penalty(s, t)) · scale_s · scale_t below the diagonal, 0 where a scale is 0, and
/// 1 + jitter on it. A penalty without data has nothing below the diagonal.
void scaled_normal(cudaStream_t stream, View<const double> gram, View<const double> penalty, double lambda,
                   const double* scale, double jitter, View<double> out);

/// How many rows absolute_sums() needs for the pieces of its sums.
Index absolute_sum_pieces(Index n);
/// sums[i] = Σ_j |a(i, j)| in a fixed order; pieces has n columns.
void absolute_sums(cudaStream_t stream, View<const double> lower, View<double> pieces, double* sums);

/// diagonal[i] = a(i, i)
void gather_diagonal(cudaStream_t stream, View<const double> a, double* diagonal);
void gather_diagonal(cudaStream_t stream, View<const float> a, float* diagonal);

}  // namespace weft::detail::cuda
