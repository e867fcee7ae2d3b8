// Learned activations: the basis, the starts, and sweeps of half-steps until the objective of learned_steps.hpp
// settles.
#include "methods/learned_activation/learned_activation.hpp"
#include "methods/learned_activation/learned_steps.hpp"

#include "core/interval.hpp"
#include "core/random.hpp"
#include "core/stopwatch.hpp"
#include "linalg/ridge.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr Index kDefaultSweeps = 50;
// Where held-out rows chose λ they saw what a few sweeps do with it: the fit does not go much further than they did.
constexpr Index kDefaultChosenSweeps = 10;
// λ of the balanced objective: it makes the half-steps solvable, and is lost in the loss (docs/mathematics.md §8.2).
constexpr double kUnpenalised = 1e-12;
constexpr double kStretchGrowth = 1.5;
constexpr double kLargestStretch = 8;

/// Where the activation is seen: the projections of the rows, and two deviations around them where a kernel smooths.
struct Reach {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  double outside = 0;  ///< share of the projections themselves that lie outside a given interval
};

/// The identity smoothed is the projection μ itself, the square smoothed is μ² + ν²: no family needs code of its own.
Reach measure_reach(const Problem& problem, const std::optional<Interval>& given) {
  const FeatureMap& map = problem.map;
  const FeatureMap means = unscaled_map(map, find_activation("identity"));
  const FeatureMap squares = unscaled_map(map, find_activation("square"));
  const bool smoothed = !map.parts().front().family.kernel.none();
  Reach reach;
  double count = 0;
  Matrix mu, square;
  problem.rows.for_each([&](const TrainingBlock& block) {
    problem.run.check_cancelled();
    mu.reshape(map.features(), block.rows());
    means.smoothings(block.x, mu.view(), problem.run);
    square.reshape(smoothed ? map.features() : 0, block.rows());
    if (smoothed) squares.smoothings(block.x, square.view(), problem.run);
    for (Index i = 0; i < mu.rows() * mu.cols(); ++i) {
      const double z = mu.data()[i];
      const double spread = smoothed ? 2 * std::sqrt(std::max(0.0, square.data()[i] - z * z)) : 0;
      reach.low = std::min(reach.low, z - spread);
      reach.high = std::max(reach.high, z + spread);
      if (given && (z < given->low || z > given->high)) ++reach.outside;
    }
    count += static_cast<double>(mu.rows() * mu.cols());
    return !problem.run.out_of_time();
  });
  reach.outside /= count;
  return reach;
}

ActivationBasis choose_basis(const Problem& problem, FitReport& report) {
  const auto& options = problem.options.own<LearnedActivationOptions>();
  std::optional<Interval> given;
  if (options.grid_range != "auto") given = parse_interval(options.grid_range, "‹grid_range›", Allowed::anything());
  const Reach reach = measure_reach(problem, given);
  if (reach.outside == 1)
    throw Error(
        ErrorKind::option,
        fmt::format("no projection of the rows lies in it: they reach from {:.4g} to {:.4g}", reach.low, reach.high),
        "‹grid_range›", "leave it out, or choose a range that covers these");
  if (reach.outside > 0)
    report.warnings.push_back(fmt::format(
        "{:.2g}% of the projections lie outside the grid, where the activation falls to 0", 100 * reach.outside));
  Interval range = given.value_or(Interval{reach.low, reach.high});
  if (!given && range.low == range.high) range = {range.low - 0.5, range.high + 0.5};  // one projection
  const ActivationBasis basis =
      options.basis == ActivationBasis::Kind::rbf
          ? ActivationBasis::rbf(range.low, range.high, options.grid_points, options.basis_width)
          : ActivationBasis::bspline(range.low, range.high, options.grid_points, options.degree);
  report.set("basis", basis.name());
  report.set("grid_low", basis.low());
  report.set("grid_high", basis.high());
  return basis;
}

