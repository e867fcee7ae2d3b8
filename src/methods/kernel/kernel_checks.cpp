#include "methods/kernel/kernel_checks.hpp"

#include "core/memory.hpp"
#include "linalg/symmetric_eigen.hpp"
#include "train/training_rows.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

namespace weft::detail {

namespace {

// Sums over n rows cost n·M² once, a pass of conjugate gradients 4n·M at the speed of memory. Processor seconds on one
// thread, adult (32561 rows), whole command, λ given / chosen:
//   M = 1500: direct 2.6 / 4.4, cg 2.8 / 12.3 (49 / 288 passes)
//   M = 3000: direct 8.7 / 20,  cg 5.2 / 17   (36 / 156 passes)
constexpr Index kMostDirect = 2000;

[[noreturn]] void refuse(const char* field, const std::string& why, const std::string& hint) {
  throw Error(ErrorKind::option, why, "--" + option_name(field), hint);
}

// A family belongs to implicit kernels alone, and its name to --kernel.
void check_family(const FamilyOptions& family, const FitOptions& options) {
  const FamilyOptions defaults;
  if (family.family != defaults.family)
    refuse("family", "kernel-ridge takes a kernel, not random features",
           "--kernel implicit:" + family.family + " is what this family tends to");
  if (family.features != defaults.features) refuse("features", "kernel-ridge has rows for centres", "take --landmarks");
  if (Kernel::parse_kind(options.kernel) == Kernel::Kind::implicit) return;
  for_each_field<FamilyOptions>([&](const auto& field) {
    if (std::string(field.name) != "seed" && family.*field.member != defaults.*field.member)
      refuse(field.name, fmt::format("the {} kernel does not use it", options.kernel),
             "leave it out, or take --kernel implicit:FAMILY");
  });
}

/// M × M matrices held at once.
double square_matrices(KernelSolver solver, const FitOptions& options) {
  switch (solver) {
    case KernelSolver::exact:  // the kernel matrix and a factor; for a path of λ eigenvectors and LAPACK's two more
      return options.lambda ? 2 : 3;
    case KernelSolver::direct:  // as --fit least-squares
      return 5 + (options.calibrate ? 3 : 0);
    case KernelSolver::cg:
      break;
  }
  return 3;  // the factor of K_MM, its square, the preconditioner
}

double needed_memory(KernelSolver solver, double centres, Index inputs, const FitOptions& options) {
  const double block = solver == KernelSolver::exact ? 0 : static_cast<double>(kBlockRows);
  return 8 * centres * (square_matrices(solver, options) * centres + static_cast<double>(inputs) + block);
}

/// The most landmarks that fit, in hundreds.
Index most_landmarks(double bytes, Index inputs, FitOptions options) {
  Index most = 0;
  const auto fits = [&](Index count) {
    options.landmarks = count;
    const KernelSolver solver = kernel_solver(options, count + 1);
    return needed_memory(solver, static_cast<double>(count), inputs, options) <= bytes;
  };
  while (fits(most + 100)) most += 100;
  return most;
}

}  // namespace

KernelSolver kernel_solver(const FitOptions& options, Index rows) {
  if (options.landmarks == 0 || options.landmarks >= rows) return KernelSolver::exact;
  const bool direct = options.solver == "auto" ? options.landmarks <= kMostDirect : options.solver == "direct";
  return direct ? KernelSolver::direct : KernelSolver::cg;
}

std::optional<double> bandwidth_number(const FitOptions& options) {
  if (options.bandwidth == "mean" || options.bandwidth == "median") return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(options.bandwidth.c_str(), &end);
  if (end == options.bandwidth.c_str() || *end != '\0' || !(value > 0) || !std::isfinite(value))
    refuse("bandwidth", "'" + options.bandwidth + "' is no width", "take mean, median or a number > 0");
  return value;
}

void check_kernel_options(const FamilyOptions& family, const FitOptions& options) {
  const FitOptions defaults;
  const Kernel::Kind kind = Kernel::parse_kind(options.kernel);
  check_family(family, options);
  bandwidth_number(options);
  if (options.solver == "sgd") refuse("solver", "kernel-ridge has no gradient descent", "take direct or cg");
  if (options.bandwidth != defaults.bandwidth && kind != Kernel::Kind::rbf && kind != Kernel::Kind::laplace)
    refuse("bandwidth", fmt::format("the kernel {} has none", options.kernel), "leave it out");
  const KernelSolver solver = kernel_solver(options, std::numeric_limits<Index>::max());
  const auto only_for = [&](const char* field, bool given, bool used, const char* remedy) {
    if (given && !used)
      refuse(field,
             solver == KernelSolver::exact ? "the exact solution does not use it" : "this solver does not use it",
             remedy);
  };
  const bool landmarks = solver != KernelSolver::exact;
  only_for("landmark_sampling", options.landmark_sampling != defaults.landmark_sampling, landmarks, "take --landmarks");
  only_for("solver", options.solver != defaults.solver, landmarks, "take --landmarks");
  only_for("lambda_holdout", options.lambda_holdout != defaults.lambda_holdout, landmarks, "take --landmarks");
  const bool cg = solver == KernelSolver::cg;
  only_for("tolerance", options.tolerance != defaults.tolerance, cg, "take --landmarks and --solver cg");
  only_for("iterations", options.iterations != defaults.iterations, cg, "take --landmarks and --solver cg");
  only_for("calibrate", options.calibrate, !cg, "take --solver direct");
}

double check_kernel_memory(Index rows, Index inputs, const FitOptions& options, const Run& run) {
  const KernelSolver solver = kernel_solver(options, rows);
  const bool exact = solver == KernelSolver::exact;
  const double centres = static_cast<double>(exact ? rows : options.landmarks);
  const double needed = needed_memory(solver, centres, inputs, options);
  const double allowed = memory_limit(run);
  if (needed > allowed) {
    const Index most = most_landmarks(allowed, inputs, options);
    throw_too_large(
        fmt::format("the kernel matrices of {:.0f} {}", centres, exact ? "rows" : "landmarks"), needed, run,
        exact ? "--fit" : "--landmarks",
        most == 0 ? "allow more memory"
                  : fmt::format("{}--landmarks up to {} fit", exact ? "take fewer centres than rows: " : "", most));
  }
  if (exact && !options.lambda && rows > kLargestEigen)
    throw Error(ErrorKind::option, fmt::format("a path of lambda needs all eigenvectors of {} rows", rows), "--lambda",
                "give a lambda, or fewer centres than rows with --landmarks");
  return allowed - needed;
}

}  // namespace weft::detail
