// Cholesky factorisation A = LLᵀ and what is done with L. Only lower triangles are read or written.
#pragma once

#include <weft/matrix.hpp>

#include <vector>

namespace weft::detail {

class Device;

/// Overwrites the lower triangle of a (n×n) with L. False, with a left half done: not positive definite, or not finite.
bool cholesky_factor(View<double> a, int threads);

/// rhs (n×k) ← L⁻¹ rhs.
void solve_lower(View<const double> lower, View<double> rhs, int threads);

/// rhs (n×k) ← L⁻ᵀ rhs.
void solve_lower_transposed(View<const double> lower, View<double> rhs, int threads);

/// rhs (n×k) ← (LLᵀ)⁻¹ rhs.
void solve_cholesky(View<const double> lower, View<double> rhs, int threads);

/// The 1-norm of the symmetric matrix whose lower triangle is given; not finite where an entry is not.
double symmetric_one_norm(View<const double> lower);
double symmetric_one_norm(View<const double> lower, const Device& device);  ///< in the memory of `device`

/// LAPACK's estimate of 1 / (‖A‖₁ ‖A⁻¹‖₁) for A = LLᵀ, given ‖A‖₁ from before the factorisation.
double reciprocal_condition(View<const double> lower, double one_norm);

/// The diagonal of (LLᵀ)⁻¹: the squared column norms of L⁻¹.
std::vector<double> inverse_diagonal(View<const double> lower, int threads);

/// out (n×k) += alpha · A · x (n×k) for the symmetric A whose lower triangle is given.
void add_symmetric_product(double alpha, View<const double> lower, View<const double> x, View<double> out, int threads);

}  // namespace weft::detail