/// The coefficients nearest to h on the grid's interval, by least squares on a fine even grid.
std::vector<double> nearest_coefficients(const ActivationBasis& basis, const std::vector<ActivationPtr>& bumps,
                                         const Activation& h) {
  constexpr Index kPointsPerStep = 8;
  const Index points = kPointsPerStep * basis.count + 1;
  Matrix values(basis.count, points);
  Matrix target(points, 1);
  for (Index p = 0; p < points; ++p) {
    const double z =
        basis.low() + (basis.high() - basis.low()) * static_cast<double>(p) / static_cast<double>(points - 1);
    target(p, 0) = h.value(z);
    for (Index i = 0; i < basis.count; ++i) values(i, p) = bumps[static_cast<std::size_t>(i)]->value(z);
  }
  Matrix gram(basis.count, basis.count);
  Matrix cross(basis.count, 1);
  for (Index p = 0; p < points; ++p)
    for (Index i = 0; i < basis.count; ++i) {
      for (Index j = 0; j < basis.count; ++j) gram(i, j) += values(i, p) * values(j, p);
      cross(i, 0) += values(i, p) * target(p, 0);
    }
  // A little ridge: bumps that overlap would be added and subtracted in large amounts for nothing.
  const Matrix a = solve_regularised(gram, {}, 0, 1e-6 * static_cast<double>(points), cross, 1).coefficients;
  return {a.data(), a.data() + basis.count};
}

/// Start 0 is the family's own activation, the others are random; all of length 1.
LearnedPoint make_start(const LearnedProblem& learned, Index number) {
  const Problem& problem = learned.problem;
  LearnedPoint point;
  if (number == 0)
    point.a = nearest_coefficients(learned.basis, learned.bumps, *problem.map.parts().front().family.activation);
  const Random random(problem.family.seed, RandomStream::fit);
  const auto is_zero = [](double a) { return a == 0; };
  if (std::all_of(point.a.begin(), point.a.end(), is_zero)) {
    point.a.clear();
    for (Index i = 0; i < learned.basis.count; ++i)
      point.a.push_back(random.normal(static_cast<std::uint64_t>(number), static_cast<std::uint32_t>(i)));
  }
  const double length = std::sqrt(learned.squared_norm(point.a));
  for (double& a : point.a) a /= length;
  return point;
}

struct Descent {
  LearnedPoint point;
  std::vector<double> objectives;  ///< after the first weights, then after every sweep
  const char* stopped = "iteration limit";
};

/// Both half-steps. Alternation converges slowly along narrow valleys, so a is moved `stretch` times as far as its
/// half-step; where that does not lower J it is undone, and the next sweep is a plain one.
bool stretched_sweep(HalfSteps& steps, double lambda, LearnedPoint& point, double& stretch) {
  const std::vector<double> before = point.a;
  if (!steps.fit_activation(point, lambda)) return false;
  const LearnedPoint plain = point;
  for (std::size_t i = 0; i < before.size(); ++i) point.a[i] = before[i] + stretch * (point.a[i] - before[i]);
  const bool in_time = steps.fit_weights(point, lambda);
  if (stretch == 1 || (in_time && point.objective < plain.objective)) {
    stretch = std::min(kStretchGrowth * stretch, kLargestStretch);
    return in_time;
  }
  point = plain;
  stretch = 1;
  return in_time && steps.fit_weights(point, lambda);
}

