// The lasso on random features (Anonymous 2026, Alg. 5; Dubé & Marchand 2023, Alg. 4) from sums over rows alone:
//
//   min_a  (1/(c·W)) Σ w (y − intercept − aᵀΦ(x))² + λ‖a‖₁,   c = 1 or 2,   W = Σ w,
//
// in the coefficients a of the features themselves, as in the papers. Plain features have f = (1/T)Σ a φ and the
// penalty (λ/T)‖a‖₁ (Anonymous 2026, Alg. 2, eq. 26), which is λ‖b‖₁ in b = a/T. Columns are divided by the largest
// amplitude, so that the weakest underflow to 0 and drop out instead of becoming NaN.
#include "linalg/lasso.hpp"
#include "core/stopwatch.hpp"
#include "linalg/normal_equations.hpp"
#include "methods/fold_rows.hpp"
#include "methods/lasso/lasso.hpp"
#include "objective/lambda_path.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace weft::detail {

namespace {

/// a_t = b_t / (column_t · factor): column_t in (0, 1], factor the largest amplitude; b itself without weight kernels.
struct ColumnScale {
  std::vector<double> column;
  double log_factor = 0;

  explicit ColumnScale(const FeatureMap& map) {
    const std::vector<double> logs = map.log_amplitudes();
    const bool plain = std::all_of(map.parts().begin(), map.parts().end(),
                                   [](const FeaturePart& part) { return part.family.kernel.none(); });
    const double largest = *std::max_element(logs.begin(), logs.end());
    for (const double log : logs) column.push_back(std::exp(log - largest));
    log_factor = plain ? 0 : largest;
  }
  double effective(double lambda) const { return std::exp(std::log(lambda) - log_factor); }
  double user_lambda(double effective) const { return std::exp(std::log(effective) + log_factor); }
};

/// Equations in the scaled columns, one lasso problem per output.
struct LassoEquations {
  NormalEquations equations;
  Matrix cross;  // outputs × T
  int divisor;

  LassoEquations(const Accumulator& sums, const ColumnScale& scale, const FitOptions& options)
      : equations(normal_equations(sums, options.intercept)),
        cross(equations.cross.cols(), equations.cross.rows()),
        divisor(options.own<LassoOptions>().lasso_scale == LassoScale::half_mean ? 2 : 1) {
    const std::vector<double>& column = scale.column;
    for (Index s = 0; s < equations.gram.rows(); ++s) {
      const double row = column[static_cast<std::size_t>(s)];
      for (Index t = 0; t < equations.gram.cols(); ++t)
        equations.gram(s, t) *= row * column[static_cast<std::size_t>(t)];
      for (Index o = 0; o < cross.rows(); ++o) cross(o, s) = row * equations.cross(s, o);
    }
  }

