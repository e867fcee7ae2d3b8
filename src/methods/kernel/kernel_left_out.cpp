#include "methods/kernel/kernel_left_out.hpp"

#include "core/at.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace weft::detail {

namespace {

/// The scores of alternative `k`, as rows.
void store(const KernelSolution& solution, const KernelTargets& targets, Index k, Matrix& all) {
  const Matrix scores = left_out_scores(solution, targets);
  for (Index o = 0; o < scores.cols(); ++o)
    for (Index i = 0; i < scores.rows(); ++i) all(k * scores.cols() + o, i) = scores(i, o);
}

}  // namespace

std::vector<double> mu_grid(const ScaledKernel& kernel, const KernelTargets& targets) {
  if (std::count_if(targets.roots.begin(), targets.roots.end(), [](double root) { return root > 0; }) < 2)
    throw Error(ErrorKind::data, "there are too few rows (of positive weight) to leave one out for choosing lambda",
                "‹lambda›", "give a lambda, or more rows");
  const double trace = kernel.trace() > 0 ? kernel.trace() : 1;  // one that vanishes on these rows: every λ gives 0
  std::vector<double> grid;
  for (int k = 2; k >= -26; --k) grid.push_back(trace * std::pow(10.0, 0.5 * k));
  return grid;
}

Error no_finite_errors(const char* kind) {
  return {ErrorKind::data, fmt::format("no lambda gives finite {} errors", kind), "‹lambda›",
          "give a lambda, and look for extreme values in the inputs"};
}

Matrix left_out_scores(const KernelSolution& solution, const KernelTargets& targets) {
  return scores_of_errors(left_out_errors(solution, targets), targets);
}

Matrix scores_of_errors(Matrix errors, const KernelTargets& targets) {
  for (Index i = 0; i < errors.rows(); ++i)
    for (Index o = 0; o < errors.cols(); ++o)  // y − error
      errors(i, o) =
          targets.roots[at(i)] > 0 ? targets.y(i, o) / targets.roots[at(i)] + targets.shift[at(o)] - errors(i, o) : 0;
  return errors;
}

LeftOutPath kernel_left_out(const Problem& problem) {
  const KernelTargets targets = gather_targets(problem.rows, problem.options.intercept);
  const auto kernel = scaled_kernel(problem, targets.roots);
  LeftOutPath result;
  if (const auto& lambda = problem.options.lambda) {
    const KernelSolution solution = solve_kernel(problem, *kernel, targets, *lambda * targets.weight);
    if (solution.diagonal.empty()) return result;
    result = {{*lambda}, Matrix(targets.y.cols(), targets.y.rows()), true};
    store(solution, targets, 0, result.scores);
    return result;
  }
  const std::vector<double> grid = mu_grid(*kernel, targets);
  const auto fit_at = kernel_fits(problem, *kernel, targets);
  result.scores = Matrix(static_cast<Index>(grid.size()) * targets.y.cols(), targets.y.rows());
  for (const double mu : grid) {
    problem.run.check_cancelled();
    if (problem.run.out_of_time()) return result;
    const auto k = static_cast<Index>(result.lambdas.size());
    const std::optional<KernelSolution> solution = fit_at(mu);
    if (!solution) break;  // as at all that are smaller
    store(*solution, targets, k, result.scores);
    result.lambdas.push_back(mu / targets.weight);
  }
  if (result.lambdas.empty()) throw no_finite_errors("leave-one-out");
  result.complete = true;
  return result;
}

}  // namespace weft::detail
