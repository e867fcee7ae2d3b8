#include "methods/descent/functional_gradient.hpp"

#include "core/at.hpp"
#include "methods/descent/lambda_search.hpp"
#include "methods/method.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr const char* kFunctionalGradient = "sfgd";

/// v = (mean over batch and new features of ℓ'(f(x), y)·φ(w, x)·K(w, ·)) + 2λα; α ← project(α − v/(2λt)).
class GradientStep {
 public:
  GradientStep(double lambda, double radius, bool intercept)
      : lambda_(lambda), radius_(radius), intercept_(intercept) {}

  void operator()(Descent& d, const Step& step) {
    const auto t = static_cast<double>(step.number);
    const auto batch = static_cast<Index>(step.batch.size());
    evaluate(d, step);
    for (Index k = 0; k < d.iterate().outputs(); ++k) {
      // 1 − 2λη_t. At t = 1 it is 0, and so is α.
      d.multiply(k, 1 - 1 / t);
      for (Index j = 0; j < step.count; ++j) {
        double gradient = 0;
        for (Index i = 0; i < batch; ++i) gradient += slopes_(k, i) * activations_(j, i);
        gradient *= draw_weight(d, step.first + j) / static_cast<double>(batch * step.count);
        d.add(k, step.first + j, -gradient * d.stream().relative_amplitude(step.first + j) / (2 * lambda_ * t));
      }
      if (radius_ > 0) d.iterate().project(k, radius_ * std::exp(-d.stream().log_norm_scale()));
      if (intercept_) move_intercept(d, k, t);
    }
  }

 private:
  // Everything the step needs of α^{(t−1)}, before any of it changes.
  void evaluate(const Descent& d, const Step& step) {
    const auto batch = static_cast<Index>(step.batch.size());
    const Index outputs = d.problem().rows.outputs();
    slopes_.reshape(outputs, batch);
    for (Index k = 0; k < outputs; ++k)
      for (Index i = 0; i < batch; ++i) {
        const Index row = step.batch[at(i)];
        slopes_(k, i) = d.weight(row) * d.loss().derivative(d.f(k, row), d.y(k, row));
      }
    activations_.reshape(step.count, batch);
    for (Index j = 0; j < step.count; ++j)
      d.stream().activation(step.first + j, d.x(), step.batch.data(), batch, activations_.row(j));
  }

  // One over the probability with which a step draws from the feature's part (and, where K = δ, the feature itself),
  // relative to the factor of the penalty: the gradient is unbiased for unions too. 1 for a single family.
  static double draw_weight(const Descent& d, Index position) {
    const auto features = static_cast<double>(d.stream().features());
    const FeaturePart& part = d.stream().part(position);
    if (!has_kernel(d.stream().map())) return 1;
    return part.family.kernel.none() ? features : features / static_cast<double>(part.centres.count());
  }

  // The intercept is not regularised, hence no strong convexity and no 1/t: steps of 1/(curvature·√t).
  void move_intercept(Descent& d, Index output, double t) const {
    double slope = 0;
    for (Index i = 0; i < slopes_.cols(); ++i) slope += slopes_(output, i);
    const double curvature = d.loss().curvature().value_or(1);
    d.iterate().intercept(output) -= slope / static_cast<double>(slopes_.cols()) / (curvature * std::sqrt(t));
  }

  double lambda_;
  double radius_;
  bool intercept_;
  Matrix slopes_;       ///< outputs × batch
  Matrix activations_;  ///< new features × batch
};

/// The fit for options.lambda; nullopt when the iterates overflow.
std::optional<FitResult> descend(const Problem& problem, const Loss& loss, Predictions predictions) {
  const FitOptions& options = problem.options;
  const auto& own = options.own<FunctionalGradientOptions>();
  DescentPlan plan = descent_plan(kFunctionalGradient, own);
  plan.features_per_step = own.features_per_step;
  plan.predictions = predictions;
  Descent descent(problem, loss, plan);
  // With the squared loss the mean of the targets is the intercept, and it stays.
  const bool moving_intercept = options.intercept && loss.kind() != Loss::Kind::squared;
  GradientStep step(*options.lambda, own.radius, moving_intercept);
  if (!descent.run(step)) return std::nullopt;
  return descent.result(true);
}

/// The minimiser α* has λ‖α*‖² ≤ its risk ≤ that of α = 0: no output's norm is beyond this.
double minimiser_radius(const Problem& problem, const Loss& loss) {
  const TrainingBlock& rows = *problem.rows.in_memory();
  const double penalty = has_kernel(problem.map) ? 1 : static_cast<double>(problem.map.features());
  double largest = 0;
  for (Index k = 0; k < rows.y.rows; ++k) {
    const double* y = rows.y.row(k);
    const double constant = problem.options.intercept ? loss.best_constant(rows.rows(), y, rows.weights) : 0;
    double sum = 0;
    double total = 0;
    for (Index i = 0; i < rows.rows(); ++i) {
      const double weight = rows.weights == nullptr ? 1 : rows.weights[i];
      sum += weight * loss.value(constant, y[i]);
      total += weight;
    }
    largest = std::max(largest, sum / total);
  }
  return std::sqrt(largest / (*problem.options.lambda * penalty));
}

}  // namespace

FitResult fit_functional_gradient(const Problem& problem, Predictions predictions) {
  const auto& own = problem.options.own<FunctionalGradientOptions>();
  square_integrable(problem, own.regularizer, false);
  const Loss loss = method_of(problem.options).loss(problem.options, problem.task);
  check_rows(problem, kFunctionalGradient);
  const auto trial = [&](const Problem& p) { return descend(p, loss, Predictions::automatic); };
  FitOptions options = problem.options;
  const LambdaChoice choice = options.lambda
                                  ? LambdaChoice{*options.lambda, "given"}
                                  : choose_lambda(problem, loss, trial, std::numeric_limits<double>::infinity());
  options.lambda = choice.lambda;
  const Problem complete{problem.map, problem.rows, problem.task, options, problem.family, problem.run};
  std::optional<FitResult> result = descend(complete, loss, predictions);
  const double radius = minimiser_radius(complete, loss);
  const std::string remedy =
      fmt::format("use ‹radius› {:.3g}, within which the minimiser lies, or a larger lambda", radius);
  if (!result) throw_diverged(kFunctionalGradient, *options.lambda, remedy);
  FitReport& report = result->report;
  report.numbers.insert(report.numbers.begin(), {"lambda", *options.lambda});
  report.words.emplace_back("lambda_choice", choice.how);
  for (const auto& [name, norm] : report.numbers)
    if (name == "last_norm" && own.radius == 0 && norm > radius)
      report.warnings.push_back(
          fmt::format("the iterates had not settled: the norm of the last is {:.3g}; {}", norm, remedy));
  return std::move(*result);
}

}  // namespace weft::detail
