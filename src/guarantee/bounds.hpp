// The right-hand sides of the theorems, for one output. Reasons and corrections are in docs/certify.md.
#pragma once

#include "objective/loss.hpp"

#include <functional>

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

/// The largest |f| of a class, its part that the intercept has, and −log of the share of δ of that class.
struct Reach {
  double value = 0;
  double log_cost = 0;
  double intercept = 0;
};
/// factor · norm_reach + intercept, both rounded up to the grid where they were learned. The grid of norm_reach does
/// not depend on `factor`, so that one event serves several.
Reach class_reach(double norm_reach, double factor, double intercept, double unit, bool learned);

/// Of δ, a 16th is for the two means over the rows (traced_reach), and of the rest one half for balls of the RKHS and
/// one for balls of L²(p): all learned lines hold together. −log of these shares.
double learned_cost();
double trace_cost();
/// −log of what is left of δ for one line that has a trace, norms being fixed.
double beside_trace_cost();

// In all of these, log_inverse is log 1/δ and reach the largest |f| of the class: θB + |c|, or τ‖α‖ + |c|.

/// Anonymous 2026, Theorems 6.2 and 6.5: (2ρ/√m)(F + (F + Y)√(½ log 1/δ)), Y the radius of the targets. The papers have
/// no Y, which their proof allows for classes alone.
double rademacher_gap(const LossRange& range, double reach, double rows, double log_inverse);

/// Anonymous 2026, Theorem 6.3, for the minimiser of the training loss over the class: both directions of 6.2
/// (corollary 6.2.1), with δ/2 each.
double minimum_excess(const LossRange& range, double reach, double rows, double log_inverse);

/// Dubé & Marchand 2023, Theorem 10: 2ρF/√m + M√(log(1/δ)/2m), M the largest loss.
double bounded_loss_gap(const LossRange& range, double reach, double rows, double log_inverse);

/// docs/mathematics.md §10.5: the root of E K_X(x, x) is at most this, K_X ≤ supremum² and with root mean `mean` over
/// the rows.
double traced_root(double mean, double supremum, double rows, double log_inverse);

/// The same as bounded_loss_gap for a class whose Rademacher complexity is at most complexity_reach/√m.
double traced_gap(const LossRange& range, double reach, double complexity_reach, double rows, double log_inverse);

/// docs/mathematics.md §10.6: softmax loss of K classes, `reach` the largest Euclidean norm of the scores.
double softmax_gap(double classes, double reach, double rows, double log_inverse);

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
/// Dubé & Marchand 2023, eq. 74, whose λ is twice that of the run: they penalise (λ/2)‖α‖².
double descent_excess_74(const LossRange& range, double theta, double kappa, double intercept,
                         const DescentRun& descent, double rows);

/// The λ of eq. 99, √(8ρ²/(B²m)).
double descent_lambda(const LossRange& range, double theta, double intercept, double norm, double rows);

/// The steps from which on the terms with T are no larger than the others; `excess` at any number of steps.
double enough_steps(const std::function<double(double steps)>& excess);

/// Dubé & Marchand 2023, eq. 62: the largest weight λ of the lasso min (1/2T)‖α − β‖² + λ‖b‖₁ after which the loss has
/// changed by at most `difference`: ‖α − β‖² ≤ factor·T‖a‖₁λ, with the factor 12 of eq. 61, or 2 (docs/mathematics.md
/// §9). `reach` is that of the model.
double pruning_weight(const LossRange& range, double reach, double theta, double difference, double features,
                      double absolute_sum, double factor);

/// The number of features from which on their term of Theorem 6.8 is no larger than that of the rows, if any is.
double minimiser_features(const LossRange& range, double theta, double kappa, double intercept, double norm,
                          double rows, double log_inverse);

/// Anonymous 2026, Theorem 6.8 for the minimiser whose norm is B' = norm.
double minimiser_gap(const LossRange& range, double theta, double kappa, double intercept, double norm, double features,
                     double rows, double log_inverse);

}  // namespace weft::detail