Descent descend(const LearnedProblem& learned, HalfSteps& steps, LearnedPoint start, const LearnedChoice& choice) {
  const Run& run = learned.problem.run;
  const FitOptions& options = learned.problem.options;
  const auto& own = options.own<LearnedActivationOptions>();
  const bool held_out = !options.lambda && own.objective == LearnedObjective::penalised;
  const Index usual = held_out ? kDefaultChosenSweeps : kDefaultSweeps;
  const Index sweeps = !choice.learn ? 0 : own.iterations > 0 ? *own.iterations : usual;
  Descent descent{std::move(start), {}};
  LearnedPoint& point = descent.point;
  bool in_time = steps.fit_weights(point, choice.lambda);
  balance(point, learned);
  descent.objectives.push_back(point.objective);
  double stretch = 1;
  for (Index sweep = 0; sweep < sweeps && in_time; ++sweep) {
    const LearnedPoint before = point;
    in_time = stretched_sweep(steps, choice.lambda, point, stretch);
    balance(point, learned);
    // Sums over rows have rounding; a sweep that would move uphill by it is not made.
    if (!(point.objective <= before.objective)) point = before;
    descent.objectives.push_back(point.objective);
    run.report("sweeps", static_cast<double>(sweep + 1), static_cast<double>(sweeps));
    if (in_time && before.objective - point.objective <= own.tolerance * before.objective) {
      descent.stopped = "converged";
      break;
    }
  }
  if (!in_time) descent.stopped = "time budget";
  return descent;
}

Descent best_descent(const LearnedProblem& learned, HalfSteps& steps, const LearnedPoint& first,
                     const LearnedChoice& choice, FitReport& report) {
  Descent best = descend(learned, steps, first, choice);
  const Index starts = learned.problem.options.own<LearnedActivationOptions>().starts;
  if (starts > 1) report.numbers.emplace_back("start 0 objective", best.point.objective);
  for (Index k = 1; k < starts && choice.learn && !learned.problem.run.out_of_time(); ++k) {
    Descent other = descend(learned, steps, make_start(learned, k), choice);
    report.numbers.emplace_back(fmt::format("start {} objective", k), other.point.objective);
    if (other.point.objective < best.point.objective) best = std::move(other);
  }
  return best;
}

LearnedPoint solve(const LearnedProblem& learned, bool logistic, FitReport& report) {
  const Problem& problem = learned.problem;
  const auto steps = logistic ? logistic_steps(learned) : squared_steps(learned);
  LearnedPoint start = make_start(learned, 0);
  const std::optional<double>& given = problem.options.lambda;
  const bool balanced = problem.options.own<LearnedActivationOptions>().objective == LearnedObjective::balanced;
  const LearnedChoice choice = balanced ? LearnedChoice{kUnpenalised}
                               : given  ? LearnedChoice{learned.penalty.effective(*given)}
                                        : steps->choose_lambda(start, report);
  if (!std::isfinite(choice.lambda))
    throw Error(ErrorKind::option, "lambda is so large that all features vanish", "‹lambda›",
                "give a much smaller one");
  report.set("lambda", balanced ? 0 : given ? *given : learned.penalty.user_lambda(choice.lambda));
  Descent descent = best_descent(learned, *steps, start, choice, report);
  for (std::size_t k = 0; k < descent.objectives.size(); ++k)
    report.numbers.emplace_back(fmt::format("sweep {} objective", k), descent.objectives[k]);
  report.set("sweeps", static_cast<double>(descent.objectives.size() - 1));
  report.set("objective", descent.point.objective);
  report.set("stopped", choice.learn ? descent.stopped : "no activation did better on the held-out rows");
  if (descent.stopped == std::string("time budget"))
    report.warnings.emplace_back("the time limit was reached before the activation had settled; raise ‹max_time›");
  return std::move(descent.point);
}

}  // namespace

FitResult fit_learned_activation(const Problem& problem) {
  const bool logistic = learned_loss(problem.options, problem.task).kind() == Loss::Kind::logistic;
  FitResult result;
  const Stopwatch basis_clock;
  const LearnedProblem learned(problem, choose_basis(problem, result.report));
  result.report.set("regularizer", name_of(learned.penalty.kind));
  result.report.set("loss", logistic ? "logistic" : "squared");
  result.report.seconds.emplace_back("basis", basis_clock.seconds());

  const Stopwatch clock;
  LearnedPoint point = solve(learned, logistic, result.report);
  result.report.seconds.emplace_back("solve", clock.seconds());
  result.coefficients = std::move(point.v);
  result.intercepts = std::move(point.intercepts);
  result.probabilistic = logistic;
  result.map = learned.map(point.a);
  return result;
}

}  // namespace weft::detail
