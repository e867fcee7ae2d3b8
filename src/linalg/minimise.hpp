// Minimising a smooth convex function whose evaluations are expensive: limited-memory BFGS (Nocedal 1980) whose first
// guess of the inverse Hessian is a preconditioner the function supplies, and renews when it calls it stale. A function
// that is always stale gives Newton's method; one that never is gives preconditioned L-BFGS.
//
// Why not libLBFGS: it is C and calls back for every evaluation, so a cancelled job or a reader's error would have to
// throw through frames that cannot unwind; its initial inverse Hessian is (sᵀy / yᵀy)·I at every iteration, and its
// first step 1/‖g‖. A preconditioner that never changes could be a change of variables, one that is renewed cannot.
#pragma once

#include <weft/matrix.hpp>

#include <deque>
#include <functional>
#include <limits>

namespace weft::detail {

struct ObjectiveValue {
  double value = std::numeric_limits<double>::quiet_NaN();
  Matrix gradient;      ///< shaped as x
  double gap = 0;       ///< what smoothing adds to the duality gap of the function before it
  double held_out = 0;  ///< a second value at the same point, recorded but not minimised
};

class SmoothObjective {
 public:
  virtual ~SmoothObjective() = default;
  /// False: out of time, `out` is unspecified.
  virtual bool evaluate(const Matrix& x, ObjectiveValue& out) = 0;
  /// v ← P⁻¹v, P near the Hessian.
  virtual void precondition(Matrix& v) const = 0;
  virtual bool stale() const = 0;           ///< P should be recomputed before the next step
  virtual bool renew(const Matrix& x) = 0;  ///< P at x. False: out of time, P is as it was
};

/// A step, the change of the gradient along it, and their product.
struct CurvaturePair {
  Matrix step, change;
  double product = 0;
};

/// A point, and what was learned on the way there: with the preconditioner, all that the next step depends on.
struct MinimiseState {
  Matrix x;
  Index iterations = 0;
  std::deque<CurvaturePair> pairs = {};  ///< the last few since P was renewed, oldest first

  static constexpr std::size_t kPairs = 10;
  /// Unless the change of the gradient is rounding, which would spoil the approximation.
  void add_pair(Matrix step, Matrix change);
};

struct MinimiseOptions {
  double tolerance = 1e-6;
  Index iterations = 100;
  std::function<void(const MinimiseState&)> on_step = {};  ///< sees every point reached
};

enum class Stop { converged, iteration_limit, time_budget, rounding };
const char* stop_name(Stop stop);

struct Minimum {
  Matrix x;
  ObjectiveValue at;  ///< value NaN when time ran out before the first evaluation
  double gradient_norm = std::numeric_limits<double>::infinity();  ///< √(gᵀH⁻¹g), H the approximate Hessian
  double excess = std::numeric_limits<double>::infinity();         ///< gᵀH⁻¹g / 2f: about (f − minimum) / f
  Index iterations = 0;
  Stop stop = Stop::time_budget;
};

/// The value must stay positive. It never rises from one iterate to the next by more than rounding. Converged:
/// excess ≤ tolerance. From a state that on_step saw, and the preconditioner as it was then, it goes on bit for bit.
Minimum minimise(SmoothObjective& objective, MinimiseState state, const MinimiseOptions& options);

}  // namespace weft::detail
