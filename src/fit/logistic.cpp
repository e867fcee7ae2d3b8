// Logistic regression on random features, softmax where there are more than two classes: the problem of
// logistic_objective.hpp, by the method of minimise.hpp. λ not given: fitted along a path from strong to weak, each
// from the one before, on the rows that are not held out; the λ with the least log loss on those that are is refitted
// on all rows.
#include "fit/logistic_objective.hpp"

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

constexpr Index kDefaultIterations = 100;
constexpr double kDefaultCache = 1024.0 * 1024 * 1024;
constexpr double kDefaultBlocks = 4.0 * kDefaultCache;
constexpr double kMatrices = 5;       // T × T: penalty, accumulator, Gram, factor, and one copy on the way
constexpr double kBlockMatrices = 2;  // per class: accumulator and, later, Gram and factor
constexpr int kPathLength = 8;
constexpr double kPathRatio = 0.1;
constexpr double kPathTolerance = 1e-4;  // enough to compare held-out losses
constexpr int kPatience = 2;             // λs in a row that do not improve

void check_task(const Problem& problem) {
  if (problem.task != Task::binary && problem.task != Task::multiclass)
    throw Error(ErrorKind::option, "logistic needs classes, and the target is numeric", "--fit",
                "take --fit least-squares, or --task classification if the numbers are classes");
}

struct MemoryPlan {
  bool block_per_class = true;
  double cache = 0;  ///< bytes for Φ
};

/// First the T × T matrices, then a block per class, then Φ.
MemoryPlan plan_memory(const Problem& problem) {
  const auto features = static_cast<double>(problem.map.features());
  const double matrix = features * features * sizeof(double);
  const double needed = kMatrices * matrix;
  const double limit = problem.run.max_memory;
  if (limit > 0 && needed > limit)
    throw Error(
        ErrorKind::memory, "logistic with these features needs more memory than is allowed", "--max-memory",
        "allow " + std::to_string(static_cast<long>(std::ceil(needed / 1048576))) + "M or take fewer --features");
  const double blocks = kBlockMatrices * static_cast<double>(problem.rows.outputs()) * matrix;
  const bool fit = needed + blocks <= (limit > 0 ? limit : kDefaultBlocks);
  return {fit, limit > 0 ? limit - needed - (fit ? blocks : 0) : kDefaultCache};
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

struct Choice {
  double lambda = 0;  ///< effective
  Minimum minimum;
};

/// Takes the λ of the least held-out loss; minimum.stop says whether the time sufficed.
Choice choose_lambda(LogisticObjective& objective, const Penalty& penalty, const Matrix& start, Index iterations,
                     FitReport& report) {
  Choice best;
  best.minimum.x = start;
  if (!objective.measure(start)) return best;
  double lambda = objective.largest_ratio();
  Minimum last;
  last.x = start;
  int worse = 0;
  for (int i = 1; i <= kPathLength && worse < kPatience; ++i, lambda *= kPathRatio) {
    objective.set_lambda(lambda);
    last = minimise(objective, last.x, {kPathTolerance, iterations});
    if (last.stop == Stop::time_budget) break;
    report.numbers.emplace_back("path " + std::to_string(i) + " lambda", penalty.user_lambda(lambda));
    report.numbers.emplace_back("path " + std::to_string(i) + " held-out log loss", last.at.held_out);
    worse = i == 1 || last.at.held_out < best.minimum.at.held_out ? 0 : worse + 1;
    if (worse == 0) best = {lambda, last};
  }
  if (best.lambda == 0) best = {lambda, last};
  best.minimum.stop = last.stop;
  return best;
}

void describe(const Minimum& minimum, FitReport& report) {
  if (std::isfinite(minimum.at.value)) report.numbers.emplace_back("objective", minimum.at.value);
  if (std::isfinite(minimum.gradient_norm)) report.numbers.emplace_back("gradient_norm", minimum.gradient_norm);
  if (std::isfinite(minimum.excess)) report.numbers.emplace_back("relative_excess", minimum.excess);
  report.numbers.emplace_back("iterations", static_cast<double>(minimum.iterations));
  report.words.emplace_back("stopped", stop_name(minimum.stop));
}

void warn(const Minimum& minimum, const FitOptions& options, FitReport& report) {
  if (minimum.stop == Stop::iteration_limit)
    report.warnings.push_back("logistic stopped at its iteration limit before it converged; raise --iterations");
  if (minimum.stop == Stop::time_budget)
    report.warnings.push_back("logistic ran out of time before it converged; raise --max-time");
  if (minimum.stop == Stop::rounding)
    report.warnings.push_back("logistic cannot be solved to the tolerance in double precision; raise --tolerance");
  if (options.precision == "single")
    report.warnings.push_back("logistic computes in double precision; --precision single was not used");
}

Choice fit_path(const Problem& problem, LogisticObjective& objective, const Penalty& penalty, Index iterations,
                FitReport& report) {
  const ClassWeights weights = objective.class_weights();
  if (!(total(weights.training) > 0) || !(total(weights.held_out) > 0))
    throw Error(ErrorKind::option, "there are too few rows to choose lambda on held-out ones", "--lambda",
                "give --lambda, or another --lambda-holdout");
  Choice choice =
      choose_lambda(objective, penalty, without_features(problem, objective, weights.training), iterations, report);
  if (choice.minimum.stop == Stop::time_budget) return choice;
  objective.set_lambda(choice.lambda);
  objective.train_on_all_rows();
  choice.minimum = minimise(objective, choice.minimum.x, {problem.options.tolerance, iterations});
  return choice;
}

Choice fit_given(const Problem& problem, LogisticObjective& objective, double lambda, Index iterations) {
  const ClassWeights weights = objective.class_weights();
  if (!(total(weights.training) > 0))
    throw Error(ErrorKind::data, "the weights of the rows sum to zero", {}, "give rows with weight");
  Choice choice{lambda, {}};
  choice.minimum.x = without_features(problem, objective, weights.training);
  if (std::isfinite(lambda)) {
    objective.set_lambda(lambda);
    choice.minimum = minimise(objective, choice.minimum.x, {problem.options.tolerance, iterations});
  } else {
    choice.minimum.stop = Stop::converged;  // the penalty drowns every feature, and the intercepts are exact
  }
  return choice;
}

}  // namespace