  LassoProblem problem(Index output) const {
    return {equations.gram,
            {cross.row(output), static_cast<std::size_t>(cross.cols())},
            equations.yy[static_cast<std::size_t>(output)],
            equations.weight,
            divisor};
  }
};

std::vector<double> path_below(double lambda_max) {
  std::vector<double> lambdas;
  for (int k = 0; k <= 40; ++k) lambdas.push_back(lambda_max * std::pow(10.0, -0.125 * k));
  return lambdas;
}

void store(const LassoResult& solution, const ColumnScale& scale, Index output, Matrix& coefficients) {
  for (std::size_t t = 0; t < scale.column.size(); ++t)
    coefficients(static_cast<Index>(t), output) = solution.coefficients[t] * scale.column[t];
}

/// The λ of the path with the smallest held-out error.
double choose_by_holdout(const LassoEquations& fitted, const Accumulator& held_out, const ColumnScale& scale,
                         Index output, const LassoSolverOptions& lasso_options, const Run& run) {
  const LassoProblem problem = fitted.problem(output);
  Matrix coefficients(static_cast<Index>(scale.column.size()), held_out.targets());
  std::vector<double> start;
  // A curve that has risen by a tenth is assumed not to fall again.
  const std::vector<double> lambdas = path_below(lasso_lambda_max(problem));
  const LambdaPath path = follow_path(lambdas, {.rise = 1.1}, [&](double lambda) -> std::optional<double> {
    if (!start.empty() && run.out_of_time()) return std::nullopt;
    const LassoResult solution = lasso(problem, lambda, start, lasso_options, run);
    start = solution.coefficients;
    store(solution, scale, output, coefficients);
    return squared_error(held_out, coefficients, fitted.equations.intercepts(coefficients), output);
  });
  return lambdas[path.least().value_or(0)];
}

/// The smallest λ found that leaves at most `most` features: down the path until there are too many, then bisection (in
/// the logarithm) between the last λ that was within and the first that was not.
LassoResult largest_model_within(const LassoProblem& problem, Index most, const LassoSolverOptions& lasso_options,
                                 const Run& run, double* lambda) {
  double within = lasso_lambda_max(problem);
  LassoResult best = lasso(problem, within, {}, lasso_options, run);
  double beyond = within;
  for (int k = 0; k < 120 && beyond == within && !run.out_of_time(); ++k) {  // fifteen decades
    const double next = within * std::pow(10.0, -0.125);
    LassoResult solution = lasso(problem, next, best.coefficients, lasso_options, run);
    beyond = next;
    if (solution.nonzeros > most) break;
    best = std::move(solution);
    within = next;
  }
  for (int k = 0; k < 40 && beyond < within && best.nonzeros < most && !run.out_of_time(); ++k) {
    const double middle = std::sqrt(within * beyond);
    LassoResult solution = lasso(problem, middle, best.coefficients, lasso_options, run);
    if (solution.nonzeros > most) {
      beyond = middle;
    } else {
      within = middle;
      best = std::move(solution);
    }
  }
  *lambda = within;
  return best;
}

void report_output(const LassoResult& solution, double lambda, Index output, Index outputs, FitReport& report) {
  const std::string suffix = outputs == 1 ? "" : fmt::format("_{}", output);
  report.set("lambda" + suffix, lambda);
  report.set("nonzeros" + suffix, static_cast<double>(solution.nonzeros));
  report.set("duality_gap" + suffix, solution.gap);
  report.set("objective" + suffix, solution.objective);
  report.set("kkt_violation" + suffix, solution.kkt_violation);
  report.set("stopped" + suffix, std::string(to_string(solution.stop)));
  if (solution.stop != LassoStop::converged)
    report.warnings.push_back(
        fmt::format("the lasso stopped ({}) at a duality gap of {:.2g}", to_string(solution.stop), solution.gap));
}

/// The mean over the outputs.
double mean_squared_error(const Accumulator& sums, const FitResult& fit) {
  const Index outputs = fit.coefficients.cols();
  double mse = 0;
  for (Index o = 0; o < outputs; ++o)
    mse += squared_error(sums, fit.coefficients, fit.intercepts, o) / static_cast<double>(outputs);
  return mse;
}

/// `report` has what came before.
FitResult solve_reported(const Problem& problem, HeldOutSums sums, FitReport report) {
  const FitOptions& options = problem.options;
  const auto& own = options.own<LassoOptions>();
  FitResult result;
  result.report = std::move(report);
  const bool choose = sums.held_out.has_value();
  const Stopwatch solve_clock;
  const ColumnScale scale(problem.map);
  const LassoSolverOptions lasso_options{.tolerance = own.tolerance};
  const Index outputs = sums.fitted.targets();
  std::vector<double> chosen;
  if (choose) {
    const LassoEquations fitted(sums.fitted, scale, options);
    for (Index o = 0; o < outputs; ++o)
      chosen.push_back(choose_by_holdout(fitted, *sums.held_out, scale, o, lasso_options, problem.run));
  }
  const std::vector<double> shift = sums.shift;
  const Accumulator all = std::move(sums).all();
  const LassoEquations equations(all, scale, options);
  result.coefficients = Matrix(problem.map.features(), outputs);
  for (Index o = 0; o < outputs; ++o) {
    const LassoProblem lasso_problem = equations.problem(o);
    double effective = choose           ? chosen[static_cast<std::size_t>(o)]
                       : options.lambda ? scale.effective(*options.lambda)
                                        : 0;
    const LassoResult solution =
        own.nonzeros > 0 ? largest_model_within(lasso_problem, own.nonzeros, lasso_options, problem.run, &effective)
                         : lasso(lasso_problem, effective, {}, lasso_options, problem.run);
    store(solution, scale, o, result.coefficients);
    report_output(solution, scale.user_lambda(effective), o, outputs, result.report);
    problem.run.report("lasso", static_cast<double>(o + 1), static_cast<double>(outputs));
  }
  result.intercepts = equations.equations.intercepts(result.coefficients);
  result.report.set("train_mse", mean_squared_error(all, result));
  for (std::size_t o = 0; o < shift.size(); ++o) result.intercepts[o] += shift[o];
  result.report.seconds.emplace_back("solve", solve_clock.seconds());
  return result;
}

}  // namespace

bool lasso_holds_out(const FitOptions& options) {
  return !options.lambda && options.own<LassoOptions>().nonzeros == 0;
}

FitResult fit_lasso(const Problem& problem) {
  FitReport report;
  HeldOutSums sums = accumulate_held_out(problem, lasso_holds_out(problem.options), report);
  return solve_reported(problem, std::move(sums), std::move(report));
}

FitResult solve_lasso(const Problem& problem, HeldOutSums sums) {
  return solve_reported(problem, std::move(sums), {});
}

}  // namespace weft::detail
