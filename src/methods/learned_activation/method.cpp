#include "methods/method.hpp"
#include "features/draws.hpp"
#include "methods/learned_activation/learned_activation.hpp"
#include "methods/learned_activation/learned_pool.hpp"
#include "methods/least_squares/least_squares.hpp"

namespace weft::detail {

namespace {

[[noreturn]] void refuse(const char* what, const char* option, const char* remedy) {
  throw Error(ErrorKind::option, what, option, remedy);
}

bool has_lambda(const FitOptions& options) {
  return options.own<LearnedActivationOptions>().objective != LearnedObjective::balanced;
}

void check(const FitOptions& options, const FamilyOptions& family) {
  const auto& own = options.own<LearnedActivationOptions>();
  if (!has_lambda(options) && options.lambda)
    refuse("the balanced objective has no lambda", "‹lambda›", "leave it out, or use ‹objective› penalised");
  if (own.pool_objective.given() && !samples_from_data(family.sampling))
    refuse("no candidates are scored", "‹pool_objective›", "use it with ‹sampling› leverage");
  if (own.basis == ActivationBasis::Kind::bspline && own.basis_width)
    refuse("the width of B-splines follows from their degree and the grid", "‹basis_width›", "use ‹degree›");
  if (own.basis == ActivationBasis::Kind::rbf && own.degree.given())
    refuse("Gaussian bumps have no degree", "‹degree›", "use ‹basis› bspline");
  if (own.activation_norm == ActivationNorm::coefficients && own.smoothness.given())
    refuse("the sum of squares of the coefficients has no second differences", "‹smoothness›",
           "use ‹activation_norm› features");
}

double check_memory(const FitOptions&, const ProblemSize& size, const Run& run) {
  return check_sums_memory(sums_matrices(size.rows), size, run);
}

void check_family(const std::vector<FamilyPart>& parts) {
  if (parts.size() > 1)
    refuse("a learned activation needs a single family, and this is a union", "‹family›", "name one, such as rks-relu");
  if (parts.front().family.amplitude != 1)
    refuse("the activation of random Fourier features is always the cosine and cannot be learned", "‹family›",
           "use rks-cos");
}

}  // namespace

Loss learned_loss(const FitOptions& options, Task task) {
  const LearnedLoss loss = options.own<LearnedActivationOptions>().loss;
  const bool classes = task == Task::binary || task == Task::multiclass;
  const bool logistic = loss == LearnedLoss::automatic ? classes : loss == LearnedLoss::logistic;
  return Loss::for_task(logistic ? Loss::Kind::logistic : Loss::Kind::squared, 1, task);
}

const Method& learned_activation_method() {
  static const Method row{
      .name = "learned-activation",
      .help = "random features whose activation, starting from the family's own, is learned with the coefficients",
      .options = LearnedActivationOptions{},
      .run = fit_learned_activation,
      .loss = learned_loss,
      .check_memory = check_memory,
      .check = check,
      .automatic_family = "rks-relu",
      .check_family = check_family,
      .make_map = make_learned_map,
      .has_lambda = has_lambda,
      .searches_lambda = true,  // the fifth of a fold's rows on which its fit would choose λ is few
      .lambda_range = "1e-8:1e-3",
  };
  return row;
}

}  // namespace weft::detail
