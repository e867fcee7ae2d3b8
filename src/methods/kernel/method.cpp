#include "methods/method.hpp"
#include "methods/kernel/kernel_checks.hpp"
#include "methods/kernel/kernel_left_out.hpp"
#include "methods/kernel/kernel_ridge.hpp"
#include "methods/kernel/landmarks.hpp"

#include <limits>

namespace weft::detail {

namespace {

ValidatedBy validated_by(const FitOptions& options, Index rows) {
  return kernel_solver(options.own<KernelRidgeOptions>(), rows) == KernelSolver::exact ? ValidatedBy::left_out
                                                                                       : ValidatedBy::refits;
}

bool calibrates(const FitOptions& options) {
  return kernel_solver(options.own<KernelRidgeOptions>(), std::numeric_limits<Index>::max()) != KernelSolver::cg;
}

/// An implicit kernel has the hyperparameters of the family whose limit it is.
std::optional<FamilyOptions> searched_family(const FitOptions& options, const FamilyOptions& family) {
  const std::string& kernel = options.own<KernelRidgeOptions>().kernel;
  if (Kernel::parse_kind(kernel) != Kernel::Kind::implicit) return std::nullopt;
  FamilyOptions searched = family;
  searched.family = Kernel::implicit_family(kernel);
  return searched;
}

std::optional<double> searched_bandwidth(const MapRequest& request) {
  if (bandwidth_number(request.options.own<KernelRidgeOptions>())) return std::nullopt;
  const Kernel kernel = choose_kernel(request);
  return kernel.has_bandwidth() ? std::optional(kernel.bandwidth()) : std::nullopt;
}

void check_shared(const FitOptions& options, Index rows) {
  if (kernel_solver(options.own<KernelRidgeOptions>(), rows) == KernelSolver::exact)
    throw Error(ErrorKind::option, "exact kernel ridge regression has a centre per row, which sums cannot replace",
                "‹landmarks›", "give a number of them, fewer than there are rows");
}

void check_sums(const FitOptions& options, Index rows) {
  check_shared(options, rows);
  if (kernel_solver(options.own<KernelRidgeOptions>(), rows) == KernelSolver::cg)
    throw Error(ErrorKind::option, "conjugate gradients read the rows in every step", "‹solver›",
                "use ‹solver› direct, which solves from sums");
}

}  // namespace

const Method& kernel_ridge_method() {
  static const Method row{
      .name = "kernel-ridge",
      .help = "kernel ridge regression, exact or on landmarks, with a kernel instead of random features",
      .options = KernelRidgeOptions{},
      .run = fit_kernel_ridge,
      .loss = squared_loss,
      .check_memory = check_kernel_memory,
      .check = check_kernel_options,
      .kernel_machine = true,
      .make_map = choose_landmarks,
      .shares_rows = true,
      .check_shared = check_shared,
      .shares_matrices =
          [](const FitOptions& options) { return options.own<KernelRidgeOptions>().solver != LandmarkSolver::cg; },
      .solve = solve_kernel_ridge,
      .check_sums = check_sums,
      .solve_scores = true,
      .drawn_rows = landmark_rows,
      .validated_by = validated_by,
      .left_out = kernel_left_out,
      .centres = [](const FitOptions& options) { return *options.own<KernelRidgeOptions>().landmarks; },
      .calibrates = calibrates,
      .searched_family = searched_family,
      .searched_bandwidth = searched_bandwidth,
      .minimises = true,
  };
  return row;
}

}  // namespace weft::detail
