#include "methods/kernel/kernel_solution.hpp"

#include "core/at.hpp"
#include "core/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace weft::detail {

namespace {

double column_dot(const std::vector<double>& a, const Matrix& b, Index column) {
  double sum = 0;
  for (Index i = 0; i < b.rows(); ++i) sum += a[at(i)] * b(i, column);
  return sum;
}

// α = A⁻¹Sy − c·v, v = A⁻¹s, c = sᵀA⁻¹Sy / sᵀv and G = A⁻¹ − vvᵀ/sᵀv for A = SKS + μI.
KernelSolution solve_equations(const Problem& problem, const ScaledKernel& kernel, const KernelTargets& targets,
                               double mu, const std::function<bool()>& wants_diagonal) {
  const Index n = kernel.rows();
  const Index outputs = targets.y.cols();
  const bool intercept = problem.options.intercept;
  Matrix rhs(n, outputs + (intercept ? 1 : 0));
  for (Index i = 0; i < n; ++i) {
    std::copy_n(targets.y.row(i), outputs, rhs.row(i));
    if (intercept) rhs(i, outputs) = targets.roots[at(i)];
  }
  const RidgeSolution ridge = kernel.solve(mu, rhs);
  const Matrix& x = ridge.coefficients;
  const double border = intercept ? column_dot(targets.roots, x, outputs) : 1;
  KernelSolution solution{mu, Matrix(n, outputs), std::vector<double>(at(outputs)), {}, ridge.report};
  for (Index o = 0; o < outputs; ++o) {
    if (intercept) solution.intercepts[at(o)] = column_dot(targets.roots, x, o) / border;
    for (Index i = 0; i < n; ++i)
      solution.alpha(i, o) = x(i, o) - (intercept ? solution.intercepts[at(o)] * x(i, outputs) : 0);
  }
  if (!wants_diagonal()) return solution;
  solution.diagonal = ridge.factor.inverse_diagonal(problem.run.thread_count());
  for (Index i = 0; i < n && intercept; ++i) solution.diagonal[at(i)] -= x(i, outputs) * x(i, outputs) / border;
  return solution;
}

}  // namespace

KernelTargets gather_targets(const BlockSource& rows, bool intercept) {
  const Index outputs = rows.outputs();
  KernelTargets targets{Matrix(rows.rows(), outputs), {}, std::vector<double>(at(outputs)), 0};
  rows.for_each([&](const TrainingBlock& block) {
    for (Index i = 0; i < block.rows(); ++i) {
      const double w = block.weights == nullptr ? 1 : block.weights[i];
      targets.roots.push_back(std::sqrt(w));
      targets.weight += w;
      for (Index o = 0; o < outputs; ++o) {
        targets.y(block.first_row + i, o) = block.y(o, i);
        if (intercept) targets.shift[at(o)] += w * block.y(o, i);
      }
    }
    return true;
  });
  if (!(targets.weight > 0))
    throw Error(ErrorKind::data, "no row has a positive weight", "‹weights›", "give weights that are not all 0");
  for (double& shift : targets.shift) shift /= targets.weight;
  for (Index i = 0; i < targets.y.rows(); ++i)
    for (Index o = 0; o < outputs; ++o)
      targets.y(i, o) = targets.roots[at(i)] * (targets.y(i, o) - targets.shift[at(o)]);
  return targets;
}

KernelSolution solve_kernel(const Problem& problem, const ScaledKernel& kernel, const KernelTargets& targets,
                            double mu) {
  return solve_equations(problem, kernel, targets, mu, [&] { return !problem.run.out_of_time(); });
}

KernelFits kernel_fits(const Problem& problem, ScaledKernel& kernel, const KernelTargets& targets) {
  if (Matrix* const held = kernel.held()) {
    const auto path = std::make_shared<KernelPath>(std::move(*held), targets, problem.options.intercept);
    return [path, threads = problem.run.thread_count()](double mu) { return path->solve(mu, threads); };
  }
  return [&, failed = 0.0](double mu) mutable -> std::optional<KernelSolution> {
    if (mu <= failed) return std::nullopt;
    try {  // what is added to the diagonal where that helps would make it a fit of another μ
      KernelSolution solution = solve_equations(problem, kernel, targets, mu, [] { return true; });
      if (solution.equations->jitter == 0) return solution;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
    }
    failed = mu;
    return std::nullopt;
  };
}

