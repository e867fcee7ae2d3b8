// The optimal stepsize: the root of Dubé & Marchand 2023, eq. 49.
#pragma once

#include "methods/problem.hpp"
#include "objective/loss.hpp"

#include <vector>

namespace weft::detail {

/// p(x) = (1/b) Σ_i w_i ℓ'(f_i + x·s_i, y_i) s_i + slope + curvature·x, which never decreases in x.
struct StepEquation {
  Loss loss;
  std::vector<double> f = {};
  std::vector<double> s = {};
  std::vector<double> y = {};
  std::vector<double> w = {};
  double slope = 0;
  double curvature = 0;
  int threads = 1;

  double operator()(double x) const;
  /// dp/dx for the squared loss; for the others an upper bound on how fast p grows (hinge: of the right size).
  double growth() const;
};

/// Squared loss: p is a line.
double closed_form_root(const StepEquation& p);
/// Any convex loss: a bracket grown from 0, then TOMS 748. Where p jumps over 0 (hinge), the place of the jump.
double bracketed_root(const StepEquation& p);

FitResult fit_optimal_step(const Problem& problem);

}  // namespace weft::detail
