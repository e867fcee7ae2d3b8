// The fit on landmarks: λ on held-out rows where it is not given, then all rows.
#include "core/memory.hpp"
#include "core/stopwatch.hpp"
#include "methods/fold_rows.hpp"
#include "methods/kernel/nystrom.hpp"
#include "objective/lambda_path.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr Index kDefaultIterations = 200;
constexpr ConjugateGradientOptions kTrial{.tolerance = 1e-3, .max_iterations = 50};
constexpr int kDecades = 11;

/// Of what the square matrices and the rows leave.
double cache_bytes(const Problem& problem) {
  const auto size = static_cast<double>(problem.map.features());
  MemoryPlan plan(problem.run);
  plan.hold("square matrices of the landmarks", 3 * size * size);
  plan.hold("rows", plan.spare_for_rows() / sizeof(double));
  return plan.spare();
}

struct NystromChoice {
  double lambda = 0;
  Nystrom::Solution trial;  ///< on the rows that were not held out
};

/// A decade at a time from a tenth of the mean of k(z, z) down, each begun at the one before, until the error on the
/// held-out rows has twice been worse than the best.
NystromChoice choose_lambda(const Problem& problem, Nystrom& nystrom, FitReport& report) {
  const PartOf part = held_out_part(problem);
  const auto held_out = [&](Index row) { return static_cast<double>(part(row)); };
  nystrom.fit_rows([&](Index row) { return 1 - held_out(row); });
  std::vector<double> grid;
  for (int k = 1; k <= kDecades; ++k) grid.push_back(nystrom.mean_diagonal() * std::pow(10.0, -k));
  std::vector<Nystrom::Solution> trials;
  const LambdaPath path = follow_path(grid, {.patience = 2}, [&](double lambda) -> std::optional<double> {
    trials.push_back(nystrom.solve(lambda, trials.empty() ? Matrix() : trials.back().coefficients, kTrial));
    if (trials.back().search.stopped) return std::nullopt;
    return nystrom.relative_error(trials.back(), held_out);
  });
  if (path.errors.empty()) return {grid.front(), std::move(trials.front())};  // the best there is
  const std::vector<double>& errors = path.errors;
  const std::optional<std::size_t> chosen = path.largest_good();
  if (!chosen)
    throw Error(ErrorKind::data, "no lambda gives finite predictions on the held-out rows", "‹lambda›",
                "give a lambda, more rows or more time");
  report.set("held_out_error", errors[*chosen]);
  if (*chosen == 0 || *chosen + 1 == static_cast<std::size_t>(kDecades))
    report.set("lambda_at", *chosen == 0 ? "upper end of the grid" : "lower end of the grid");
  return {grid[*chosen], std::move(trials[*chosen])};
}

void describe(const Nystrom& nystrom, const Nystrom::Solution& solution, FitReport& report) {
  const ConjugateGradientResult& search = solution.search;
  report.set("iterations", static_cast<double>(search.iterations));
  report.set("relative_residual", search.relative_residual);
  report.set("stopped", search.stopped ? "time budget" : search.converged ? "converged" : "iterations");
  report.set("passes", static_cast<double>(nystrom.rows().passes()));
  report.set("features", nystrom.rows().cached() ? "kept in memory" : "computed in every pass");
  report.set("jitter", nystrom.jitter());
  report.set("train_mse", solution.train_mse);
  if (search.stopped || !search.converged)
    report.warnings.push_back(fmt::format(
        "{} reached at a relative residual of {:.1e}; {}", search.stopped ? "time limit" : "iteration limit",
        search.relative_residual,
        search.stopped ? "raise ‹max_time› or use fewer landmarks" : "allow more ‹iterations› or a larger lambda"));
}

}  // namespace

FitResult fit_nystrom(const Problem& problem) {
  const auto& own = problem.options.own<KernelRidgeOptions>();
  FitResult result;
  const Stopwatch factor_clock;
  Nystrom nystrom(problem, cache_bytes(problem));
  result.report.seconds.emplace_back("factor", factor_clock.seconds());

  const Stopwatch choose_clock;
  const bool choose = !problem.options.lambda;
  NystromChoice choice =
      choose ? choose_lambda(problem, nystrom, result.report) : NystromChoice{*problem.options.lambda, {}};
  if (choose) result.report.seconds.emplace_back("lambda", choose_clock.seconds());
  result.report.set("lambda", choice.lambda);

  const Stopwatch solve_clock;
  const Index iterations = own.iterations > 0 ? *own.iterations : kDefaultIterations;
  const bool in_time = !choose || !problem.run.out_of_time();  // else the trial is the best there is
  if (in_time) nystrom.fit_rows([](Index) { return 1.0; });
  const ConjugateGradientOptions search{.tolerance = own.tolerance, .max_iterations = iterations};
  Nystrom::Solution solution =
      in_time ? nystrom.solve(choice.lambda, choice.trial.coefficients, search) : std::move(choice.trial);
  solution.search.stopped |= !in_time;
  describe(nystrom, solution, result.report);
  result.coefficients = std::move(solution.coefficients);
  result.intercepts = std::move(solution.intercepts);
  result.report.seconds.emplace_back("solve", solve_clock.seconds());
  return result;
}

}  // namespace weft::detail
