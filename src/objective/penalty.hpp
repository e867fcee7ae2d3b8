// The quadratic penalty of a fit in the scaled unknowns b_t = A(w_t)·a_t (docs/mathematics.md §5.1): λ·bᵀRb with R =
// G̃, M̃ or I.
#pragma once

#include <weft/feature_map.hpp>
#include <weft/objective.hpp>

namespace weft::detail {

struct Penalty {
  Regularizer kind = Regularizer::ridge;  ///< not automatic
  Matrix matrix;                          ///< R, features × features; empty for ridge (identity)
  double log_factor = 0;                  ///< user's λ times exp(log_factor) multiplies R

  bool identity() const { return matrix.rows() == 0; }
  /// What multiplies R: infinite when λ is so large that it overflows; the fit is then 0.
  double effective(double lambda) const;
  double user_lambda(double effective_lambda) const;
  const double* matrix_or_null() const { return identity() ? nullptr : matrix.data(); }
};

/// rkhs and l2p: R is divided by the largest amplitude squared, so that its entries are near 1, and λ by the inverse.
/// ridge: f = (1/T)Σ a φ with λ‖a‖² is, in b = a/T, λT‖b‖².
Penalty make_penalty(const FeatureMap& map, Regularizer kind, const Run& run);

}  // namespace weft::detail
