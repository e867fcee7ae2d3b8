#include "linalg/ridge.hpp"

#include "core/parallel.hpp"
#include "core/tiles.hpp"
#include "linalg/cholesky.hpp"

#include <weft/error.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <string>

namespace weft::detail {

namespace {

constexpr double kRounding = std::numeric_limits<double>::epsilon();
constexpr Index kRows = 64;
// Of a feature whose penalty overflows: the diagonal entry counts as the largest number, and the feature as
// uncorrelated with the others. Its coefficient is 0 to any precision.
constexpr double kLargest = std::numeric_limits<double>::max();
const double kLeastScale = 1 / std::sqrt(kLargest);

void check_finite_lower(View<const double> a, const char* name, int threads) {
  std::vector<Index> found(static_cast<std::size_t>(tile_count(a.rows, kRows)), -1);  // a column of each tile's rows
  parallel_for(static_cast<Index>(found.size()), threads, [&](Index piece) {
    const Tile part = tile(piece, a.rows, kRows);
    Index& column = found[static_cast<std::size_t>(piece)];
    for (Index i = part.first; i < part.first + part.count && column < 0; ++i)
      for (Index j = 0; j <= i && column < 0; ++j)
        if (!std::isfinite(a(i, j))) column = j;
  });
  for (const Index column : found)
    if (column >= 0)
      throw Error(ErrorKind::data, std::string("the ") + name + " has an entry that is not finite",
                  "feature " + std::to_string(column + 1), "look for overflowing or missing values in that feature");
}

std::vector<double> unit_diagonal_scale(const RidgeMatrix& a) {
  std::vector<double> scale = a.diagonal();
  for (std::size_t i = 0; i < scale.size(); ++i) {
    const double diagonal = scale[i];
    if (!(diagonal >= 0))
      throw Error(ErrorKind::data, "the normal matrix has a negative diagonal entry",
                  "feature " + std::to_string(i + 1), "its Gram matrix is not a sum of squares");
    scale[i] = diagonal > 0 ? 1 / std::sqrt(std::min(diagonal, kLargest)) : 0;
  }
  return scale;
}

ScaledFactor factor_with_jitter(const RidgeMatrix& a, const std::vector<double>& scale, RidgeReport& report,
                                Worker worker) {
  const Device& device = *worker.device;
  const auto n = static_cast<Index>(scale.size());
  DeviceMatrix<double> lower(device, n, n);
  for (report.jitter = 0; report.jitter <= kLastJitter;
       report.jitter = report.jitter > 0 ? 10 * report.jitter : kFirstJitter) {
    a.scaled_lower(scale, report.jitter, lower);
    const double norm = symmetric_one_norm(lower, device);
    if (!std::isfinite(norm))
      throw Error(ErrorKind::data, "the normal matrix has an entry that is not finite", {},
                  "look for overflowing or missing values in the inputs");
    if (!device.factor(lower.view(), worker.threads)) continue;
    report.reciprocal_condition = n > 0 ? device.reciprocal_condition(lower, norm) : 1;
    if (report.reciprocal_condition >= kLeastReciprocalCondition) return {std::move(lower), scale};
  }
  throw Error(ErrorKind::data, "the normal matrix is not positive semidefinite", {},
              "check the Gram matrix and the penalty, or use a larger lambda or double precision");
}

void scale_rows(View<double> a, const std::vector<double>& scale) {
  for (Index i = 0; i < a.rows; ++i)
    for (Index c = 0; c < a.cols; ++c) a(i, c) *= scale[static_cast<std::size_t>(i)];
}

Matrix copy_of(View<const double> a) {
  Matrix copy(a.rows, a.cols);
  for (Index i = 0; i < a.rows; ++i) std::copy_n(a.row(i), a.cols, copy.row(i));
  return copy;
}

/// Corrects the coefficients while the residual without jitter at least halves.
void refine(const RidgeMatrix& a, const std::vector<double>& scale, View<const double> rhs, RidgeSolution& solution,
            int threads) {
  RidgeReport& report = solution.report;
  Matrix residual = a.residual(rhs, solution.coefficients);
  report.relative_residual = relative_residual(residual, rhs, scale);
  for (int step = 0; step < kMaxRefinements && report.relative_residual > 4 * kRounding; ++step) {
    Matrix better = residual;
    solution.factor.solve(better, threads);
    for (Index i = 0; i < better.rows(); ++i)
      for (Index c = 0; c < better.cols(); ++c) better(i, c) += solution.coefficients(i, c);
    residual = a.residual(rhs, better);
    const double ratio = relative_residual(residual, rhs, scale);
    if (!(ratio < 0.5 * report.relative_residual)) return;
    solution.coefficients = std::move(better);
    report.relative_residual = ratio;
    ++report.refinement_steps;
  }
}

}  // namespace

LowerOnDevice::LowerOnDevice(const Device& device, View<const double> host) : host_(host) {
  if (!device.has_own_memory() || host.data == nullptr) return;
  auto copy = std::make_shared<DeviceMatrix<double>>(device, host.rows, host.rows);
  device.copy_lower(host, copy->view());
  device.finish();  // for other threads
  copy_ = std::move(copy);
}

void ScaledFactor::solve(View<double> rhs, int threads) const {
  scale_rows(rhs, scale_);
  DeviceMatrix<double> copy(device());
  View<double> right = rhs;
  if (device().has_own_memory()) {
    copy = DeviceMatrix<double>(device(), View<const double>(rhs));
    right = copy;
  }
  device().solve_lower(*lower_, false, right, threads);
  device().solve_lower(*lower_, true, right, threads);
  device().copy(View<const double>(right), rhs);
  scale_rows(rhs, scale_);
}

std::vector<Matrix> ScaledFactor::solve_leading(View<const double> rhs, std::span<const Index> sizes) const {
  Matrix half = copy_of(rhs);
  scale_rows(half, scale_);
  device().solve_lower(*lower_, false, half, 1);
  std::vector<Matrix> solutions;
  for (const Index size : sizes) {
    solutions.push_back(copy_of(half.view().row_range(0, size)));
    device().solve_lower(lower_->view().row_range(0, size).col_range(0, size), true, solutions.back(), 1);
    scale_rows(solutions.back(), scale_);
  }
  return solutions;
}

std::vector<double> ScaledFactor::inverse_diagonal(int threads) const {
  std::vector<double> diagonal = device().inverse_diagonal(*lower_, threads);
  for (std::size_t i = 0; i < diagonal.size(); ++i) diagonal[i] *= scale_[i] * scale_[i];
  return diagonal;
}

std::vector<double> ScaledFactor::inverse_forms(View<const double> phi, int threads) const {
  Matrix half = copy_of(phi);
  scale_rows(half, scale_);
  device().solve_lower(*lower_, false, half, threads);
  std::vector<double> forms(static_cast<std::size_t>(phi.cols));
  for (Index i = 0; i < half.rows(); ++i)
    for (Index c = 0; c < half.cols(); ++c) forms[static_cast<std::size_t>(c)] += half(i, c) * half(i, c);
  return forms;
}

Matrix ScaledFactor::unscaled_lower() const {
  Matrix lower(lower_->rows(), lower_->cols());
  device().copy_lower(lower_->view(), lower.view());
  for (Index i = 0; i < lower.rows(); ++i) {
    const double scale = scale_[static_cast<std::size_t>(i)];
    for (Index j = 0; j <= i; ++j) lower(i, j) = scale > 0 ? lower(i, j) / scale : (i == j ? 1 : 0);
  }
  return lower;
}

RidgeSolution solve_ridge(const RidgeMatrix& a, View<const double> rhs, Worker worker) {
  const std::vector<double> scale = unit_diagonal_scale(a);
  RidgeSolution solution;
  solution.factor = factor_with_jitter(a, scale, solution.report, worker);
  solution.coefficients = copy_of(rhs);
  solution.factor.solve(solution.coefficients, worker.threads);
  refine(a, scale, rhs, solution, worker.threads);
  return solution;
}

/// The matrix of one λ.
class RidgeEquations::AtLambda final : public RidgeMatrix {
 public:
  AtLambda(const RidgeEquations& equations, double lambda, int threads)
      : all_(equations), lambda_(lambda), threads_(threads) {}

