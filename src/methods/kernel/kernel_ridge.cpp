// Exact kernel ridge regression: λ by leave-one-out errors where it is not given, and diagnostics of the solution.
#include "methods/kernel/kernel_ridge.hpp"
#include "core/at.hpp"
#include "core/parallel.hpp"
#include "core/stopwatch.hpp"
#include "methods/calibration.hpp"
#include "methods/kernel/kernel_checks.hpp"
#include "methods/kernel/kernel_folds.hpp"
#include "methods/kernel/kernel_left_out.hpp"
#include "methods/kernel/nystrom.hpp"
#include "methods/least_squares/least_squares.hpp"
#include "objective/lambda_path.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <fmt/format.h>

namespace weft::detail {

namespace {

/// Σ w e² / W per output.
std::vector<double> mean_squares(const Matrix& errors, const KernelTargets& targets) {
  std::vector<double> means(at(errors.cols()));
  for (Index i = 0; i < errors.rows(); ++i)
    for (Index o = 0; o < errors.cols(); ++o) {
      const double scaled = targets.roots[at(i)] * errors(i, o);
      means[at(o)] += scaled * scaled / targets.weight;
    }
  return means;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value / static_cast<double>(values.size());
  return sum;
}

/// The μ of the grid whose errors are smallest, in units of the variances; `squares_at` gives the mean squares.
double choose_mu(const Problem& problem, const std::vector<double>& grid, const KernelTargets& targets,
                 const std::function<std::vector<double>(double mu)>& squares_at, FitReport& report) {
  std::vector<double> variances;
  for (Index o = 0; o < targets.y.cols(); ++o) {
    double sum = 0;
    for (Index i = 0; i < targets.y.rows(); ++i) sum += targets.y(i, o) * targets.y(i, o);
    variances.push_back(sum / targets.weight);
  }
  double tried = 0;
  const LambdaPath errors = follow_path(grid, {}, [&](double mu) -> std::optional<double> {
    problem.run.check_cancelled();
    if (tried > 0 && problem.run.out_of_time()) return std::nullopt;
    const std::vector<double> squares = squares_at(mu);
    double error = 0;
    for (std::size_t o = 0; o < squares.size(); ++o)
      if (variances[o] > 0) error += squares[o] / variances[o] / static_cast<double>(squares.size());
    problem.run.report("lambda", ++tried, static_cast<double>(grid.size()));
    return error;
  });
  if (errors.stopped) {
    report.set("stopped", "time budget");
    report.warnings.emplace_back(
        "time limit reached during the search for lambda: smaller values were not tried; raise ‹max_time›");
  }
  const std::optional<std::size_t> chosen = errors.largest_good();
  if (!chosen) throw no_finite_errors(problem.rows.rule().none() ? "leave-one-out" : "held-out");
  if (*chosen == 0 || *chosen + 1 == grid.size())
    report.set("lambda_at", *chosen == 0 ? "upper end of the grid" : "lower end of the grid");
  return grid[*chosen];
}

KernelSolution solve_path(const Problem& problem, ScaledKernel& kernel, const KernelTargets& targets,
                          FitReport& report) {
  const std::vector<double> grid = mu_grid(kernel, targets);
  const auto fit_at = kernel_fits(problem, kernel, targets);
  const auto squares_at = [&](double mu) {
    const std::optional<KernelSolution> solution = fit_at(mu);
    if (!solution) return std::vector<double>(targets.shift.size(), std::numeric_limits<double>::infinity());
    return mean_squares(left_out_errors(*solution, targets), targets);
  };
  return fit_at(choose_mu(problem, grid, targets, squares_at, report)).value();
}

void report_equations(const RidgeReport& equations, FitReport& report) {
  report.set("reciprocal_condition", equations.reciprocal_condition);
  report.set("jitter", equations.jitter);
  report.set("relative_residual", equations.relative_residual);
  if (equations.jitter > 0)
    report.warnings.emplace_back(
        "lambda is too small for double precision: more was added to the diagonal (see jitter)");
}

/// Weighted share of rows whose class the fit without them misses. `counts`: rows that were predicted.
double left_out_misses(const BlockSource& rows, const Matrix& scores, double weight,
                       const std::function<bool(Index)>& counts) {
  double missed = 0;
  rows.for_each([&](const TrainingBlock& block) {
    for (Index i = 0; i < block.rows(); ++i) {
      if (!counts(block.first_row + i)) continue;
      const double* score = scores.row(block.first_row + i);
      const Index top = std::max_element(score, score + scores.cols()) - score;
      const bool hit = scores.cols() == 1 ? (score[0] > 0) == (block.y(0, i) > 0) : block.y(top, i) > 0;
      if (!hit) missed += block.weights == nullptr ? 1 : block.weights[i];
    }
    return true;
  });
  return missed / weight;
}

/// Of the rows that count.
ScoredRows score_left_out(const Problem& problem, const Matrix& scores, const KernelTargets& targets,
                          const std::function<bool(Index)>& counts) {
  ScoredRows scored(scores.cols());
  problem.rows.for_each([&](const TrainingBlock& block) {
    for (Index i = 0; i < block.rows(); ++i) {
      const Index row = block.first_row + i;
      if (!counts(row)) continue;
      for (Index o = 0; o < scores.cols(); ++o) scored.add(block, i, o, scores(row, o));
      scored.weights.push_back(targets.roots[at(row)] * targets.roots[at(row)]);
    }
    return true;
  });
  return scored;
}

void calibrate_left_out(const Problem& problem, FitResult& result) {
  const ScoredRows& scored = result.left_out.rows;
  result.calibration =
      problem.options.own<KernelRidgeOptions>().calibrate ? scored.sigmoids() : scored.common_sigmoid();
}

/// What follows from G's diagonal: leave-one-out errors, generalised cross-validation, the effective dimension.
void report_left_out(const Problem& problem, const KernelTargets& targets, const KernelSolution& solution,
                     double train_mse, FitResult& result) {
  const auto n = static_cast<double>(targets.roots.size());
  double trace = 0;
  for (const double g : solution.diagonal) trace += g;
  const double left = solution.mu * trace / n;  // 1 − tr H / n, H the matrix of the fitted values
  result.report.set("effective_dimension", n * (1 - left) - (problem.options.intercept ? 1 : 0));
  if (!problem.rows.rule().none()) return;
  result.report.set("gcv", train_mse / (left * left));
  result.report.set("loo_mse", mean(mean_squares(left_out_errors(solution, targets), targets)));
  const auto all = [](Index) { return true; };
  const Matrix scores = left_out_scores(solution, targets);
  result.left_out = {score_left_out(problem, scores, targets, all), ScoredBy::leaving_one_out};
  if (problem.task == Task::regression) return;
  result.report.set("loo_error", left_out_misses(problem.rows, scores, targets.weight, all));
  calibrate_left_out(problem, result);
}

/// Where the rows have a rule, folds of it take the place of leaving one out: λ, errors and calibration.
KernelSolution fit_by_folds(const Problem& problem, const ScaledKernel& kernel, const KernelTargets& targets,
                            FitResult& result) {
  const KernelFolds folds(problem, kernel, targets);
  const auto squares_at = [&](double mu) { return folds.mean_squares(folds.errors(mu)); };
  const double mu = problem.options.lambda
                        ? *problem.options.lambda * targets.weight
                        : choose_mu(problem, mu_grid(kernel, targets), targets, squares_at, result.report);
  if (!problem.run.out_of_time()) {
    const Matrix errors = folds.errors(mu);
    result.report.set("fold_mse", mean(folds.mean_squares(errors)));
    const auto predicted = [&](Index row) { return folds.predicts(row); };
    const Matrix scores = scores_of_errors(errors, targets);
    result.left_out = {score_left_out(problem, scores, targets, predicted), ScoredBy::cross_fitting};
    if (problem.task != Task::regression) {
      result.report.set("fold_error", left_out_misses(problem.rows, scores, folds.weight(), predicted));
      calibrate_left_out(problem, result);
    }
  }
  return solve_kernel(problem, kernel, targets, mu);
}

FitResult fit_exact(const Problem& problem) {
  FitResult result;
  const Stopwatch kernel_clock;
  const KernelTargets targets = gather_targets(problem.rows, problem.options.intercept);
  const auto kernel = scaled_kernel(problem, targets.roots);
  result.report.seconds.emplace_back("kernel", kernel_clock.seconds());
  const Stopwatch solve_clock;
  const auto& lambda = problem.options.lambda;
  const KernelSolution solution = !problem.rows.rule().none() ? fit_by_folds(problem, *kernel, targets, result)
                                  : lambda ? solve_kernel(problem, *kernel, targets, *lambda * targets.weight)
                                           : solve_path(problem, *kernel, targets, result.report);
  if (solution.equations) report_equations(*solution.equations, result.report);
  result.report.set("lambda", lambda ? *lambda : solution.mu / targets.weight);
  result.coefficients = solution.alpha;
  result.intercepts = solution.intercepts;
  double squares = 0;
  for (Index o = 0; o < solution.alpha.cols(); ++o) {
    result.intercepts[at(o)] += targets.shift[at(o)];
    for (Index i = 0; i < solution.alpha.rows(); ++i) {
      squares += solution.alpha(i, o) * solution.alpha(i, o);
      result.coefficients(i, o) *= targets.roots[at(i)];
    }
  }
  const double train_mse =
      solution.mu * solution.mu * squares / targets.weight / static_cast<double>(solution.alpha.cols());
  result.report.set("train_mse", train_mse);
  if (!solution.diagonal.empty())
    report_left_out(problem, targets, solution, train_mse, result);
  else
    result.report.warnings.emplace_back(
        "time limit reached before the leave-one-out errors were computed; raise ‹max_time›");
  result.report.seconds.emplace_back("solve", solve_clock.seconds());
  return result;
}

/// Least squares on the landmarks' sections, with nothing penalised but ‖f‖.
FitOptions direct_options(FitOptions options) {
  options.method = LeastSquaresOptions{.epsilon = 0, .calibrate = options.own<KernelRidgeOptions>().calibrate};
  return options;
}

FitResult fit_direct(const Problem& problem) {
  const FitOptions options = direct_options(problem.options);
  return fit_least_squares({problem.map, problem.rows, problem.task, options, problem.family, problem.run});
}

FitResult with_kernel(const Problem& problem, FitResult result) {
  const Kernel& kernel = problem.map.sections()->kernel;
  result.report.set("kernel", kernel.name());
  if (kernel.has_bandwidth()) result.report.set("bandwidth", kernel.bandwidth());
  if (kernel.exponent() != 1) result.report.set("exponent", kernel.exponent());
  return result;
}

}  // namespace

FitResult solve_kernel_ridge(const Problem& sample, HeldOutSums sums) {
  const FitOptions options = direct_options(sample.options);
  return with_kernel(
      sample,
      solve_least_squares({sample.map, sample.rows, sample.task, options, sample.family, sample.run}, std::move(sums)));
}

FitResult fit_kernel_ridge(const Problem& problem) {
  if (const RowShare* share = problem.rows.share(); share != nullptr && share->matrices)
    return with_kernel(problem, fit_direct(problem));
  const KernelSolver solver = kernel_solver(problem.options.own<KernelRidgeOptions>(), problem.rows.rows());
  return with_kernel(problem, solver == KernelSolver::exact    ? fit_exact(problem)
                              : solver == KernelSolver::direct ? fit_direct(problem)
                                                               : fit_nystrom(problem));
}

}  // namespace weft::detail
