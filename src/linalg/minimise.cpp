#include "linalg/minimise.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <vector>

namespace weft::detail {

namespace {

constexpr std::size_t kPairs = 10;
constexpr double kArmijo = 1e-4;
constexpr double kRoundingSlack = 1e-13;  // of the value: what a sum over many rows may be off by
constexpr int kMaxTrials = 30;

double dot(const Matrix& a, const Matrix& b) {
  double sum = 0;
  for (Index i = 0; i < a.rows() * a.cols(); ++i) sum += a.data()[i] * b.data()[i];
  return sum;
}

void add_scaled(double alpha, const Matrix& a, Matrix& to) {
  for (Index i = 0; i < a.rows() * a.cols(); ++i) to.data()[i] += alpha * a.data()[i];
}

Matrix difference(const Matrix& a, const Matrix& b) {
  Matrix result = a;
  add_scaled(-1, b, result);
  return result;
}

/// The last few steps s and changes of the gradient y (Nocedal & Wright 2006, algorithm 7.4).
class CurvaturePairs {
 public:
  void clear() { pairs_.clear(); }

  void add(Matrix s, Matrix y) {
    const double sy = dot(s, y);
    // A change of the gradient that is rounding would spoil the approximation.
    if (!(sy > 1e-14 * std::sqrt(dot(s, s) * dot(y, y)))) return;
    if (pairs_.size() == kPairs) pairs_.pop_front();
    pairs_.push_back({std::move(s), std::move(y), sy});
  }

  Matrix direction(const Matrix& gradient, const SmoothObjective& objective) const {
    Matrix d = gradient;
    std::vector<double> alpha(pairs_.size());
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      alpha[i] = dot(pairs_[i].s, d) / pairs_[i].sy;
      add_scaled(-alpha[i], pairs_[i].y, d);
    }
    objective.precondition(d);
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      add_scaled(alpha[i] - dot(pairs_[i].y, d) / pairs_[i].sy, pairs_[i].s, d);
    for (Index i = 0; i < d.rows() * d.cols(); ++i) d.data()[i] = -d.data()[i];
    return d;
  }

 private:
  struct Pair {
    Matrix s, y;
    double sy;
  };
  std::deque<Pair> pairs_;
};

Minimum stopped(Minimum result, Stop why) {
  result.stop = why;
  return result;
}

enum class LineSearch { moved, stuck, out_of_time };

/// Backtracks from the unit step. A step is taken when the value falls enough (Armijo) or, where the change of the
/// value is rounding, when the slope is small enough (Hager & Zhang 2005, the approximate Wolfe condition).
LineSearch search_line(SmoothObjective& objective, const Matrix& direction, double slope, Matrix& x,
                       ObjectiveValue& at) {
  ObjectiveValue trial;
  double step = 1;
  for (int k = 0; k < kMaxTrials; ++k) {
    Matrix moved = x;
    add_scaled(step, direction, moved);
    if (!objective.evaluate(moved, trial)) return LineSearch::out_of_time;
    const double trial_slope = dot(trial.gradient, direction);
    const bool lower = trial.value <= at.value + kArmijo * step * slope;
    const bool flat = trial.value <= at.value * (1 + kRoundingSlack) && std::abs(trial_slope) <= 0.9 * -slope;
    if (lower || flat) {
      x = std::move(moved);
      at = std::move(trial);
      return LineSearch::moved;
    }
    // The minimiser of the parabola through the value and slope at 0 and the value at the trial.
    const double best = -slope * step * step / (2 * (trial.value - at.value - slope * step));
    step = std::isfinite(best) ? std::clamp(best, 0.1 * step, 0.5 * step) : 0.1 * step;
  }
  return LineSearch::stuck;
}

}  // namespace

const char* stop_name(Stop stop) {
  switch (stop) {
    case Stop::converged:
      return "converged";
    case Stop::iteration_limit:
      return "iteration limit";
    case Stop::time_budget:
      return "time budget";
    case Stop::rounding:
      return "rounding";
  }
  return "";
}

Minimum minimise(SmoothObjective& objective, Matrix start, const MinimiseOptions& options) {
  Minimum result;
  result.x = std::move(start);
  if (!objective.evaluate(result.x, result.at)) return result;
  CurvaturePairs pairs;
  bool fresh = false;  // the preconditioner belongs to this very point
  bool stuck = false;
  for (;; ++result.iterations) {
    if (objective.stale() || stuck) {
      if (!objective.renew(result.x)) return result;
      pairs.clear();
      fresh = true;
    }
    const Matrix direction = pairs.direction(result.at.gradient, objective);
    const double slope = dot(result.at.gradient, direction);
    result.gradient_norm = std::sqrt(std::max(0.0, -slope));
    result.excess = std::max(0.0, -slope) / (2 * result.at.value);
    if (result.excess <= options.tolerance) return stopped(std::move(result), Stop::converged);
    if (result.iterations >= options.iterations) return stopped(std::move(result), Stop::iteration_limit);
    const Matrix x = result.x;
    const Matrix gradient = result.at.gradient;
    const LineSearch outcome = search_line(objective, direction, slope, result.x, result.at);
    if (outcome == LineSearch::out_of_time) return result;
    stuck = outcome == LineSearch::stuck;
    if (stuck && fresh) return stopped(std::move(result), Stop::rounding);
    if (stuck) continue;
    pairs.add(difference(result.x, x), difference(result.at.gradient, gradient));
    fresh = false;
    if (options.on_step) options.on_step(result.x);
  }
}

}  // namespace weft::detail
