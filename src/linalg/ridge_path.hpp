// All λ of a path at once: (gram + λR + εI) a_λ = rhs for every λ.
//
// (a) Cholesky: one factorisation per λ, the λs shared out over the threads; on a device with memory of its own one
// after
//     the other, the matrices being there.
// (b) Tridiagonal (Eldén 1977): with R = LLᵀ, L⁻¹(gram + εI)L⁻ᵀ = QHQᵀ, H tridiagonal, is computed once; then
//     a_λ = L⁻ᵀQ(H + λI)⁻¹QᵀL⁻¹ rhs costs O(T²) per λ. It gives what a generalised eigendecomposition gives, at a third
//     of its cost: the eigenvectors are never needed.
#pragma once

#include "linalg/ridge.hpp"

#include <weft/matrix.hpp>

#include <optional>
#include <span>
#include <vector>

namespace weft::detail {

struct RidgePath {
  std::vector<Matrix> coefficients;  ///< one T×k per λ
  std::vector<RidgeReport> reports;  ///< one per λ
  bool tridiagonal = false;          ///< which of the two ways was taken
};

/// R, and L where (b) is both the cheaper way for this many λ and an accurate one; never on a GPU (an H200, T = 8192: 5
/// ms for a factor, 1.2 s for 33 λ by (b)). Folds of one R share it.
class PathRegulariser {
 public:
  PathRegulariser(View<const double> regulariser, std::size_t lambdas, Worker worker);

  const LowerOnDevice& matrix() const { return matrix_; }
  bool tridiagonal() const { return tridiagonal_; }
  const DeviceMatrix<double>* lower() const { return lower_ ? &*lower_ : nullptr; }  ///< on the worker's device

 private:
  LowerOnDevice matrix_;
  std::optional<DeviceMatrix<double>> lower_;
  bool tridiagonal_ = false;
};

/// Takes the cheaper way, and the Cholesky way wherever R is too ill-conditioned for the other to be accurate.
/// Arguments as for solve_regularised.
RidgePath ridge_path(View<const double> gram, const PathRegulariser& regulariser, std::span<const double> lambdas,
                     double epsilon, View<const double> rhs, Worker worker);
RidgePath ridge_path(View<const double> gram, View<const double> regulariser, std::span<const double> lambdas,
                     double epsilon, View<const double> rhs, Worker worker);

RidgePath ridge_path_cholesky(View<const double> gram, View<const double> regulariser, std::span<const double> lambdas,
                              double epsilon, View<const double> rhs, Worker worker);

/// The reports are about the unscaled equations. A λ that leaves them ill-conditioned is solved as in (a).
/// Throws Error(data) when R is not positive definite to ten digits.
RidgePath ridge_path_tridiagonal(View<const double> gram, View<const double> regulariser,
                                 std::span<const double> lambdas, double epsilon, View<const double> rhs,
                                 Worker worker);

}  // namespace weft::detail
