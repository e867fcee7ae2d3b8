// Logistic regression on random features, softmax where there are more than two classes: the problem of
// logistic_objective.hpp, by the method of minimise.hpp. λ not given: fitted along a path from strong to weak, each
// from the one before, on the rows that are not held out; the λ with the least log loss on those that are is refitted
// on all rows.
#include "methods/logistic/logistic.hpp"

#include "core/memory.hpp"
#include "methods/least_squares/least_squares.hpp"
#include "methods/logistic/logistic_objective.hpp"
#include "methods/logistic/logistic_state.hpp"
#include "objective/lambda_path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr Index kDefaultIterations = 100;
constexpr double kBlockMatrices = 3;  // per class: the old Gram and factor while the new one is summed
constexpr std::size_t kPathLength = 8;
constexpr double kPathRatio = 0.1;
constexpr double kPathTolerance = 1e-4;  // enough to compare held-out losses
constexpr int kPatience = 2;             // λs in a row that do not improve

void check_task(const Problem& problem) {
  if (problem.task != Task::binary && problem.task != Task::multiclass)
    throw Error(ErrorKind::option, "logistic needs classes, and the target is numeric", "‹fit›",
                "use ‹fit› least-squares, or ‹task› classification if the numbers are classes");
}

struct Holding {
  bool block_per_class = true;
  double cache = 0;  ///< bytes for Φ
};

/// First the T × T matrices, then a block per class, then Φ.
Holding plan_memory(const Problem& problem) {
  const auto features = static_cast<double>(problem.map.features());
  MemoryPlan plan(problem.run);
  plan.hold("square matrices of the features", kSumsMatrices * features * features);
  plan.check(fmt::format("{:.0f} features", features), "‹features›", "use fewer, or allow more memory");
  MemoryPlan with_blocks = plan;
  with_blocks.hold("a block per class",
                   kBlockMatrices * static_cast<double>(problem.rows.outputs()) * features * features);
  return with_blocks.fits() ? Holding{true, with_blocks.spare()} : Holding{false, plan.spare()};
}

double total(const std::vector<double>& weights) {
  double sum = 0;
  for (const double w : weights) sum += w;
  return sum;
}

/// No features, and the intercepts of the classes' shares: the log-odds, or logits that sum to zero. A class without
/// rows counts as half a row of average weight, so that its intercept is finite.
Matrix without_features(const Problem& problem, const LogisticObjective& objective, std::vector<double> weights) {
  Matrix x(objective.features() + 1, objective.outputs());
  if (!problem.options.intercept) return x;
  const double half_row = 0.5 * total(weights) / static_cast<double>(problem.rows.rows());
  double mean = 0;
  for (double& w : weights) {
    w = std::log(std::max(w, half_row));
    mean += w / static_cast<double>(weights.size());
  }
  for (Index k = 0; k < x.cols(); ++k)
    x(x.rows() - 1, k) = x.cols() == 1 ? weights[1] - weights[0] : weights[static_cast<std::size_t>(k)] - mean;
  return x;
}

/// What every stage of a fit works with.
struct Fit {
  const Problem& problem;
  const Penalty& penalty;
  LogisticObjective& objective;
  LogisticCheckpoint checkpoint;
  LogisticState state;
  Index iterations;
  FitReport report = {};

  /// From the last point to the minimum for a λ; the points on the way are kept.
  Minimum descend(double lambda, double tolerance) {
    objective.set_lambda(lambda);
    Minimum minimum = minimise(objective, state.x, {tolerance, iterations, [this](const Matrix& x) {
                                                      state.x = x;
                                                      checkpoint.save(state);
                                                    }});
    state.x = minimum.x;
    return minimum;
  }
};

void report_path(Fit& fit, double lambda) {
  const std::string step = "path " + std::to_string(fit.state.losses.size());
  fit.report.numbers.emplace_back(step + " lambda", fit.penalty.user_lambda(lambda));
  fit.report.numbers.emplace_back(step + " held-out log loss", fit.state.losses.back());
}

/// Fits the λs of the path that are not done and returns the best one (effective), its point in state.x. Where the time
/// runs out: the best so far, and `stopped` says so.
double choose_lambda(Fit& fit, Minimum& stopped) {
  const std::vector<double> done = std::move(fit.state.losses);
  fit.state.losses.clear();
  const auto resumed = [&] { return fit.state.losses.size() <= done.size(); };  // what the last λ was
  const std::vector<double> lambdas = geometric_path(fit.state.first_lambda, kPathRatio, kPathLength);
  const auto held_out_loss = [&](double lambda) -> std::optional<double> {
    const std::size_t k = fit.state.losses.size();
    if (k >= done.size()) {
      stopped = fit.descend(lambda, kPathTolerance);
      if (stopped.stop == Stop::time_budget) return std::nullopt;
    }
    fit.state.losses.push_back(k < done.size() ? done[k] : stopped.at.held_out);
    report_path(fit, lambda);
    return fit.state.losses.back();
  };
  const LambdaPath path = follow_path(lambdas, {.patience = kPatience}, held_out_loss, [&](double) {
    if (!resumed()) fit.state.best = fit.state.x;
  });
  return lambdas[path.least().value_or(0)];
}

