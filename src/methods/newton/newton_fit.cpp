#include "methods/newton/newton_fit.hpp"

#include "core/memory.hpp"
#include "data/rows/piece_sums.hpp"
#include "methods/least_squares/least_squares.hpp"
#include "objective/lambda_path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr Index kDefaultIterations = 100;
constexpr double kBlockMatrices = 3;  // per output: the old Gram and factor while the new one is summed
constexpr std::size_t kPathLength = 8;
constexpr double kPathRatio = 0.1;
constexpr double kPathTolerance = 1e-4;  // enough to compare held-out losses
constexpr int kPatience = 2;             // λs in a row that do not improve
// Smoothing begins at this share of the mean loss, which is a fraction of the spread of the residuals, and shrinks.
constexpr double kFirstWidth = 0.5;
constexpr double kNarrower = 0.25;
constexpr int kMostWidths = 16;
constexpr double kPathSmoothing = 1e-2;  // likewise while λ is chosen: held-out losses are exact
constexpr double kInnerTolerance = 0.1;  // of the tolerance: what is left is for the smoothing
constexpr double kFirstInner = 1e-3;

}  // namespace

NewtonMemory plan_newton_memory(const Problem& problem, Index outputs) {
  const auto features = static_cast<double>(problem.map.features());
  MemoryPlan plan(problem.run);
  plan.hold("square matrices of the features", kSumsMatrices * features * features);
  plan.check(fmt::format("{:.0f} features", features), "‹features›", "use fewer, or allow more memory");
  const RowShare share = share_of(problem.rows);
  const auto pieces = static_cast<double>(values_held(share)) - 1;  // one is the new Gram
  MemoryPlan with_blocks = plan;
  with_blocks.hold("a block per output",
                   (kBlockMatrices + pieces) * static_cast<double>(outputs) * features * features);
  return on_all(problem.rows.share(), with_blocks.fits()) ? NewtonMemory{true, with_blocks.spare()}
                                                          : NewtonMemory{false, plan.spare()};
}

NewtonFit::NewtonFit(const Problem& problem, RowLoss& loss, FeatureRows& rows, const Penalty& penalty,
                     NewtonSettings settings, bool block_per_output)
    : problem_(problem),
      loss_(loss),
      rows_(rows),
      penalty_(penalty),
      settings_(std::move(settings)),
      objective_(problem, loss, rows, penalty, problem.options.lambda ? 0 : *problem.options.lambda_holdout,
                 block_per_output) {
  if (settings_.iterations == 0) settings_.iterations = kDefaultIterations;
}

void NewtonFit::run(Matrix start, std::optional<double> loss) {
  if (loss == 0.0) {
    minimum_.x = std::move(start);
    minimum_.stop = Stop::converged;
    return;
  }
  scale_ = loss.value_or(1);
  loss_.smooth(kFirstWidth * scale_);
  state_ = {{start}, start, 0, {}};
  settings_.checkpoint.load(state_);
  if (!restore_preconditioner()) {
    minimum_.x = state_.at.x;
    return;
  }
  if (problem_.options.lambda)
    fit_given(penalty_.effective(settings_.lambda_factor * *problem_.options.lambda));
  else
    fit_path();
  // Where that was too few, a fit that is resumed once more goes on for as many again.
  if (minimum_.stop == Stop::iteration_limit) keep({minimum_.x});
}

/// Of a fit that is resumed. False: out of time.
bool NewtonFit::restore_preconditioner() {
  if (state_.preconditioner.grams == 0) return true;
  if (!objective_.restore(state_.preconditioner)) return false;
  // The report has the passes of a fit that was not interrupted, which begins the next one after evaluating its point.
  earlier_passes_ = state_.passes - (rows_.passes() + 1);
  return true;
}

void NewtonFit::keep(MinimiseState at) {
  state_.at = std::move(at);
  state_.preconditioner = objective_.preconditioner();
  state_.passes = rows_.passes() + earlier_passes_;
  settings_.checkpoint.save(state_);
}

/// From the last point to a minimum; the points on the way are kept.
Minimum NewtonFit::descend_once(double tolerance) {
  Minimum minimum =
      minimise(objective_, state_.at, {tolerance, settings_.iterations, [this](const MinimiseState& at) { keep(at); }});
  state_.at = {minimum.x};
  return minimum;
}

Minimum NewtonFit::descend_smoothed(double tolerance) {
  const double last = kInnerTolerance * tolerance;
  double width = kFirstWidth * scale_;
  double inner = kFirstInner;  // a minimum that is still smoothed much need not be accurate
  Index iterations = 0;
  for (int k = 1;; ++k) {
    loss_.smooth(width);
    Minimum minimum = descend_once(std::max(inner, last));
    minimum.iterations += iterations;
    iterations = minimum.iterations;
    if (minimum.stop == Stop::time_budget) return minimum;
    const double share = minimum.at.gap / minimum.at.value;
    const bool narrow = share <= (1 - kInnerTolerance) * tolerance || k >= kMostWidths;
    if (narrow && inner <= last) {
      scale_ = minimum.at.value / static_cast<double>(loss_.outputs());
      minimum.excess += share;
      return minimum;
    }
    if (!narrow) width *= kNarrower;
    inner = narrow ? last : kInnerTolerance * kInnerTolerance * share;
  }
}

