// The eigendecomposition of a symmetric matrix, A = Σ_k values[k] · q_k q_kᵀ.
#pragma once

#include <weft/matrix.hpp>

#include <vector>

namespace weft::detail {

struct SymmetricEigen {
  std::vector<double> values;  ///< ascending
  Matrix vectors;              ///< row k is q_k
};

/// The largest size LAPACK's 32-bit workspace lengths allow.
inline constexpr Index kLargestEigen = 32000;

/// Takes both triangles of a, n × n, n ≤ kLargestEigen; needs two more matrices of its size while it works. One thread:
/// LAPACK's bits depend on their number. Throws Error(data) where an entry is not finite.
SymmetricEigen symmetric_eigen(Matrix a);

}  // namespace weft::detail
