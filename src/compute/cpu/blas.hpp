// BLAS on row-major views, for both precisions.
#pragma once

#include "compute/cpu/blas_library.hpp"

#include <weft/matrix.hpp>

namespace weft::detail {

inline int narrow(Index n) {
  return static_cast<int>(n);
}
inline int blas_transpose(bool transposed) {
  return transposed ? kTranspose : kNoTranspose;
}

/// c ← alpha · a · b + beta · c for m×k and k×n factors, either of them stored as its transpose.
inline void gemm(bool transpose_a, bool transpose_b, Index k, double alpha, View<const double> a, View<const double> b,
                 double beta, View<double> c) {
  blas().dgemm(kRowMajor, blas_transpose(transpose_a), blas_transpose(transpose_b), narrow(c.rows), narrow(c.cols),
               narrow(k), alpha, a.data, narrow(a.stride), b.data, narrow(b.stride), beta, c.data, narrow(c.stride));
}
inline void gemm(bool transpose_a, bool transpose_b, Index k, float alpha, View<const float> a, View<const float> b,
                 float beta, View<float> c) {
  blas().sgemm(kRowMajor, blas_transpose(transpose_a), blas_transpose(transpose_b), narrow(c.rows), narrow(c.cols),
               narrow(k), alpha, a.data, narrow(a.stride), b.data, narrow(b.stride), beta, c.data, narrow(c.stride));
}

/// The lower triangle of c ← alpha · a · aᵀ + beta · c; a is p×n, c is p×p.
inline void syrk(double alpha, View<const double> a, double beta, View<double> c) {
  blas().dsyrk(kRowMajor, kLower, kNoTranspose, narrow(a.rows), narrow(a.cols), alpha, a.data, narrow(a.stride), beta,
               c.data, narrow(c.stride));
}
inline void syrk(float alpha, View<const float> a, float beta, View<float> c) {
  blas().ssyrk(kRowMajor, kLower, kNoTranspose, narrow(a.rows), narrow(a.cols), alpha, a.data, narrow(a.stride), beta,
               c.data, narrow(c.stride));
}

}  // namespace weft::detail
