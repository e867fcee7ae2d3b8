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

/// b ← b · L⁻ᵀ for the lower triangle L.
inline void divide_by_transpose(View<const double> lower, View<double> b) {
  blas().dtrsm(kRowMajor, kRight, kLower, kTranspose, kNonUnit, narrow(b.rows), narrow(b.cols), 1.0, lower.data,
               narrow(lower.stride), b.data, narrow(b.stride));
}
inline void divide_by_transpose(View<const float> lower, View<float> b) {
  blas().strsm(kRowMajor, kRight, kLower, kTranspose, kNonUnit, narrow(b.rows), narrow(b.cols), 1.0F, lower.data,
               narrow(lower.stride), b.data, narrow(b.stride));
}

/// b ← L⁻¹ b or L⁻ᵀ b.
inline void solve_triangle(View<const double> lower, bool transposed, View<double> b) {
  if (b.cols == 1)
    blas().dtrsv(kRowMajor, kLower, blas_transpose(transposed), kNonUnit, narrow(b.rows), lower.data,
                 narrow(lower.stride), b.data, narrow(b.stride));
  else
    blas().dtrsm(kRowMajor, kLeft, kLower, blas_transpose(transposed), kNonUnit, narrow(b.rows), narrow(b.cols), 1.0,
                 lower.data, narrow(lower.stride), b.data, narrow(b.stride));
}
inline void solve_triangle(View<const float> lower, bool transposed, View<float> b) {
  if (b.cols == 1)
    blas().strsv(kRowMajor, kLower, blas_transpose(transposed), kNonUnit, narrow(b.rows), lower.data,
                 narrow(lower.stride), b.data, narrow(b.stride));
  else
    blas().strsm(kRowMajor, kLeft, kLower, blas_transpose(transposed), kNonUnit, narrow(b.rows), narrow(b.cols), 1.0F,
                 lower.data, narrow(lower.stride), b.data, narrow(b.stride));
}

/// LAPACK's factorisation of one tile; false: not positive definite. A row-major lower triangle is LAPACK's upper one.
inline bool factor_lower(View<double> a) {
  const int n = narrow(a.rows);
  const int stride = narrow(a.stride);
  int info = 0;
  blas().dpotrf("U", &n, a.data, &stride, &info, 1);
  return info == 0;
}
inline bool factor_lower(View<float> a) {
  const int n = narrow(a.rows);
  const int stride = narrow(a.stride);
  int info = 0;
  blas().spotrf("U", &n, a.data, &stride, &info, 1);
  return info == 0;
}

}  // namespace weft::detail
