// Regularised least squares ([000] Alg. 4) from sums over rows:
//
//   min_b  Σ w (y − intercept − bᵀS(x))² + W·λ bᵀRb + W·ε‖b‖²,   W = Σ w,
//
// one normal matrix for all outputs. The unpunished intercept is removed by centring the sums about the weighted means.
// The coefficients are those of the smoothings S (b_t = A(w_t)·a_t), where nothing underflows.
#include "core/stopwatch.hpp"
#include "fit/calibration.hpp"
#include "fit/fold_rows.hpp"
#include "fit/normal_equations.hpp"
#include "fit/penalty.hpp"
#include "fit/problem.hpp"
#include "linalg/ridge_path.hpp"

#include "core/random.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace weft {

namespace {

// Relative to the λ at which the penalty of the least punished feature equals its share of the data: from there up one
// decade and down fifteen, two points each. (Traces would not do: the weakest amplitudes have by far the largest
// penalties.)
std::vector<double> lambda_grid(const NormalEquations& equations, const Penalty& penalty) {
  double balance = 0;
  for (Index t = 0; t < equations.gram.rows(); ++t)
    balance =
        std::max(balance, equations.gram(t, t) / equations.weight / (penalty.identity() ? 1 : penalty.matrix(t, t)));
  std::vector<double> grid;
  for (int k = 2; k >= -30; --k) grid.push_back(balance * std::pow(10.0, 0.5 * k));
  return grid;
}

struct LambdaChoice {
  double effective = 0;
  std::vector<double> grid;    // effective
  std::vector<double> errors;  // held-out relative squared error
};

// Every λ is solved on the fitted part and scored on the held-out part, both known only by their sums.
LambdaChoice choose_lambda(const Problem& problem, const Penalty& penalty, const Accumulator& fitted,
                           const Accumulator& held_out) {
  const NormalEquations equations = normal_equations(fitted, problem.options.intercept);
  LambdaChoice choice;
  choice.grid = lambda_grid(equations, penalty);
  std::vector<double> scaled;
  for (const double lambda : choice.grid) scaled.push_back(lambda * equations.weight);
  const RidgePath path = ridge_path(equations.gram, penalty.matrix, scaled, problem.options.epsilon * equations.weight,
                                    equations.cross, problem.run.thread_count());
  for (const Matrix& coefficients : path.coefficients) {
    const std::vector<double> intercepts = equations.intercepts(coefficients);
    double error = 0;
    for (Index o = 0; o < coefficients.cols(); ++o)
      error += squared_error(held_out, coefficients, intercepts, o) / std::max(total_variance(held_out, o), 1e-300);
    choice.errors.push_back(error / static_cast<double>(coefficients.cols()));
  }
  // The curve is flat towards small λ, where norms grow and the equations lose digits for nothing: the largest λ that
  // is as good to a five-hundredth wins.
  const double good_enough = 1.002 * *std::min_element(choice.errors.begin(), choice.errors.end());
  const auto chosen =
      std::find_if(choice.errors.begin(), choice.errors.end(), [&](double error) { return error <= good_enough; });
  choice.effective = choice.grid[static_cast<std::size_t>(chosen - choice.errors.begin())];
  return choice;
}

void report_solution(FitReport& report, const RidgeReport& ridge) {
  report.set("reciprocal_condition", ridge.reciprocal_condition);
  report.set("jitter", ridge.jitter);
  report.set("refinement_steps", ridge.refinement_steps);
  report.set("relative_residual", ridge.relative_residual);
  if (ridge.jitter > 1e-10)
    report.warnings.push_back(fmt::format(
        "the normal equations are singular to working precision (a jitter of {:.0e} was needed); coefficients of "
        "features that repeat each other are not unique, predictions are",
        ridge.jitter));
}

// What single precision cost: predictions of one block with features in float32 and in float64.
double single_precision_error(const Problem& problem, const FitResult& result) {
  double error = 0;
  problem.rows.for_each([&](const TrainingBlock& block) {
    Matrix phi(problem.map.features(), block.rows());
    BasicMatrix<float> single(problem.map.features(), block.rows());
    problem.map.smoothings(block.x, phi.view(), problem.run);
    problem.map.smoothings(block.x, single.view(), problem.run);
    for (Index i = 0; i < block.rows(); ++i) {
      double difference = 0;
      for (Index t = 0; t < phi.rows(); ++t)
        difference += result.coefficients(t, 0) * (phi(t, i) - static_cast<double>(single(t, i)));
      error = std::max(error, std::abs(difference));
    }
    return false;
  });
  return error;
}

// λ so large that nothing is left: the fit is its intercept, and the user is told which γ would not do that.
void report_vanished(const Problem& problem, FitReport& report) {
  const FeaturePart& part = problem.map.parts().front();
  report.warnings.push_back(fmt::format(
      "lambda drowns every feature: the model is constant; gamma = {:.4g} or a far smaller lambda would not",
      gamma_from_theta(0.5, part.sigma, part.dimension(0))));
}

// Residual variance with the effective number of parameters left out, for predictive standard deviations.
void keep_variance(const NormalEquations& equations, const ScaledFactor& factor, FitResult& result,
                   const Accumulator& sums, int threads) {
  result.variance_factor = factor.unscaled_lower();
  // tr((A)⁻¹ gram): the degrees of freedom the fit has used.
  Matrix smoother = equations.gram;
  factor.solve(smoother, threads);
  double used = 0;
  for (Index t = 0; t < smoother.rows(); ++t) used += smoother(t, t);
  const double rows = static_cast<double>(sums.rows());
  result.report.set("degrees_of_freedom", used);
  for (Index o = 0; o < result.coefficients.cols(); ++o) {
    const double mse = squared_error(sums, result.coefficients, result.intercepts, o);
    result.noise.push_back(std::sqrt(mse * rows / std::max(1.0, rows - used - 1)));
  }
}

void solve(const Problem& problem, const Penalty& penalty, double effective, const Accumulator& sums,
           FitResult& result) {
  const NormalEquations equations = normal_equations(sums, problem.options.intercept);
  const int threads = problem.run.thread_count();
  result.coefficients = Matrix(problem.map.features(), sums.targets());
  if (std::isinf(effective)) {
    report_vanished(problem, result.report);
  } else {
    RidgeSolution solution = solve_regularised(equations.gram, penalty.matrix, effective * equations.weight,
                                               problem.options.epsilon * equations.weight, equations.cross, threads);
    result.coefficients = std::move(solution.coefficients);
    report_solution(result.report, solution.report);
    result.intercepts = equations.intercepts(result.coefficients);
    if (problem.options.std) keep_variance(equations, solution.factor, result, sums, threads);
  }
  result.intercepts = equations.intercepts(result.coefficients);
  double mse = 0;
  for (Index o = 0; o < sums.targets(); ++o)
    mse += squared_error(sums, result.coefficients, result.intercepts, o) / static_cast<double>(sums.targets());
  result.report.set("train_mse", mse);
}

}  // namespace