  std::vector<double> diagonal() const override {
    const View<const double> gram = all_.gram_.host(), regulariser = all_.regulariser_.host();
    std::vector<double> result(static_cast<std::size_t>(gram.rows));
    for (Index i = 0; i < gram.rows; ++i)
      result[static_cast<std::size_t>(i)] =
          gram(i, i) + lambda_ * (regulariser.data != nullptr ? regulariser(i, i) : 1.0) + all_.epsilon_;
    return result;
  }

  void scaled_lower(const std::vector<double>& scale, double jitter, DeviceMatrix<double>& lower) const override {
    std::vector<double> finite = scale;
    std::replace(finite.begin(), finite.end(), kLeastScale, 0.0);
    all_.device_.scaled_normal(all_.gram_.there(), all_.regulariser_.there(), lambda_, finite.data(), jitter, lower,
                               threads_);
  }

  Matrix residual(View<const double> rhs, View<const double> x) const override {
    return all_.residual(lambda_, rhs, x, threads_);
  }

 private:
  const RidgeEquations& all_;
  double lambda_;
  int threads_;
};

RidgeSolution RidgeEquations::solve(double lambda, View<const double> rhs, int threads) const {
  return solve_ridge(AtLambda(*this, lambda, threads), rhs, {device_, threads});
}

Matrix RidgeEquations::residual(double lambda, View<const double> rhs, View<const double> coefficients,
                                int threads) const {
  const bool given = regulariser_.host().data != nullptr;
  const DeviceMatrix<double> x(device_, coefficients);
  DeviceMatrix<double> left(device_, rhs);
  device_.add_symmetric_product(-1, gram_.there(), x, left, threads);
  if (given) device_.add_symmetric_product(-lambda, regulariser_.there(), x, left, threads);
  Matrix residual = left.on_host();
  const double shift = epsilon_ + (given ? 0.0 : lambda);
  for (Index i = 0; i < rhs.rows; ++i)
    for (Index c = 0; c < rhs.cols; ++c) residual(i, c) -= shift * coefficients(i, c);
  return residual;
}

RidgeSolution solve_regularised(View<const double> gram, View<const double> regulariser, double lambda, double epsilon,
                                View<const double> rhs, Worker worker) {
  check_ridge_strength(lambda, epsilon);
  check_ridge_inputs(gram, regulariser, rhs, worker.threads);
  const Device& device = *worker.device;
  return RidgeEquations(device, {device, gram}, {device, regulariser}, epsilon).solve(lambda, rhs, worker.threads);
}

void check_ridge_inputs(View<const double> gram, View<const double> regulariser, View<const double> rhs, int threads) {
  assert(gram.rows == gram.cols && rhs.rows == gram.rows);
  assert(regulariser.data == nullptr || (regulariser.rows == gram.rows && regulariser.cols == gram.rows));
  check_finite_lower(gram, "Gram matrix", threads);
  if (regulariser.data != nullptr) check_finite_lower(regulariser, "regulariser", threads);
  for (Index i = 0; i < rhs.rows; ++i)
    for (Index c = 0; c < rhs.cols; ++c)
      if (!std::isfinite(rhs(i, c)))
        throw Error(ErrorKind::data, "a product of features and targets is not finite",
                    "feature " + std::to_string(i + 1), "look for overflowing or missing values");
}

void check_ridge_strength(double lambda, double epsilon) {
  if (!(lambda >= 0) || !std::isfinite(lambda))
    throw Error(ErrorKind::option, "lambda must be finite and at least 0", "‹lambda›", "give 0 or a positive number");
  if (!(epsilon >= 0) || !std::isfinite(epsilon))
    throw Error(ErrorKind::option, "epsilon must be finite and at least 0", "‹epsilon›", "give 0 or a positive number");
}

double relative_residual(View<const double> residual, View<const double> rhs, const std::vector<double>& scale) {
  double largest = 0;
  for (Index c = 0; c < rhs.cols; ++c) {
    double above = 0;
    double below = 0;
    for (Index i = 0; i < rhs.rows; ++i) {
      const double factor = scale[static_cast<std::size_t>(i)];
      above = std::hypot(above, factor * residual(i, c));
      below = std::hypot(below, factor * rhs(i, c));
    }
    if (above > 0) largest = std::max(largest, above / below);
  }
  return largest;
}

}  // namespace weft::detail
