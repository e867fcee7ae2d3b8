#include "methods/kernel/kernel_checks.hpp"

#include "compute/gpu.hpp"
#include "core/memory.hpp"
#include "linalg/symmetric_eigen.hpp"
#include "methods/kernel/landmarks.hpp"
#include "methods/least_squares/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <fmt/ranges.h>

namespace weft::detail {

namespace {

// Sums over n rows cost n·M² once, a pass of conjugate gradients 4n·M at the speed of memory. Processor seconds on one
// thread, adult (32561 rows), whole command, λ given / chosen:
//   M = 1500: direct 2.6 / 4.4, cg 2.8 / 12.3 (49 / 288 passes)
//   M = 3000: direct 8.7 / 20,  cg 5.2 / 17   (36 / 156 passes)
constexpr Index kMostDirect = 2000;

// On a GPU, beside the factor of an exact fit: columns of its inverse, or kernel values, of a block of rows and what
// they are made from; encoded rows, and what a kernel prepares of them.
constexpr double kBlocksBeside = 3, kCopiesOfRows = 3;

[[noreturn]] void refuse(const char* field, const std::string& why, const std::string& hint) {
  throw Error(ErrorKind::option, why, option_mark(field), hint);
}

// A family belongs to implicit kernels alone, and its name to --kernel.
void check_family(const FamilyOptions& family, const KernelRidgeOptions& own) {
  if (family.family.given())
    refuse("family", "kernel-ridge uses a kernel, not random features",
           "‹kernel› implicit:" + *family.family + " is the kernel this family approximates");
  if (family.features.given())
    refuse("features", "kernel-ridge uses training rows as centres, not drawn features", "use ‹landmarks›");
  if (Kernel::parse_kind(own.kernel) == Kernel::Kind::implicit) return;
  refuse_family(family, fmt::format("the {} kernel does not use it", *own.kernel),
                "leave it out, or use ‹kernel› implicit:FAMILY");
}

/// n × n matrices in the memory of the host.
double exact_matrices(const FitOptions& options, const Device& device) {
  if (!device.has_own_memory()) return options.lambda ? 2 : 3;  // a factor, or eigenvectors and LAPACK's two matrices
  const Kernel::Kind kind = Kernel::parse_kind(options.own<KernelRidgeOptions>().kernel);
  return device.computes(kind) ? 0 : 2;  // what goes there for a factor is put together here
}

/// M × M matrices held at once.
double square_matrices(KernelSolver solver, const FitOptions& options, const ProblemSize& size, const Run& run) {
  switch (solver) {
    case KernelSolver::exact:
      return exact_matrices(options, *exact_worker(run, size).device);
    case KernelSolver::direct:
      return sums_matrices(size.rows) + (options.own<KernelRidgeOptions>().calibrate ? kCalibrationMatrices : 0);
    case KernelSolver::cg:
      break;
  }
  return 3;  // the factor of K_MM, its square, the preconditioner
}

MemoryPlan plan_memory(KernelSolver solver, double centres, const ProblemSize& size, const FitOptions& options,
                       const Run& run) {
  MemoryPlan plan(run);
  plan.hold("square matrices of the centres", square_matrices(solver, options, size, run) * centres * centres);
  plan.hold("centres", static_cast<double>(size.inputs) * centres);
  if (solver == KernelSolver::exact) return plan;
  plan.hold("a block of the kernel", static_cast<double>(kBlockRows) * centres);
  if (options.own<KernelRidgeOptions>().landmark_sampling == LandmarkSampling::pivoted) {
    const auto rows = static_cast<double>(pivot_candidates(size.rows, static_cast<Index>(centres)));
    plan.hold("the factor that chooses landmarks", rows * (centres + static_cast<double>(size.inputs)));
  }
  return plan;
}

}  // namespace

KernelSolver kernel_solver(const KernelRidgeOptions& options, Index rows) {
  if (options.landmarks == 0 || options.landmarks >= rows) return KernelSolver::exact;
  const bool direct = options.solver == LandmarkSolver::automatic ? options.landmarks <= kMostDirect
                                                                  : options.solver == LandmarkSolver::direct;
  return direct ? KernelSolver::direct : KernelSolver::cg;
}

Worker exact_worker(const Run& run, const ProblemSize& size) {
  const auto rows = static_cast<double>(size.rows), inputs = static_cast<double>(size.inputs);
  const Device& device = device_for(run, rows * rows * rows / 3);
  const double numbers = rows * (rows + kBlocksBeside * static_cast<double>(kBlockRows) + kCopiesOfRows * inputs);
  return {numbers * sizeof(double) <= device.free_memory() ? device : cpu(), run.thread_count()};
}

std::optional<double> bandwidth_number(const std::string& text, const std::vector<std::string>& words) {
  if (std::find(words.begin(), words.end(), text) != words.end()) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0' || !(value > 0) || !std::isfinite(value))
    refuse("bandwidth", "'" + text + "' is not a valid bandwidth",
           fmt::format("use {} or a positive number", fmt::join(words, ", ")));
  return value;
}

std::optional<double> bandwidth_number(const KernelRidgeOptions& options) {
  return bandwidth_number(options.bandwidth, {"mean", "median"});
}

void check_kernel_options(const FitOptions& options, const FamilyOptions& family) {
  const auto& own = options.own<KernelRidgeOptions>();
  const Kernel::Kind kind = Kernel::parse_kind(own.kernel);
  check_family(family, own);
  bandwidth_number(own);
  if (own.bandwidth.given() && !Kernel::has_bandwidth(kind))
    refuse("bandwidth", fmt::format("the kernel {} has no bandwidth", *own.kernel), "leave it out");
  if (own.exponent.given() && !Kernel::has_exponent(kind))
    refuse("exponent", fmt::format("the kernel {} has no exponent", *own.kernel), "leave it out");
  const KernelSolver solver = kernel_solver(own, std::numeric_limits<Index>::max());
  const auto only_for = [&](const char* field, bool given, bool used, const char* remedy) {
    if (given && !used)
      refuse(field,
             solver == KernelSolver::exact ? "the exact solution does not use it" : "this solver does not use it",
             remedy);
  };
  const bool landmarks = solver != KernelSolver::exact;
  only_for("landmark_sampling", own.landmark_sampling.given(), landmarks, "use ‹landmarks›");
  only_for("solver", own.solver.given(), landmarks, "use ‹landmarks›");
  only_for("lambda_holdout", options.lambda_holdout.given(), landmarks, "use ‹landmarks›");
  const bool cg = solver == KernelSolver::cg;
  only_for("tolerance", own.tolerance.given(), cg, "use ‹landmarks› and ‹solver› cg");
  only_for("iterations", own.iterations.given(), cg, "use ‹landmarks› and ‹solver› cg");
  only_for("calibrate", own.calibrate, !cg, "use ‹solver› direct");
}

double check_kernel_memory(const FitOptions& options, const ProblemSize& size, const Run& run) {
  KernelRidgeOptions own = options.own<KernelRidgeOptions>();
  const KernelSolver solver = kernel_solver(own, size.rows);
  const bool exact = solver == KernelSolver::exact;
  const auto centres = static_cast<double>(exact ? size.rows : *own.landmarks);
  const MemoryPlan plan = plan_memory(solver, centres, size, options, run);
  if (!plan.fits()) {
    const Index most = largest_that_fits(size.rows, 100, [&](Index count) {
      own.landmarks = count;
      return plan_memory(kernel_solver(own, count + 1), static_cast<double>(count), size, options, run).fits();
    });
    plan.check(fmt::format("the kernel matrices of {:.0f} {}", centres, exact ? "rows" : "landmarks"),
               exact ? "‹fit›" : "‹landmarks›",
               most == 0
                   ? "allow more memory"
                   : fmt::format("{}‹landmarks› up to {} fit", exact ? "use fewer centres than rows: " : "", most));
  }
  if (exact && !options.lambda && size.rows > kLargestEigen && !exact_worker(run, size).device->has_own_memory())
    throw Error(ErrorKind::option, fmt::format("choosing lambda needs all eigenvectors of {} rows", size.rows),
                "‹lambda›", "give a lambda, or fewer centres than rows with ‹landmarks›");
  return plan.left();
}

}  // namespace weft::detail