FitResult fit_least_squares(const Problem& problem) {
  FitResult result;
  const Stopwatch penalty_clock;
  const Penalty penalty = make_penalty(problem.map, problem.options.regularizer, problem.run);
  result.report.set("regularizer", penalty.kind);
  result.report.seconds.emplace_back("penalty", penalty_clock.seconds());

  const Stopwatch accumulate_clock;
  const bool choose = !problem.options.lambda;
  const Random held_out(problem.family.seed, Stream::split);
  const PartOf part_of = [&](Index row) {
    return choose && held_out.uniform(static_cast<std::uint64_t>(row)) < problem.options.lambda_holdout ? 1 : 0;
  };
  Index stopped_at = 0;
  std::vector<Accumulator> sums = accumulate_parts(problem, choose ? 2 : 1, part_of, &stopped_at);
  if (stopped_at > 0) {
    result.report.set("stopped", "time budget");
    result.report.warnings.push_back(fmt::format(
        "the time budget ended after {} of {} rows; the model is fitted on those", stopped_at, problem.rows.rows()));
  }
  result.report.seconds.emplace_back("accumulate", accumulate_clock.seconds());

  const Stopwatch solve_clock;
  double effective = choose ? 0 : penalty.effective(*problem.options.lambda);
  if (choose) {
    if (sums[0].rows() == 0 || sums[1].rows() == 0)
      throw Error(ErrorKind::data, "there are too few rows to hold some out for choosing lambda", "--lambda",
                  "give a lambda, or more rows");
    const LambdaChoice choice = choose_lambda(problem, penalty, sums[0], sums[1]);
    effective = choice.effective;
    result.report.set("held_out_error", *std::min_element(choice.errors.begin(), choice.errors.end()));
    if (effective == choice.grid.back() || effective == choice.grid.front())
      result.report.set("lambda_at",
                        effective == choice.grid.back() ? "lower end of the grid" : "upper end of the grid");
    sums[0].merge(sums[1]);
    sums.pop_back();
  }
  result.report.set("lambda", choose ? penalty.user_lambda(effective) : *problem.options.lambda);
  solve(problem, penalty, effective, sums[0], result);
  result.report.seconds.emplace_back("solve", solve_clock.seconds());
  if (problem.options.calibrate && !std::isinf(effective)) {
    const Stopwatch calibrate_clock;
    result.calibration = calibrate(problem, penalty, effective);
    result.report.seconds.emplace_back("calibrate", calibrate_clock.seconds());
  }
  if (problem.options.precision == "single")
    result.report.set("single_precision_error", single_precision_error(problem, result));
  return result;
}

}  // namespace weft