Minimum NewtonFit::descend(double lambda, double tolerance) {
  objective_.set_lambda(lambda);
  return loss_.has_corner() ? descend_smoothed(tolerance) : descend_once(tolerance);
}

void NewtonFit::report_path(double lambda) {
  const std::string step = "path " + std::to_string(state_.losses.size());
  path_.numbers.emplace_back(step + " lambda", penalty_.user_lambda(lambda));
  path_.numbers.emplace_back(step + " held-out " + settings_.loss_name, state_.losses.back());
}

/// Fits the λs of the path that are not done and returns the best one (effective), its point in state_.best. Where the
/// time runs out: the best so far, and minimum_ says so.
double NewtonFit::choose_lambda() {
  const std::vector<double> done = std::move(state_.losses);
  state_.losses.clear();
  const auto resumed = [&] { return state_.losses.size() <= done.size(); };  // what the last λ was
  const std::vector<double> lambdas = geometric_path(state_.first_lambda, kPathRatio, kPathLength);
  const auto held_out_loss = [&](double lambda) -> std::optional<double> {
    const std::size_t k = state_.losses.size();
    if (k >= done.size()) {
      minimum_ = descend(lambda, loss_.has_corner() ? kPathSmoothing : kPathTolerance);
      if (minimum_.stop == Stop::time_budget) return std::nullopt;
    }
    state_.losses.push_back(k < done.size() ? done[k] : minimum_.at.held_out);
    report_path(lambda);
    return state_.losses.back();
  };
  const LambdaPath path = follow_path(lambdas, {.patience = kPatience}, held_out_loss, [&](double) {
    if (!resumed()) state_.best = state_.at.x;
  });
  return lambdas[path.least().value_or(0)];
}

void NewtonFit::fit_path() {
  if (state_.first_lambda == 0) {
    minimum_.x = state_.at.x;
    if (!objective_.measure(state_.at.x)) return;
    state_.first_lambda = objective_.largest_ratio();
  }
  const bool finishing = state_.finishing;
  lambda_ = choose_lambda();
  if (!finishing && !state_.losses.empty()) state_.at = {state_.best};
  minimum_.x = state_.at.x;
  if (!settings_.refit || (!finishing && minimum_.stop == Stop::time_budget)) return;
  state_.finishing = true;
  objective_.train_on_all_rows();
  minimum_ = descend(lambda_, settings_.tolerance);
}

void NewtonFit::fit_given(double lambda) {
  lambda_ = lambda;
  if (std::isfinite(lambda)) {
    minimum_ = descend(lambda, settings_.tolerance);
    return;
  }
  minimum_.x = state_.at.x;
  minimum_.stop = Stop::converged;  // the penalty makes every coefficient 0, and the intercepts are exact
}

void NewtonFit::describe(FitReport& report) const {
  const auto& given = problem_.options.lambda;
  for (const auto& number : path_.numbers) report.numbers.push_back(number);
  report.words.emplace_back("regularizer", name_of(penalty_.kind));
  report.numbers.emplace_back("lambda", given ? *given : penalty_.user_lambda(lambda_));
  if (std::isfinite(minimum_.at.value)) report.numbers.emplace_back("objective", minimum_.at.value);
  if (std::isfinite(minimum_.gradient_norm)) report.numbers.emplace_back("gradient_norm", minimum_.gradient_norm);
  if (std::isfinite(minimum_.excess)) report.numbers.emplace_back("relative_excess", minimum_.excess);
  report.numbers.emplace_back("iterations", static_cast<double>(minimum_.iterations));
  report.words.emplace_back("stopped", stop_name(minimum_.stop));
  report.numbers.emplace_back("passes", static_cast<double>(rows_.passes() + earlier_passes_));
  report.numbers.emplace_back("grams", static_cast<double>(objective_.grams()));
  report.words.emplace_back("features", rows_.cached() ? "kept in memory" : "computed in every pass");
  const auto warn = [&](const char* text) {
    report.warnings.push_back(fmt::format(fmt::runtime(text), settings_.method));
  };
  if (minimum_.stop == Stop::iteration_limit) warn("iteration limit reached before {} converged; raise ‹iterations›");
  if (minimum_.stop == Stop::time_budget) warn("time limit reached before {} converged; raise ‹max_time›");
  if (minimum_.stop == Stop::rounding) warn("{} cannot reach the tolerance in double precision; raise ‹tolerance›");
}

void check_split_weight(const Problem& problem, const SplitWeight& weight) {
  if (weight.training > 0 && (problem.options.lambda || weight.held_out > 0)) return;
  if (!(weight.training + weight.held_out > 0))
    throw Error(ErrorKind::data, "the weights of the rows sum to zero", {}, "give at least one row a positive weight");
  throw Error(ErrorKind::option, "there are too few rows to choose lambda on held-out rows", "‹lambda›",
              "give ‹lambda›, or another ‹lambda_holdout›");
}

FitResult result_of(const Matrix& x, FitReport report) {
  FitResult result;
  const Index features = x.rows() - 1;
  result.coefficients = Matrix(features, x.cols());
  std::copy_n(x.data(), features * x.cols(), result.coefficients.data());
  result.intercepts.assign(x.row(features), x.row(features) + x.cols());
  result.report = std::move(report);
  return result;
}

}  // namespace weft::detail
