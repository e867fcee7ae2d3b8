// Two methods that add features one after another.
#include "methods/method.hpp"
#include "methods/descent/functional_gradient.hpp"
#include "methods/descent/optimal_step.hpp"

namespace weft::detail {

namespace {

Loss::Kind kind_of(DescentLoss loss) {
  switch (loss) {
    case DescentLoss::logistic:
      return Loss::Kind::logistic;
    case DescentLoss::hinge:
      return Loss::Kind::hinge;
    case DescentLoss::huber:
      return Loss::Kind::huber;
    case DescentLoss::automatic:
    case DescentLoss::squared:
      break;
  }
  return Loss::Kind::squared;
}

template <class Own>
Loss loss(const FitOptions& options, Task task) {
  const auto& own = options.own<Own>();
  return Loss::for_task(kind_of(own.loss), own.huber_delta, task);
}

template <class Own>
void check(const FitOptions& options, const FamilyOptions&) {
  const auto& own = options.own<Own>();
  if (own.huber_delta.given() && own.loss != DescentLoss::huber)
    throw Error(ErrorKind::option, "the loss is not the Huber loss", "‹huber_delta›", "use ‹loss› huber");
}

/// They hold no square matrices; what they hold besides the centres depends on the rows (descent.cpp).
double check_memory(const FitOptions&, const ProblemSize& size, const Run& run) {
  return check_sums_memory(0, size, run);
}

}  // namespace

const Method& functional_gradient_method() {
  static const Method row{
      .name = "sfgd",
      .help = "stochastic functional gradient descent",
      .options = FunctionalGradientOptions{},
      .run = [](const Problem& problem) { return fit_functional_gradient(problem); },
      .loss = loss<FunctionalGradientOptions>,
      .check_memory = check_memory,
      .check = check<FunctionalGradientOptions>,
      .descends = true,
  };
  return row;
}

const Method& optimal_step_method() {
  static const Method row{
      .name = "optimal-step",
      .help = "greedy descent with the optimal step for every feature",
      .options = OptimalStepOptions{},
      .run = fit_optimal_step,
      .loss = loss<OptimalStepOptions>,
      .check_memory = check_memory,
      .check = check<OptimalStepOptions>,
  };
  return row;
}

}  // namespace weft::detail
