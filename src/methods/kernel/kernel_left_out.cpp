#include "methods/kernel/kernel_left_out.hpp"

#include "core/at.hpp"
#include "core/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

namespace {

/// The scores of alternative `k`, as rows.
void store(const KernelSolution& solution, const KernelTargets& targets, Index k, Matrix& all) {
  const Matrix scores = left_out_scores(solution, targets);
  for (Index o = 0; o < scores.cols(); ++o)
    for (Index i = 0; i < scores.rows(); ++i) all(k * scores.cols() + o, i) = scores(i, o);
}

}  // namespace

Matrix scaled_kernel(const Problem& problem, const KernelTargets& targets) {
  Matrix kernel = problem.map.gram(problem.run);
  parallel_for(kernel.rows(), problem.run.thread_count(), [&](Index i) {
    for (Index j = 0; j < kernel.cols(); ++j) kernel(i, j) *= targets.roots[at(i)] * targets.roots[at(j)];
  });
  return kernel;
}

std::vector<double> mu_grid(const Matrix& kernel, const KernelTargets& targets) {
  if (std::count_if(targets.roots.begin(), targets.roots.end(), [](double root) { return root > 0; }) < 2)
    throw Error(ErrorKind::data, "there are too few rows (of positive weight) to leave one out for choosing lambda",
                "‹lambda›", "give a lambda, or more rows");
  double trace = 0;
  for (Index i = 0; i < kernel.rows(); ++i) trace += kernel(i, i);
  if (!(trace > 0)) trace = 1;  // a kernel that vanishes on these rows: every λ gives 0
  std::vector<double> grid;
  for (int k = 2; k >= -26; --k) grid.push_back(trace * std::pow(10.0, 0.5 * k));
  return grid;
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
  Matrix kernel = scaled_kernel(problem, targets);
  LeftOutPath result;
  if (const auto& lambda = problem.options.lambda) {
    FitReport report;
    const KernelSolution solution = solve_kernel(problem, kernel, targets, *lambda * targets.weight, report);
    if (solution.diagonal.empty()) return result;
    result = {{*lambda}, Matrix(targets.y.cols(), targets.y.rows()), true};
    store(solution, targets, 0, result.scores);
    return result;
  }
  const std::vector<double> grid = mu_grid(kernel, targets);
  const KernelPath path(std::move(kernel), targets, problem.options.intercept);
  result.scores = Matrix(static_cast<Index>(grid.size()) * targets.y.cols(), targets.y.rows());
  for (const double mu : grid) {
    problem.run.check_cancelled();
    if (problem.run.out_of_time()) return result;
    const auto k = static_cast<Index>(result.lambdas.size());
    store(path.solve(mu, problem.run.thread_count()), targets, k, result.scores);
    result.lambdas.push_back(mu / targets.weight);
  }
  result.complete = true;
  return result;
}

}  // namespace weft::detail
