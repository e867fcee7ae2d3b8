#include "linalg/ridge_path.hpp"

#include "compute/device.hpp"
#include "core/parallel.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/symmetric.hpp"

#include <weft/error.hpp>

#include <algorithm>
#include <optional>

namespace weft::detail {

namespace {

// (b) multiplies by L⁻¹ twice; R's condition number is what it can lose.
constexpr double kLeastRegulariserCondition = 1e-10;
// Below it (a) is more accurate: it scales the columns, (b) cannot.
constexpr double kLeastPathCondition = 1e-12;

// From how many λ on (b) is cheaper. Seconds for 10 / 20 / 50 λ on two cores (AMD EPYC, AVX2, OpenBLAS 0.3.21):
//   T      (a), any R            (b), R = I            (b), R given
//    500   .013 / .025 / .062    .007 / .007 / .009    .015 / .016 / .018
//   1000   .075 / .14  / .35     .045 / .046 / .051    .092 / .094 / .102
//   2000   .49  / .98  / 2.4     .36  / .37  / .41     .69  / .71  / .78
// (a) scales with threads and (b) hardly does, but the choice must not depend on them: the answers' bits would.
constexpr std::size_t kTridiagonalFromIdentity = 8;
constexpr std::size_t kTridiagonalFrom = 15;

/// L with R = LLᵀ, or nothing when R is too ill-conditioned for (b).
std::optional<DeviceMatrix<double>> factor_regulariser(View<const double> regulariser, Worker worker) {
  const Device& device = *worker.device;
  DeviceMatrix<double> lower(device, regulariser);
  const double norm = symmetric_one_norm(regulariser);
  if (!device.factor(lower.view(), worker.threads)) return std::nullopt;
  if (device.reciprocal_condition(lower, norm) < kLeastRegulariserCondition) return std::nullopt;
  return lower;
}

Matrix transposed(View<const double> a) {
  Matrix out(a.cols, a.rows);
  for (Index i = 0; i < a.rows; ++i)
    for (Index j = 0; j < a.cols; ++j) out(j, i) = a(i, j);
  return out;
}

/// gram + εI, both triangles.
Matrix shifted(View<const double> gram, double epsilon, int threads) {
  Matrix full = Matrix::unset(gram.rows, gram.rows);
  fill_symmetric(full, threads, [&](Index i, Index j) { return gram(i, j) + (i == j ? epsilon : 0.0); });
  return full;
}

/// L⁻¹(gram + εI)L⁻ᵀ = QHQᵀ, with L = I where none is given.
Tridiagonal tridiagonal_form(View<const double> gram, double epsilon, const DeviceMatrix<double>* lower,
                             Worker worker) {
  Tridiagonal form{{*worker.device, shifted(gram, epsilon, worker.threads)}};
  if (lower != nullptr) worker.device->divide_both_sides(*lower, form.reflectors);
  worker.device->tridiagonalise(form);
  return form;
}

RidgePath tridiagonal_path(View<const double> gram, const LowerOnDevice& regulariser, const DeviceMatrix<double>* lower,
                           std::span<const double> lambdas, double epsilon, View<const double> rhs, Worker worker) {
  const Device& device = *worker.device;
  const RidgeEquations equations(device, {device, gram}, regulariser, epsilon);
  const auto count = static_cast<Index>(lambdas.size());
  const Index k = rhs.cols;
  RidgePath path{std::vector<Matrix>(lambdas.size()), std::vector<RidgeReport>(lambdas.size()), true};
  Tridiagonal form = tridiagonal_form(gram, epsilon, lower, worker);
  Matrix start = transposed(transposed(rhs));
  if (lower != nullptr) device.solve_lower(*lower, false, start, worker.threads);
  start = transposed(start);
  device.rotate(form, true, start);
  Matrix vectors(count * k, gram.rows);            // all λ's side by side, so that Q is applied once
  std::vector<double> rcond(lambdas.size(), 0.0);  // 0: not positive definite
  parallel_for(count, worker.threads, [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    std::copy_n(start.data(), k * gram.rows, vectors.row(i * k));
    device.solve_tridiagonal(form, lambdas[at], vectors.view().row_range(i * k, k), rcond[at]);
  });
  device.rotate(form, false, vectors);
  const std::vector<double> ones(static_cast<std::size_t>(gram.rows), 1.0);
  parallel_for(count, worker.threads, [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    if (rcond[at] < kLeastPathCondition) {
      RidgeSolution solution = equations.solve(lambdas[at], rhs, 1);
      path.coefficients[at] = std::move(solution.coefficients);
      path.reports[at] = solution.report;
      return;
    }
    path.coefficients[at] = transposed(vectors.view().row_range(i * k, k));
    if (lower != nullptr) device.solve_lower(*lower, true, path.coefficients[at], 1);
    const Matrix residual = equations.residual(lambdas[at], rhs, path.coefficients[at], 1);
    path.reports[at] = {rcond[at], 0, 0, relative_residual(residual, rhs, ones)};
  });
  return path;
}

/// A device has room for one factor at a time, and is busy with one.
RidgePath cholesky_path(const RidgeEquations& equations, std::span<const double> lambdas, View<const double> rhs,
                        Worker worker) {
  const bool at_once = !worker.device->has_own_memory();
  RidgePath path{std::vector<Matrix>(lambdas.size()), std::vector<RidgeReport>(lambdas.size()), false};
  parallel_for(static_cast<Index>(lambdas.size()), at_once ? worker.threads : 1, [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    RidgeSolution solution = equations.solve(lambdas[at], rhs, at_once ? 1 : worker.threads);
    path.coefficients[at] = std::move(solution.coefficients);
    path.reports[at] = solution.report;
  });
  return path;
}

void check_path(View<const double> gram, View<const double> regulariser, std::span<const double> lambdas,
                double epsilon, View<const double> rhs, int threads) {
  check_ridge_inputs(gram, regulariser, rhs, threads);
  for (const double lambda : lambdas) check_ridge_strength(lambda, epsilon);
}

}  // namespace

PathRegulariser::PathRegulariser(View<const double> regulariser, std::size_t lambdas, Worker worker)
    : matrix_(*worker.device, regulariser) {
  if (worker.device->has_own_memory()) return;
  if (regulariser.data == nullptr) {
    tridiagonal_ = lambdas >= kTridiagonalFromIdentity;
  } else if (lambdas >= kTridiagonalFrom) {
    lower_ = factor_regulariser(regulariser, worker);
    tridiagonal_ = lower_.has_value();
  }
}

RidgePath ridge_path(View<const double> gram, const PathRegulariser& regulariser, std::span<const double> lambdas,
                     double epsilon, View<const double> rhs, Worker worker) {
  check_path(gram, regulariser.matrix().host(), lambdas, epsilon, rhs, worker.threads);
  if (regulariser.tridiagonal())
    return tridiagonal_path(gram, regulariser.matrix(), regulariser.lower(), lambdas, epsilon, rhs, worker);
  const Device& device = *worker.device;
  return cholesky_path({device, {device, gram}, regulariser.matrix(), epsilon}, lambdas, rhs, worker);
}

RidgePath ridge_path(View<const double> gram, View<const double> regulariser, std::span<const double> lambdas,
                     double epsilon, View<const double> rhs, Worker worker) {
  return ridge_path(gram, PathRegulariser(regulariser, lambdas.size(), worker), lambdas, epsilon, rhs, worker);
}

RidgePath ridge_path_cholesky(View<const double> gram, View<const double> regulariser, std::span<const double> lambdas,
                              double epsilon, View<const double> rhs, Worker worker) {
  check_path(gram, regulariser, lambdas, epsilon, rhs, worker.threads);
  const Device& device = *worker.device;
  return cholesky_path({device, {device, gram}, {device, regulariser}, epsilon}, lambdas, rhs, worker);
}

RidgePath ridge_path_tridiagonal(View<const double> gram, View<const double> regulariser,
                                 std::span<const double> lambdas, double epsilon, View<const double> rhs,
                                 Worker worker) {
  check_path(gram, regulariser, lambdas, epsilon, rhs, worker.threads);
  const LowerOnDevice matrix(*worker.device, regulariser);
  if (regulariser.data == nullptr) return tridiagonal_path(gram, matrix, nullptr, lambdas, epsilon, rhs, worker);
  const std::optional<DeviceMatrix<double>> lower = factor_regulariser(regulariser, worker);
  if (!lower)
    throw Error(ErrorKind::data,
                "the matrix of the penalty is too close to singular for one factorisation of all lambdas", {},
                "solve for each lambda separately");
  return tridiagonal_path(gram, matrix, &*lower, lambdas, epsilon, rhs, worker);
}

}  // namespace weft::detail
