#include "methods/method.hpp"
#include "methods/kernel/kernel_checks.hpp"
#include "methods/kernel/landmarks.hpp"
#include "methods/least_squares/least_squares.hpp"
#include "methods/newton/logistic.hpp"
#include "methods/newton/newton.hpp"

#include <fmt/format.h>

namespace weft::detail {

namespace {

Loss logistic_loss(const FitOptions&, Task) {
  return Loss(Loss::Kind::logistic);
}

/// For theorems and pruning.
Loss known_loss(const FitOptions& options, Task) {
  const RegressionLoss loss = newton_choices(options.method).loss;
  if (loss == RegressionLoss::squared) return Loss(Loss::Kind::squared);
  throw Error(ErrorKind::option, fmt::format("neither theorems nor pruning cover the {} loss", name_of(loss)), {},
              "use a model of ‹fit› least-squares or kernel-ridge");
}

double check_newton_memory(const FitOptions&, const ProblemSize& size, const Run& run) {
  return check_sums_memory(kSumsMatrices, size, run);
}

void check_loss(const FitOptions& options) {
  const NewtonChoices choices = newton_choices(options.method);
  if (options.intervals && choices.loss == RegressionLoss::quantile)
    throw Error(ErrorKind::option, "a fit of quantiles predicts ends of intervals itself", "‹intervals›",
                "leave it out, or use another ‹loss›");
}

void check_newton(const FitOptions& options, const FamilyOptions&) {
  check_loss(options);
}

/// The options of the landmarks, which kernel ridge regression has as well.
FitOptions as_kernel_ridge(const FitOptions& options) {
  const auto& own = options.own<KernelNewtonOptions>();
  FitOptions ridge = options;
  ridge.method = KernelRidgeOptions{.kernel = own.kernel,
                                    .bandwidth = own.bandwidth,
                                    .exponent = own.exponent,
                                    .landmarks = own.landmarks,
                                    .landmark_sampling = own.landmark_sampling};
  return ridge;
}

/// Calls use(request) with those.
template <class Use>
auto with_kernel_ridge(const MapRequest& request, const Use& use) {
  const FitOptions options = as_kernel_ridge(request.options);
  return use(
      MapRequest{request.family, options, request.inputs, request.rows, request.task, request.run, request.custom});
}

void check_kernel_newton(const FitOptions& options, const FamilyOptions& family) {
  check_loss(options);
  FitOptions ridge = as_kernel_ridge(options);
  ridge.lambda_holdout = default_value(*options.lambda_holdout);  // used whatever the centres
  check_kernel_options(ridge, family);
}

double check_kernel_newton_memory(const FitOptions& options, const ProblemSize& size, const Run& run) {
  const Index asked = options.own<KernelNewtonOptions>().landmarks;
  const Index centres = asked == 0 ? size.rows : std::min(asked, size.rows);
  return check_sums_memory(kSumsMatrices, {static_cast<double>(centres), size.rows, size.inputs}, run);
}

std::optional<FamilyOptions> searched_kernel_family(const FitOptions& options, const FamilyOptions& family) {
  return kernel_ridge_method().searched_family(as_kernel_ridge(options), family);
}

std::optional<double> searched_newton_bandwidth(const MapRequest& request) {
  return with_kernel_ridge(request,
                           [](const MapRequest& ridge) { return kernel_ridge_method().searched_bandwidth(ridge); });
}

}  // namespace

const Method& logistic_method() {
  static const Method row{
      .name = "logistic",
      .help = "logistic regression, softmax where there are more than two classes",
      .options = LogisticOptions{},
      .run = fit_logistic,
      .loss = logistic_loss,
      .check_memory = check_newton_memory,
      .shares_rows = true,
      .minimises = true,
  };
  return row;
}

const Method& newton_method() {
  static const Method row{
      .name = "newton",
      .help = "regression by another loss on random features: huber, absolute, quantiles, poisson",
      .options = NewtonOptions{},
      .run = fit_newton,
      .loss = known_loss,
      .check_memory = check_newton_memory,
      .check = check_newton,
      .own_loss = true,
      .shares_rows = true,
  };
  return row;
}

const Method& kernel_newton_method() {
  static const Method row{
      .name = "kernel-newton",
      .help = "the same losses with a kernel, on landmarks",
      .options = KernelNewtonOptions{},
      .run = fit_newton,
      .loss = known_loss,
      .check_memory = check_kernel_newton_memory,
      .check = check_kernel_newton,
      .own_loss = true,
      .kernel_machine = true,
      .make_map = [](const MapRequest& request) { return with_kernel_ridge(request, choose_landmarks); },
      .shares_rows = true,
      .centres = [](const FitOptions& options) { return *options.own<KernelNewtonOptions>().landmarks; },
      .searched_family = searched_kernel_family,
      .searched_bandwidth = searched_newton_bandwidth,
  };
  return row;
}

}  // namespace weft::detail
