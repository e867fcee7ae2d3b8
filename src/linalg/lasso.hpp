// The lasso from Gram quantities alone (docs/mathematics.md §5.4; Anonymous 2026, Alg. 5, has c = 1,
// Dubé & Marchand 2023, Alg. 4, c = 2):
//
//   min_a  (1/(c·m)) ‖Φa − y‖² + λ‖a‖₁     given Q = ΦᵀΦ, q = Φᵀy, yᵀy and m.
//
// Working sets grown by priority (Massias, Gramfort & Salmon 2018), gap-safe screening (Ndiaye et al. 2017), and on
// each working set coordinate descent or, when that converges slowly, an active-set method (working_lasso.hpp). Every
// result has its duality gap, computed from a gradient that was itself computed from scratch.
#pragma once

#include <weft/matrix.hpp>
#include <weft/run.hpp>

#include <span>
#include <string_view>
#include <vector>

namespace weft::detail {

struct LassoProblem {
  View<const double> gram;        ///< Q, T×T, both triangles
  std::span<const double> cross;  ///< q, T
  double yy = 0;                  ///< yᵀy
  double rows = 1;                ///< m (or the sum of the weights)
  int divisor = 1;                ///< c: 1 or 2
};

struct LassoSolverOptions {
  double tolerance = 1e-6;    ///< stop at gap ≤ tolerance · yᵀy/(c·m), the objective at a = 0
  Index max_steps = 1000000;  ///< passes of coordinate descent and Newton steps together
};

enum class LassoStop { converged, max_steps, max_seconds, stalled };
std::string_view to_string(LassoStop stop);

struct LassoResult {
  std::vector<double> coefficients;  ///< T
  double objective = 0;
  double gap = 0;            ///< objective − minimum is at most this
  double kkt_violation = 0;  ///< the largest violation of the optimality conditions, in units of λ
  Index nonzeros = 0;
  Index epochs = 0;
  Index newton_steps = 0;
  LassoStop stop = LassoStop::converged;  ///< stalled: rounding in Q and q allows no smaller gap
};

/// The smallest λ for which a = 0 is a solution.
double lasso_lambda_max(const LassoProblem& problem);

/// `start` (T, or empty for zero) is where the search begins. Stops early when run is out of time.
LassoResult lasso(const LassoProblem& problem, double lambda, std::span<const double> start,
                  const LassoSolverOptions& options, const Run& run);

/// One result per λ, each begun at the one before; descending λs make that quick.
std::vector<LassoResult> lasso_path(const LassoProblem& problem, std::span<const double> lambdas,
                                    const LassoSolverOptions& options, const Run& run);

}  // namespace weft::detail