FitResult fit_logistic(const Problem& problem) {
  check_task(problem);
  const MemoryPlan memory = plan_memory(problem);
  FeatureRows rows(problem, memory.cache);
  const FitOptions& options = problem.options;
  const Penalty penalty = make_penalty(problem.map, options.regularizer, problem.run);
  const Index iterations = options.iterations > 0 ? options.iterations : kDefaultIterations;
  LogisticObjective objective(problem, rows, penalty, options.lambda ? 0 : options.lambda_holdout,
                              memory.block_per_class);
  FitResult result;
  const Choice choice = options.lambda ? fit_given(problem, objective, penalty.effective(*options.lambda), iterations)
                                       : fit_path(problem, objective, penalty, iterations, result.report);
  const Matrix& x = choice.minimum.x;
  result.coefficients = Matrix(x.rows() - 1, x.cols());
  std::copy_n(x.data(), (x.rows() - 1) * x.cols(), result.coefficients.data());
  result.intercepts.assign(x.row(x.rows() - 1), x.row(x.rows() - 1) + x.cols());
  result.probabilistic = true;
  FitReport& report = result.report;
  report.words.emplace_back("regularizer", penalty.kind);
  report.numbers.emplace_back("lambda", options.lambda ? *options.lambda : penalty.user_lambda(choice.lambda));
  describe(choice.minimum, report);
  report.numbers.emplace_back("passes", static_cast<double>(rows.passes()));
  report.numbers.emplace_back("grams", static_cast<double>(objective.grams()));
  report.words.emplace_back("features", rows.cached() ? "kept in memory" : "computed in every pass");
  warn(choice.minimum, options, report);
  return result;
}

}  // namespace weft
