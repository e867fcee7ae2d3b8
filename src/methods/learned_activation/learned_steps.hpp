// Learning the activation with the weights (Ma et al. 2025; docs/mathematics.md §8): f(x) = c + VᵀZ(a),
// Z_m(a) = Σ_i a_i S_i(w_m, x), S_i the smoothing of the basis function B_i (B_i itself without a weight kernel).
// Everything minimises the one objective
//
//   J(a, V, c) = (1/W) Σ w ℓ(f(x), y) + λ·‖a‖²·tr VᵀRV,
//   ‖a‖² = aᵀPa = mean of Z_m(a)² over features and rows + (ρ/N) Σ (a_{i−1} − 2a_i + a_{i+1})².
//
// For fixed a it is the problem of a fixed activation with λ‖a‖² in place of λ, for fixed V one in N unknowns: both
// half-steps are exact. Measured by its mean square no activation makes features larger than another does, so that λ
// means the same for all of them; a sum of a_i² alone would be lowered, and λ with it, by giving up the ends of the
// grid, where hardly any row is (docs/learned_activation.md has what that cost).
//
// J does not change when a is multiplied and V divided by the same number; Ma et al. 2025, eq. 8, add λ₀(‖a‖² − ‖V‖²)²,
// which is 0 at one point of each such family of points, so balancing after a step gives the minimiser of eq. 8 for
// every λ₀ at once.
#pragma once

#include <weft/learned_activation.hpp>

#include "methods/problem.hpp"
#include "objective/penalty.hpp"

#include <limits>
#include <memory>
#include <vector>

namespace weft::detail {

/// The same centres with this activation, and nothing that multiplies it.
FeatureMap unscaled_map(const FeatureMap& map, const ActivationPtr& activation);

/// What is fitted, and with which basis. `map` has the centres; its own activation does not matter.
struct LearnedProblem {
  const Problem& problem;
  ActivationBasis basis;
  Penalty penalty;
  std::vector<ActivationPtr> bumps = {};  ///< B_i
  FeatureMap projections;                 ///< with the identity as activation, and no scales
  Matrix norm = {};                       ///< P

  LearnedProblem(const Problem& problem_, const ActivationBasis& basis_);
  /// With the P of a problem of which this one has some rows, so that both have one J.
  LearnedProblem(const Problem& problem_, const ActivationBasis& basis_, Matrix norm_);

  FeatureMap map(const std::vector<double>& a) const;
  double squared_norm(const std::vector<double>& a) const;  ///< ‖a‖²_P
};

struct LearnedPoint {
  std::vector<double> a;
  Matrix v = {};                        ///< features × outputs; empty before the first half-step
  std::vector<double> intercepts = {};  ///< outputs
  double objective = std::numeric_limits<double>::infinity();
};

/// A weaker λ, or learning at all, must lower the held-out loss by a hundredth: few rows decide it.
inline constexpr double kWorthwhile = 0.99;

/// tr VᵀRV.
double penalty_form(const Penalty& penalty, const Matrix& v, int threads);
/// ‖a‖²_P = tr VᵀRV from here on, the function and J as before.
void balance(LearnedPoint& point, const LearnedProblem& learned);

/// u_oi(x) = Σ_m V_mo S_i(w_m, x) for a block of rows: (outputs · N) × rows, output by output. The products of all
/// features and basis functions exist for one basis function, or one projection, of a strip of rows at a time.
void basis_sums(const LearnedProblem& learned, View<const double> x, const Matrix& v, Matrix& u);

struct LearnedChoice {
  double lambda = 0;  ///< effective
  bool learn = true;  ///< false: no activation did better on the held-out rows than the start
};

/// The half-steps for one loss; λ is effective (Penalty). Each leaves J in point.objective and never raises it by more
/// than rounding. False: time limit reached, and the point is no worse than it was.
class HalfSteps {
 public:
  virtual ~HalfSteps() = default;
  /// λ on held-out rows; moves the point's activation to where that λ was found good.
  virtual LearnedChoice choose_lambda(LearnedPoint& point, FitReport& report) = 0;
  /// V and c for the point's a. Without V yet, the rows read when the time limit is reached are used.
  virtual bool fit_weights(LearnedPoint& point, double lambda) = 0;
  /// a for the point's V.
  virtual bool fit_activation(LearnedPoint& point, double lambda) = 0;
};

std::unique_ptr<HalfSteps> squared_steps(const LearnedProblem& learned);
std::unique_ptr<HalfSteps> logistic_steps(const LearnedProblem& learned);

}  // namespace weft::detail
