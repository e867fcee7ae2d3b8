// Conjugate gradients for A X = B, A symmetric and positive definite and known only by its products; every column of B
// is a system of its own, and all share the products.
#pragma once

#include <weft/matrix.hpp>

#include <functional>

namespace weft::detail {

/// out ← A · in (n × k). False: stop here (out of time).
using LinearOperator = std::function<bool(const Matrix& in, Matrix& out)>;

struct ConjugateGradientOptions {
  double tolerance = 1e-6;  ///< stop at ‖B − A X‖ ≤ tolerance · ‖B‖, column by column
  Index max_iterations = 100;
};

struct ConjugateGradientResult {
  Matrix x;
  Index iterations = 0;          ///< products with A, less the one a start costs
  double relative_residual = 0;  ///< the largest over columns
  bool converged = false;
  bool stopped = false;  ///< by the operator
};

/// `start` empty: zero.
ConjugateGradientResult conjugate_gradient(const LinearOperator& apply, const Matrix& rhs, const Matrix& start,
                                           const ConjugateGradientOptions& options);

}  // namespace weft::detail
