// Regularised least squares (Anonymous 2026, Alg. 4) from sums over rows:
//
//   min_b  Σ w (y − intercept − bᵀS(x))² + W·λ bᵀRb + W·ε‖b‖² + W·ε'‖a‖²,   W = Σ w,
//
// one normal matrix for all outputs. The unpenalised intercept is removed by centring the sums about the weighted
// means. The coefficients are those of the smoothings S (b_t = A(w_t)·a_t), where nothing underflows.
#include "methods/least_squares/least_squares.hpp"

#include "core/stopwatch.hpp"
#include "distributed/merge_tree.hpp"
#include "distributed/one_process.hpp"
#include "linalg/normal_equations.hpp"
#include "linalg/ridge.hpp"
#include "objective/ridge_choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace weft::detail {

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

namespace {

// What single precision cost: the first block fitted from sums in either precision, features in float64 for both
// predictions; the largest difference, of any output.
double single_precision_error(const Problem& problem, const Penalty& penalty, double effective) {
  double error = 0;
  problem.rows.for_each([&](const TrainingBlock& block) {
    const Index features = problem.map.features();
    const int threads = problem.run.thread_count();
    Matrix phi(features, block.rows());
    BasicMatrix<float> single(features, block.rows());
    problem.map.smoothings(block.x, phi.view(), problem.run);
    problem.map.smoothings(block.x, single.view(), problem.run);
    const auto solution = [&](const auto& view) {
      Accumulator sums(features, block.y.rows);
      sums.add(view, block.y, block.weights, threads);
      NormalEquations equations = normal_equations(sums, true);
      penalty.add_ridge(equations);
      return solve_regularised(equations.gram, penalty.matrix, effective * equations.weight,
                               problem.options.own<LeastSquaresOptions>().epsilon * equations.weight, equations.cross,
                               threads)
          .coefficients;
    };
    const Matrix in_double = solution(View<const double>(phi.view()));
    const Matrix in_single = solution(View<const float>(single.view()));
    for (Index o = 0; o < block.y.rows; ++o)
      for (Index i = 0; i < block.rows(); ++i) {
        double difference = 0;
        for (Index t = 0; t < features; ++t) difference += (in_double(t, o) - in_single(t, o)) * phi(t, i);
        error = std::max(error, std::abs(difference));
      }
    return false;
  });
  return error;
}

// The warning for a λ so large that only the intercept is left, with a remedy.
std::string vanished_note(const FeatureMap& map) {
  std::string note =
      "lambda is so large that all features vanish: the model is constant, without class probabilities or standard "
      "deviations";
  if (map.sections() != nullptr || map.parts().front().family.kernel.none())
    return note + "; give a much smaller lambda";
  const FeaturePart& part = map.parts().front();
  return note + fmt::format("; use gamma = {:.4g} or a much smaller lambda",
                            gamma_from_theta(0.5, part.sigma, part.dimension(0)));
}

// Whether the penalty exceeds what the rows say of every feature so far that not even features that cancel each other
// (to rounding, hence the square) can add to a prediction.
bool vanishes(const NormalEquations& equations, const Penalty& penalty, double effective) {
  const double strength = effective * equations.weight;
  if (!std::isfinite(strength)) return true;
  double largest = 0;
  for (Index t = 0; t < equations.gram.rows(); ++t)
    largest = std::max(largest, equations.gram(t, t) / (strength * (penalty.identity() ? 1 : penalty.matrix(t, t))));
  constexpr double kRounding = std::numeric_limits<double>::epsilon();
  return largest < kRounding * kRounding;
}

// Residual variance with the effective number of parameters left out, for predictive standard deviations.
void keep_variance(NormalEquations equations, const Penalty& penalty, const ScaledFactor& factor, FitResult& result,
                   const Accumulator& sums, int threads) {
  result.variance_factor = factor.unscaled_lower();
  // tr((A)⁻¹ gram): the degrees of freedom the fit has used.
  penalty.add_ridge(equations, -1);
  Matrix smoother = std::move(equations.gram);
  factor.solve(smoother, threads);
  double used = 0;
  for (Index t = 0; t < smoother.rows(); ++t) used += smoother(t, t);
  const double rows = static_cast<double>(sums.rows());
  if (!equations.feature_means.empty()) {
    used += 1;
    result.variance_means = equations.feature_means;
    result.intercept_variance = 1 / equations.weight;
  }
  result.report.set("degrees_of_freedom", used);
  for (Index o = 0; o < result.coefficients.cols(); ++o) {
    const double mse = squared_error(sums, result.coefficients, result.intercepts, o);
    result.noise.push_back(std::sqrt(mse * rows / std::max(1.0, rows - used)));
  }
}

void solve(const FitOptions& options, const Penalty& penalty, double effective, bool vanished,
           const NormalEquations& equations, const Accumulator& sums, Worker worker, FitResult& result,
           SolvedEquations* solved) {
  const auto& own = options.own<LeastSquaresOptions>();
  result.coefficients = Matrix(sums.features(), sums.targets());
  if (!vanished) {
    RidgeSolution solution = solve_regularised(equations.gram, penalty.matrix, effective * equations.weight,
                                               own.epsilon * equations.weight, equations.cross, worker);
    result.coefficients = std::move(solution.coefficients);
    report_solution(result.report, solution.report);
    result.intercepts = equations.intercepts(result.coefficients);
    if (own.std) keep_variance(equations, penalty, solution.factor, result, sums, worker.threads);
    if (solved != nullptr) *solved = {std::move(solution.factor), equations.feature_means, equations.weight};
  }
  result.intercepts = equations.intercepts(result.coefficients);
  double mse = 0;
  for (Index o = 0; o < sums.targets(); ++o)
    mse += squared_error(sums, result.coefficients, result.intercepts, o) / static_cast<double>(sums.targets());
  result.report.set("train_mse", mse);
}

}  // namespace