void describe(const Minimum& minimum, FitReport& report) {
  if (std::isfinite(minimum.at.value)) report.numbers.emplace_back("objective", minimum.at.value);
  if (std::isfinite(minimum.gradient_norm)) report.numbers.emplace_back("gradient_norm", minimum.gradient_norm);
  if (std::isfinite(minimum.excess)) report.numbers.emplace_back("relative_excess", minimum.excess);
  report.numbers.emplace_back("iterations", static_cast<double>(minimum.iterations));
  report.words.emplace_back("stopped", stop_name(minimum.stop));
}

void warn(const Minimum& minimum, FitReport& report) {
  if (minimum.stop == Stop::iteration_limit)
    report.warnings.emplace_back("iteration limit reached before logistic converged; raise ‹iterations›");
  if (minimum.stop == Stop::time_budget)
    report.warnings.emplace_back("time limit reached before logistic converged; raise ‹max_time›");
  if (minimum.stop == Stop::rounding)
    report.warnings.emplace_back("logistic cannot reach the tolerance in double precision; raise ‹tolerance›");
}

struct LogisticChoice {
  double lambda = 0;  ///< effective
  Minimum minimum;
};

LogisticChoice fit_path(Fit& fit) {
  LogisticChoice choice;
  if (fit.state.first_lambda == 0) {
    choice.minimum.x = fit.state.x;
    if (!fit.objective.measure(fit.state.x)) return choice;
    fit.state.first_lambda = fit.objective.largest_ratio();
  }
  const bool finishing = fit.state.finishing;
  choice.lambda = choose_lambda(fit, choice.minimum);
  if (!finishing && !fit.state.losses.empty()) fit.state.x = fit.state.best;
  choice.minimum.x = fit.state.x;
  if (!finishing && choice.minimum.stop == Stop::time_budget) return choice;
  fit.state.finishing = true;
  fit.objective.train_on_all_rows();
  choice.minimum = fit.descend(choice.lambda, fit.problem.options.own<LogisticOptions>().tolerance);
  return choice;
}

LogisticChoice fit_given(Fit& fit, double lambda) {
  if (std::isfinite(lambda)) return {lambda, fit.descend(lambda, fit.problem.options.own<LogisticOptions>().tolerance)};
  LogisticChoice choice{lambda, {}};
  choice.minimum.x = fit.state.x;
  choice.minimum.stop = Stop::converged;  // the penalty makes every coefficient 0, and the intercepts are exact
  return choice;
}

void check_weights(const Problem& problem, const ClassWeights& weights) {
  const bool held_out = problem.options.lambda || total(weights.held_out) > 0;
  if (total(weights.training) > 0 && held_out) return;
  if (!(total(weights.training) + total(weights.held_out) > 0))
    throw Error(ErrorKind::data, "the weights of the rows sum to zero", {}, "give at least one row a positive weight");
  throw Error(ErrorKind::option, "there are too few rows to choose lambda on held-out rows", "‹lambda›",
              "give ‹lambda›, or another ‹lambda_holdout›");
}

FitResult make_result(const Matrix& x, FitReport report) {
  FitResult result;
  const Index features = x.rows() - 1;
  result.coefficients = Matrix(features, x.cols());
  std::copy_n(x.data(), features * x.cols(), result.coefficients.data());
  result.intercepts.assign(x.row(features), x.row(features) + x.cols());
  result.probabilistic = true;
  result.report = std::move(report);
  return result;
}

}  // namespace

FitResult fit_logistic(const Problem& problem) {
  check_task(problem);
  const Holding memory = plan_memory(problem);
  FeatureRows rows(problem, memory.cache);
  const FitOptions& options = problem.options;
  const auto& own = options.own<LogisticOptions>();
  const Penalty penalty = make_penalty(problem.map, own.regularizer, problem.run);
  LogisticObjective objective(problem, rows, penalty, options.lambda ? 0 : *options.lambda_holdout,
                              memory.block_per_class);
  const ClassWeights weights = objective.class_weights();
  check_weights(problem, weights);
  const Matrix start = without_features(problem, objective, weights.training);
  const Index iterations = own.iterations > 0 ? *own.iterations : kDefaultIterations;
  Fit fit{problem, penalty, objective, LogisticCheckpoint(problem), {start, start, 0, {}}, iterations};
  fit.checkpoint.load(fit.state);
  const LogisticChoice choice = options.lambda ? fit_given(fit, penalty.effective(*options.lambda)) : fit_path(fit);

  FitReport& report = fit.report;
  report.words.emplace_back("regularizer", name_of(penalty.kind));
  report.numbers.emplace_back("lambda", options.lambda ? *options.lambda : penalty.user_lambda(choice.lambda));
  describe(choice.minimum, report);
  report.numbers.emplace_back("passes", static_cast<double>(rows.passes()));
  report.numbers.emplace_back("grams", static_cast<double>(objective.grams()));
  report.words.emplace_back("features", rows.cached() ? "kept in memory" : "computed in every pass");
  warn(choice.minimum, report);
  return make_result(choice.minimum.x, std::move(report));
}

}  // namespace weft::detail
