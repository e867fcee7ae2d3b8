#include "linalg/minimise.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace weft::detail {

namespace {

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

/// Nocedal & Wright 2006, algorithm 7.4.
Matrix find_direction(const std::deque<CurvaturePair>& pairs, const Matrix& gradient,
                      const SmoothObjective& objective) {
  Matrix d = gradient;
  std::vector<double> alpha(pairs.size());
  for (std::size_t i = pairs.size(); i-- > 0;) {
    alpha[i] = dot(pairs[i].step, d) / pairs[i].product;
    add_scaled(-alpha[i], pairs[i].change, d);
  }
  objective.precondition(d);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    add_scaled(alpha[i] - dot(pairs[i].change, d) / pairs[i].product, pairs[i].step, d);
  for (Index i = 0; i < d.rows() * d.cols(); ++i) d.data()[i] = -d.data()[i];
  return d;
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

void MinimiseState::add_pair(Matrix step, Matrix change) {
  const double product = dot(step, change);
  if (!(product > 1e-14 * std::sqrt(dot(step, step) * dot(change, change)))) return;
  if (pairs.size() == kPairs) pairs.pop_front();
  pairs.push_back({std::move(step), std::move(change), product});
}

Minimum minimise(SmoothObjective& objective, MinimiseState state, const MinimiseOptions& options) {
  Minimum result;
  const auto stopped = [&](Stop why) {
    result.x = std::move(state.x);
    result.iterations = state.iterations;
    result.stop = why;
    return std::move(result);
  };
  if (!objective.evaluate(state.x, result.at)) return stopped(Stop::time_budget);
  bool fresh = false;  // the preconditioner belongs to this very point
  bool stuck = false;
  for (;;) {
    if (objective.stale() || stuck) {
      if (!objective.renew(state.x)) return stopped(Stop::time_budget);
      state.pairs.clear();
      fresh = true;
    }
    const Matrix direction = find_direction(state.pairs, result.at.gradient, objective);
    const double slope = dot(result.at.gradient, direction);
    result.gradient_norm = std::sqrt(std::max(0.0, -slope));
    result.excess = std::max(0.0, -slope) / (2 * result.at.value);
    if (result.excess <= options.tolerance) return stopped(Stop::converged);
    if (state.iterations >= options.iterations) return stopped(Stop::iteration_limit);
    const Matrix x = state.x;
    const Matrix gradient = result.at.gradient;
    const LineSearch outcome = search_line(objective, direction, slope, state.x, result.at);
    if (outcome == LineSearch::out_of_time) return stopped(Stop::time_budget);
    stuck = outcome == LineSearch::stuck;
    if (stuck && fresh) return stopped(Stop::rounding);
    ++state.iterations;
    if (stuck) continue;
    state.add_pair(difference(state.x, x), difference(result.at.gradient, gradient));
    fresh = false;
    if (options.on_step) options.on_step(state);
  }
}

}  // namespace weft::detail