std::optional<double> solve_sums(const FeatureMap& map, const FitOptions& options, const Penalty& penalty,
                                 HeldOutSums sums, const Run& run, FitResult& result, SolvedEquations* solved) {
  const Stopwatch solve_clock;
  double effective = 0;
  if (sums.held_out) {
    const RidgeChoice choice = choose_ridge({options.intercept, options.own<LeastSquaresOptions>().epsilon}, penalty,
                                            sums.fitted, *sums.held_out, run);
    effective = choice.effective;
    result.report.set("held_out_error", choice.error);
    if (effective == choice.grid.back() || effective == choice.grid.front())
      result.report.set("lambda_at",
                        effective == choice.grid.back() ? "lower end of the grid" : "upper end of the grid");
  } else {
    effective = penalty.effective(*options.lambda);
  }
  const std::vector<double> shift = sums.shift;
  const Accumulator all = std::move(sums).all();
  result.report.set("lambda", options.lambda ? *options.lambda : penalty.user_lambda(effective));
  NormalEquations equations = normal_equations(all, options.intercept, run.thread_count());
  const bool vanished = vanishes(equations, penalty, effective);
  penalty.add_ridge(equations);
  if (vanished) result.report.warnings.push_back(vanished_note(map));
  solve(options, penalty, vanished ? 0 : effective, vanished, equations, all,
        Worker::for_equations(run, all.features()), result, solved);
  for (std::size_t o = 0; o < shift.size(); ++o) result.intercepts[o] += shift[o];
  result.report.seconds.emplace_back("solve", solve_clock.seconds());
  return vanished ? std::nullopt : std::optional(effective);
}

Penalty timed_penalty(const FeatureMap& map, const FitOptions& options, const Run& run, FitReport& report) {
  const Stopwatch clock;
  const auto& own = options.own<LeastSquaresOptions>();
  Penalty penalty = make_penalty(map, own.regularizer, run, own.coefficient_ridge);
  report.set("regularizer", name_of(penalty.kind));
  report.seconds.emplace_back("penalty", clock.seconds());
  return penalty;
}

FitResult solve_least_squares(const Problem& sample, HeldOutSums sums) {
  FitResult result;
  const Penalty penalty = timed_penalty(sample.map, sample.options, sample.run, result.report);
  SolvedEquations solved;
  const bool found =
      solve_sums(sample.map, sample.options, penalty, std::move(sums), sample.run, result, &solved).has_value();
  if (!found || sample.rows.rows() == 0) return result;
  result.left_out = {score_all_by_leverage(sample, result, solved), ScoredBy::leaving_one_out};
  if (sample.task != Task::regression) result.calibration = result.left_out.rows.common_sigmoid();
  return result;
}

double sums_matrices(Index rows) {
  const RowShare all = RowShare::of(rows, kBlockRows, one_process());
  return std::max(kSumsMatrices, 2 * static_cast<double>(values_held(all)));
}

FitResult fit_least_squares(const Problem& problem) {
  if (problem.rows.share() != nullptr && problem.rows.share()->matrices) return fit_cyclic(problem);
  const auto& own = problem.options.own<LeastSquaresOptions>();
  FitResult result;
  const Penalty penalty = timed_penalty(problem.map, problem.options, problem.run, result.report);
  HeldOutSums sums = accumulate_held_out(problem, !problem.options.lambda, result.report);
  SolvedEquations solved;
  const std::optional<double> effective =
      solve_sums(problem.map, problem.options, penalty, std::move(sums), problem.run, result, &solved);
  if (effective) {
    const Stopwatch calibrate_clock;
    const bool classes = problem.task != Task::regression;
    // Leaving one row out says little where others of its group, or later ones, stay.
    if ((classes && own.calibrate) || !problem.rows.rule().none())
      result.left_out = {score_folds(problem, penalty, *effective), ScoredBy::cross_fitting};
    else
      result.left_out = {score_by_leverage(problem, result, solved), ScoredBy::leaving_one_out};
    const ScoredRows& scored = result.left_out.rows;
    if (classes) result.calibration = own.calibrate ? scored.sigmoids() : scored.common_sigmoid();
    result.report.seconds.emplace_back(classes ? "calibrate" : "residuals", calibrate_clock.seconds());
  }
  if (own.precision == Precision::float32 && effective)
    result.report.set("single_precision_error", single_precision_error(problem, penalty, *effective));
  return result;
}

}  // namespace weft::detail
