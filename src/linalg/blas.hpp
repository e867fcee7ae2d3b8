// The BLAS calls the linalg room uses, on row-major views and for both precisions. None of them starts a thread as long
// as a SerialBlas lives (parallel_for holds one).
#pragma once

#include <weft/matrix.hpp>

#include <cblas.h>

namespace weft::detail::blas {

inline int narrow(Index n) {
  return static_cast<int>(n);
}

/// c += alpha · a · bᵀ; a is p×n, b is q×n, c is p×q.
inline void add_outer(double alpha, View<const double> a, View<const double> b, View<double> c) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, narrow(a.rows), narrow(b.rows), narrow(a.cols), alpha, a.data,
              narrow(a.stride), b.data, narrow(b.stride), 1.0, c.data, narrow(c.stride));
}

/// The lower triangle of c += alpha · a · aᵀ; a is p×n, c is p×p.
inline void add_square(double alpha, View<const double> a, View<double> c) {
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, narrow(a.rows), narrow(a.cols), alpha, a.data, narrow(a.stride),
              1.0, c.data, narrow(c.stride));
}

/// c = a · bᵀ in single precision.
inline void outer(View<const float> a, View<const float> b, View<float> c) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, narrow(a.rows), narrow(b.rows), narrow(a.cols), 1.0F, a.data,
              narrow(a.stride), b.data, narrow(b.stride), 0.0F, c.data, narrow(c.stride));
}

/// The lower triangle of c = a · aᵀ in single precision.
inline void square(View<const float> a, View<float> c) {
  cblas_ssyrk(CblasRowMajor, CblasLower, CblasNoTrans, narrow(a.rows), narrow(a.cols), 1.0F, a.data, narrow(a.stride),
              0.0F, c.data, narrow(c.stride));
}

}  // namespace weft::detail::blas
