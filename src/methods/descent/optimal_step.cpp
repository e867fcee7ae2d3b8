// Greedy descent with the optimal stepsize: Dubé & Marchand 2023, Algorithm 2 with the shrinkage of its
// eq. 44 (docs/mathematics.md §5.6 and §11), α ← (1−λ)α + ηK(w_t, ·), η the minimiser on the batch. λ means what it
// means elsewhere in weft (loss + λ‖α‖²); for the squared loss that is eq. 49 exactly, as Dubé & Marchand halve both
// the loss and λ.
#include "methods/descent/optimal_step.hpp"

#include "core/at.hpp"
#include "core/parallel.hpp"
#include "methods/descent/descent.hpp"
#include "methods/descent/lambda_search.hpp"
#include "methods/method.hpp"

#include <algorithm>
#include <cmath>

#include <boost/math/tools/toms748_solve.hpp>

namespace weft::detail {

namespace {

constexpr const char* kOptimalStep = "optimal-step";
// Below that a fork costs more than it saves.
constexpr Index kSummedRows = Index{1} << 15;

// Σ_i term(i) in pieces whose sums are added in order: the same for every number of threads.
template <class Term>
double ordered_sum(Index count, int threads, Term&& term) {
  std::vector<double> sums(at((count + kSummedRows - 1) / kSummedRows), 0.0);
  parallel_for(static_cast<Index>(sums.size()), threads, [&](Index k) {
    double sum = 0;
    for (Index i = k * kSummedRows; i < std::min(count, (k + 1) * kSummedRows); ++i) sum += term(at(i));
    sums[at(k)] = sum;
  });
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

}  // namespace

double StepEquation::operator()(double x) const {
  const auto count = static_cast<Index>(f.size());
  const double sum =
      ordered_sum(count, threads, [&](std::size_t i) { return w[i] * loss.derivative(f[i] + x * s[i], y[i]) * s[i]; });
  return sum / static_cast<double>(count) + slope + curvature * x;
}

double StepEquation::growth() const {
  const auto count = static_cast<Index>(f.size());
  const double sum = ordered_sum(count, threads, [&](std::size_t i) { return w[i] * s[i] * s[i]; });
  return loss.curvature().value_or(1) * sum / static_cast<double>(count) + curvature;
}

double closed_form_root(const StepEquation& p) {
  const double growth = p.growth();
  return growth > 0 ? -p(0) / growth : 0.0;
}

double bracketed_root(const StepEquation& p) {
  const double at_zero = p(0);
  const double growth = p.growth();
  if (at_zero == 0 || !(growth > 0)) return 0;
  const double direction = at_zero > 0 ? -1 : 1;
  double near = 0;
  double near_value = at_zero;
  double far = direction * std::abs(at_zero) / growth;
  double far_value = p(far);
  // Strong convexity ends this; 200 doublings end it too where the regulariser underflows and the loss has no minimum.
  for (int k = 0; k < 200 && far_value * direction < 0; ++k) {
    near = far;
    near_value = far_value;
    far *= 2;
    far_value = p(far);
  }
  if (far_value * direction <= 0) return far;
  std::uintmax_t iterations = 200;
  const bool ascending = near < far;
  const auto [low, high] =
      boost::math::tools::toms748_solve([&p](double x) { return p(x); }, ascending ? near : far, ascending ? far : near,
                                        ascending ? near_value : far_value, ascending ? far_value : near_value,
                                        boost::math::tools::eps_tolerance<double>(50), iterations);
  return (low + high) / 2;
}

namespace {

class OptimalStep {
 public:
  OptimalStep(const Problem& problem, const FeatureStream& stream)
      : lambda_(*problem.options.lambda), amplitude_(std::exp(stream.log_scale())) {
    const double factor = has_kernel(problem.map) ? 1 : static_cast<double>(problem.map.features());
    strength_ = std::exp(std::log(2 * lambda_ * factor) + 2 * stream.log_norm_scale() - 2 * stream.log_scale());
  }

  void operator()(Descent& d, const Step& step) const {
    for (Index k = 0; k < d.iterate().outputs(); ++k) {
      const double at_centre = d.iterate().at_centre(k, d.gram(), step.first);
      d.multiply(k, 1 - lambda_);
      // Where the penalty dominates to rounding, the best step is 0.
      if (!std::isfinite(strength_) || amplitude_ == 0) continue;
      StepEquation p = batch_equation(d, step, k);
      p.slope = strength_ * (1 - lambda_) * amplitude_ * at_centre;
      p.curvature = strength_ * d.gram().diagonal(step.first);
      const double x = d.loss().kind() == Loss::Kind::squared ? closed_form_root(p) : bracketed_root(p);
      d.add(k, step.first, x / amplitude_);
    }
  }

 private:
  static StepEquation batch_equation(const Descent& d, const Step& step, Index output) {
    StepEquation p{d.loss()};
    p.threads = d.problem().run.thread_count();
    for (std::vector<double>* column : {&p.f, &p.s, &p.y, &p.w}) column->reserve(step.batch.size());
    const double* values = d.smoothing(step.first);
    for (const Index row : step.batch) {
      p.f.push_back(d.f(output, row));
      p.s.push_back(values[row]);
      p.y.push_back(d.y(output, row));
      p.w.push_back(d.weight(row));
    }
    return p;
  }

  double lambda_;
  double amplitude_;
  double strength_;  ///< 2λ‖α‖² per squared unit of f
};

std::optional<FitResult> descend(const Problem& problem, const Loss& loss) {
  DescentPlan plan = descent_plan(kOptimalStep, problem.options.own<OptimalStepOptions>());
  plan.all_rows_when_small = true;
  plan.square_integrable = square_integrable(problem, problem.options.own<OptimalStepOptions>().regularizer, true);
  Descent descent(problem, loss, plan);
  if (!descent.run(OptimalStep(problem, descent.stream()))) return std::nullopt;
  return descent.result(false);
}

}  // namespace

FitResult fit_optimal_step(const Problem& problem) {
  square_integrable(problem, problem.options.own<OptimalStepOptions>().regularizer, true);
  const Loss loss = method_of(problem.options).loss(problem.options, problem.task);
  check_rows(problem, kOptimalStep);
  if (problem.options.lambda && *problem.options.lambda >= 1)
    throw Error(ErrorKind::option, "optimal-step multiplies by 1 - lambda in every step", "‹lambda›",
                "use a value below 1");
  const auto trial = [&](const Problem& p) { return descend(p, loss); };
  FitOptions options = problem.options;
  const LambdaChoice choice =
      options.lambda ? LambdaChoice{*options.lambda, "given"} : choose_lambda(problem, loss, trial, 1);
  options.lambda = choice.lambda;
  std::optional<FitResult> result =
      descend({problem.map, problem.rows, problem.task, options, problem.family, problem.run}, loss);
  if (!result) throw_diverged(kOptimalStep, *options.lambda, "use a larger lambda or a larger batch");
  result->report.numbers.insert(result->report.numbers.begin(), {"lambda", *options.lambda});
  result->report.words.emplace_back("lambda_choice", choice.how);
  return std::move(*result);
}

}  // namespace weft::detail
