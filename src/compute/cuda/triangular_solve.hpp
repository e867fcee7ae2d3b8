// Triangular systems with few right-hand sides, on the device. cuBLAS solves for many at a time; for few this reads the
// triangle once, in short steps.
#pragma once

#include "compute/cuda/cuda_device.hpp"

namespace weft::detail::cuda {

/// Whether a system of n equations with so many right-hand sides is one of these.
bool has_few_right_sides(Index n, Index columns);

/// rhs (n×k) ← L⁻¹ rhs, or L⁻ᵀ rhs. Views are of the device's memory.
void solve_few(const CudaDevice& device, View<const double> lower, bool transposed, View<double> rhs);

}  // namespace weft::detail::cuda