KernelPath::KernelPath(Matrix kernel, const KernelTargets& targets, bool intercept) : targets_(targets) {
  const Index n = kernel.rows();
  double trace = 0;
  for (Index i = 0; i < n; ++i) trace += kernel(i, i);
  unit_eigenvalue_ = trace / static_cast<double>(n);
  if (intercept) {
    for (const double root : targets.roots) unit_.push_back(root / std::sqrt(targets.weight));
    project(kernel);
  }
  eigen_ = symmetric_eigen(std::move(kernel));
  rotated_ = Matrix(n, targets.y.cols());
  for (Index k = 0; k < n; ++k)
    for (Index i = 0; i < n; ++i)
      for (Index o = 0; o < rotated_.cols(); ++o) rotated_(k, o) += eigen_.vectors(k, i) * targets.y(i, o);
}

KernelSolution KernelPath::solve(double mu, int threads) const {
  const Index n = rotated_.rows();
  const Index outputs = rotated_.cols();
  KernelSolution solution{mu, Matrix(n, outputs), std::vector<double>(at(outputs)), std::vector<double>(at(n))};
  constexpr Index kRows = 64;  // of the solution, a cache's worth of the eigenvectors' columns
  parallel_for((n + kRows - 1) / kRows, threads, [&](Index piece) {
    const Index first = piece * kRows;
    const Index last = std::min(n, first + kRows);
    for (Index k = 0; k < n; ++k) {
      const double inverse = 1 / (std::max(0.0, eigen_.values[at(k)]) + mu);
      for (Index i = first; i < last; ++i) {
        const double q = eigen_.vectors(k, i);
        solution.diagonal[at(i)] += q * q * inverse;
        for (Index o = 0; o < outputs; ++o) solution.alpha(i, o) += q * inverse * rotated_(k, o);
      }
    }
    for (Index i = first; i < last && !unit_.empty(); ++i)
      solution.diagonal[at(i)] -= unit_[at(i)] * unit_[at(i)] / (unit_eigenvalue_ + mu);
  });
  if (!unit_.empty()) find_intercepts(solution);
  return solution;
}

// PKP + (mean eigenvalue)·uuᵀ = K − vuᵀ − uvᵀ + (uᵀKu + mean)·uuᵀ, v = Ku.
void KernelPath::project(Matrix& kernel) {
  const Index n = kernel.rows();
  image_.assign(at(n), 0.0);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) image_[at(i)] += kernel(i, j) * unit_[at(j)];
  double form = unit_eigenvalue_;
  for (Index i = 0; i < n; ++i) form += unit_[at(i)] * image_[at(i)];
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      kernel(i, j) += form * unit_[at(i)] * unit_[at(j)] - image_[at(i)] * unit_[at(j)] - unit_[at(i)] * image_[at(j)];
}

// S(y − c) = SKSα + μα, and uᵀα = 0: c‖s‖ = uᵀSy − (Ku)ᵀα. (uᵀSy is 0, the targets being about their means.)
void KernelPath::find_intercepts(KernelSolution& solution) const {
  for (Index o = 0; o < solution.alpha.cols(); ++o) {
    const double along = column_dot(unit_, solution.alpha, o);
    for (Index i = 0; i < solution.alpha.rows(); ++i) solution.alpha(i, o) -= along * unit_[at(i)];
    solution.intercepts[at(o)] = -column_dot(image_, solution.alpha, o) / std::sqrt(targets_.weight);
  }
}

Matrix left_out_errors(const KernelSolution& solution, const KernelTargets& targets) {
  Matrix errors(solution.alpha.rows(), solution.alpha.cols());
  for (Index i = 0; i < errors.rows(); ++i)
    for (Index o = 0; o < errors.cols() && targets.roots[at(i)] > 0; ++o)
      errors(i, o) = solution.alpha(i, o) / (targets.roots[at(i)] * solution.diagonal[at(i)]);
  return errors;
}

}  // namespace weft::detail
