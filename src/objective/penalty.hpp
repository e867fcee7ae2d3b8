// The quadratic penalty of a fit in the scaled unknowns b_t = A(w_t)·a_t (docs/mathematics.md §5.1): λ·bᵀRb with R =
// G̃, M̃ or I, and beside it, for least squares, a ridge ε‖a‖² (§5.2).
#pragma once

#include <weft/feature_map.hpp>
#include <weft/objective.hpp>

#include "linalg/normal_equations.hpp"

namespace weft::detail {

struct Penalty {
  Regularizer kind = Regularizer::ridge;  ///< not automatic
  Matrix matrix;                          ///< R, features × features; empty for ridge (identity)
  double log_factor = 0;                  ///< user's λ times exp(log_factor) multiplies R
  std::vector<double> ridge = {};         ///< factor of b_t², whatever λ is; empty: none

  bool identity() const { return matrix.rows() == 0; }
  /// What multiplies R: infinite when λ is so large that it overflows; the fit is then 0.
  double effective(double lambda) const;
  double user_lambda(double effective_lambda) const;
  const double* matrix_or_null() const { return identity() ? nullptr : matrix.data(); }
  /// The equations with `times` the ridge on their diagonal: 1 before they are solved, −1 takes it back.
  void add_ridge(NormalEquations& equations, double times = 1) const;
};

/// rkhs and l2p: R is divided by the largest amplitude squared, so that its entries are near 1, and λ by the inverse.
/// ridge: f = (1/T)Σ a φ with (λ/T)‖a‖² is, in b = a/T, λT‖b‖². `coefficient_ridge` is the factor of ‖a‖².
Penalty make_penalty(const FeatureMap& map, Regularizer kind, const Run& run, double coefficient_ridge = 0);

/// The same without the matrix, and the matrix among some of the map's features: for matrices that are held in parts.
Penalty penalty_without_matrix(const FeatureMap& map, Regularizer kind);
Matrix penalty_matrix(const Penalty& penalty, const FeatureMap& some, const Run& run);

}  // namespace weft::detail
