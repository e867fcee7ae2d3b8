// Row-major matrices are what cuBLAS sees as their transposes: C = AB is asked for as Cᵀ = BᵀAᵀ, and a lower triangle
// is an upper one.
#pragma once

#include "compute/cuda/runtime.hpp"

#include <stdexcept>

namespace weft::detail::cuda {

inline int narrow(Index n) {
  if (n > 2147483647) throw std::runtime_error("a matrix is too large for cuBLAS");
  return static_cast<int>(n);
}

inline cublasOperation_t operation(bool transposed) {
  return transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
}

/// c ← alpha · op(a) · op(b) + beta · c, `depth` being what they have in common.
inline void gemm(const Queue& queue, bool a_transposed, bool b_transposed, Index depth, double alpha,
                 View<const double> a, View<const double> b, double beta, View<double> c) {
  check(cublasDgemm(queue.blas, operation(b_transposed), operation(a_transposed), narrow(c.cols), narrow(c.rows),
                    narrow(depth), &alpha, b.data, narrow(b.stride), a.data, narrow(a.stride), &beta, c.data,
                    narrow(c.stride)),
        "dgemm");
}
inline void gemm(const Queue& queue, bool a_transposed, bool b_transposed, Index depth, float alpha,
                 View<const float> a, View<const float> b, float beta, View<float> c) {
  check(cublasSgemm(queue.blas, operation(b_transposed), operation(a_transposed), narrow(c.cols), narrow(c.rows),
                    narrow(depth), &alpha, b.data, narrow(b.stride), a.data, narrow(a.stride), &beta, c.data,
                    narrow(c.stride)),
        "sgemm");
}

}  // namespace weft::detail::cuda
