// The right-hand sides of the theorems, for one output. Reasons and corrections are in docs/certify.md.
#pragma once

#include "objective/loss.hpp"

namespace weft::detail {

/// The loss as the theorems see it, on predictions |f| ≤ reach. Targets and predictions are counted from the middle of
/// the targets' range, which leaves losses of f − y unchanged.
struct LossRange {
  Loss loss;
  double target_radius = 0;  ///< max |y|
  bool classes = false;      ///< y = ±1, and the loss depends on y·f alone

  double lipschitz(double reach) const { return loss.lipschitz(reach, target_radius); }
  double largest(double reach) const { return loss.value(-reach, target_radius); }  ///< convex: at a corner
};

/// θ·B, infinite where a factor is out of the range of double, so that the product is unknown.
double reach_of(double theta, double norm);

/// A radius rounded up to a grid that does not depend on the data, unit · 2^{k/4}, and −log of the share of δ of that
/// grid point. The shares of all grid points sum to 1, so that the union bound over them covers the choice.
struct GridRadius {
  double radius = 0;
  double log_cost = 0;
};
GridRadius round_up(double radius, double unit);

// In all of these, log_inverse is log 1/δ and reach the largest |f| of the class: θB + |c|, or τ‖α‖ + |c|.

/// Anonymous 2026, Theorems 6.2 and 6.5: (2ρ/√m)(F + (F + Y)√(½ log 1/δ)), Y the radius of the targets. The papers have
/// no Y, which their proof allows for classes alone.
double rademacher_gap(const LossRange& range, double reach, double rows, double log_inverse);

/// Anonymous 2026, Theorem 6.3, for the minimiser of the training loss over the class: both directions of 6.2
/// (corollary 6.2.1), with δ/2 each.
double minimum_excess(const LossRange& range, double reach, double rows, double log_inverse);

/// Dubé & Marchand 2023, Theorem 10: 2ρF/√m + M√(log(1/δ)/2m), M the largest loss.
double bounded_loss_gap(const LossRange& range, double reach, double rows, double log_inverse);

/// Dubé & Marchand 2023, Theorem 8: ρd/√m · (2 + √(2 log 1/δ)), d = θ‖α − β‖ + |c − c'| and ρ on |f| ≤ reach + d.
double pruning_gap(const LossRange& range, double reach, double distance, double rows, double log_inverse);

/// The facts about a run of sfgd that Theorem 6.7 of Anonymous 2026 uses.
struct DescentRun {
  double norm = 0;  ///< B: the projection's radius, or the largest norm of an iterate
  double lambda = 0;
  double steps = 0;
};
/// Anonymous 2026, eq. 98, in expectation.
double descent_excess(const LossRange& range, double theta, double kappa, double intercept, const DescentRun& descent,
                      double rows);

/// The λ of eq. 99, √(8ρ²/(B²m)).
double descent_lambda(const LossRange& range, double theta, double intercept, double norm, double rows);

/// The number of features from which on their term of Theorem 6.8 is no larger than that of the rows, if any is.
double minimiser_features(const LossRange& range, double theta, double kappa, double intercept, double norm,
                          double rows, double log_inverse);

/// Anonymous 2026, Theorem 6.8 for the minimiser whose norm is B' = norm.
double minimiser_gap(const LossRange& range, double theta, double kappa, double intercept, double norm, double features,
                     double rows, double log_inverse);

}  // namespace weft::detail
