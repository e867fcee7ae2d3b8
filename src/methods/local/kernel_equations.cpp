#include "methods/local/kernel_equations.hpp"

#include "compute/device.hpp"
#include "core/at.hpp"
#include "linalg/cholesky.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

namespace {

constexpr double kJitter = 1e-10;  // of the mean diagonal: K_mm of many landmarks is singular to rounding

double mean_diagonal(const Matrix& a) {
  double sum = 0;
  for (Index i = 0; i < a.rows(); ++i) sum += a(i, i);
  return sum / static_cast<double>(a.rows());
}

}  // namespace

std::optional<KernelFit> solve_exact(View<double> kernel, const Matrix& y, const std::vector<double>& weights,
                                     double lambda, bool with_diagonal, int threads) {
  const Index n = kernel.rows;
  const Index outputs = y.cols();
  for (Index i = 0; i < n; ++i) kernel(i, i) += lambda / (weights.empty() ? 1 : weights[at(i)]);
  if (!cholesky_factor(kernel, threads)) return std::nullopt;
  Matrix rhs(n, outputs + 1);  // y, and 1 for the intercept
  for (Index i = 0; i < n; ++i) {
    std::copy_n(y.row(i), outputs, rhs.row(i));
    rhs(i, outputs) = 1;
  }
  solve_cholesky(kernel, rhs, threads);
  double ones = 0;
  for (Index i = 0; i < n; ++i) ones += rhs(i, outputs);
  KernelFit fit{Matrix(n, outputs), {}, {}};
  for (Index o = 0; o < outputs; ++o) {
    double sum = 0;
    for (Index i = 0; i < n; ++i) sum += rhs(i, o);
    fit.intercepts.push_back(sum / ones);
    for (Index i = 0; i < n; ++i) fit.coefficients(i, o) = rhs(i, o) - fit.intercepts.back() * rhs(i, outputs);
  }
  if (with_diagonal) {
    fit.diagonal = inverse_diagonal(kernel, threads);
    for (Index i = 0; i < n; ++i) fit.diagonal[at(i)] -= rhs(i, outputs) * rhs(i, outputs) / ones;
  }
  return fit;
}

LandmarkEquations::LandmarkEquations(const Kernel& kernel, InputTransform transform, const Matrix& landmarks,
                                     Index outputs, const Run& run)
    : kernel_(kernel),
      transform_(std::move(transform)),
      landmarks_(transform_.apply(landmarks)),
      prepared_(kernel_.prepare(landmarks_, Precision::float32)),
      kernel_matrix_(kernel_.gram(landmarks_, run)),
      run_(run),
      gram_(landmarks_.cols(), landmarks_.cols()),
      moments_(landmarks_.cols(), outputs + 1),
      targets_(at(outputs)) {}

void LandmarkEquations::add(const LabelledRows& rows) {
  rows_ += rows.rows();
  const Index m = landmarks_.cols();
  const Index outputs = rows.outputs();
  for (Index first = 0; first < rows.rows(); first += kBlockRows) {
    run_.check_cancelled();
    const Index count = std::min(kBlockRows, rows.rows() - first);
    Matrix phi(m, count), rooted, right(outputs + 1, count);
    kernel_.values(landmarks_, prepared_, transform_.apply(rows.x.view().col_range(first, count)), phi, run_);
    for (Index i = 0; i < count; ++i) {
      const double w = rows.weight(first + i);
      weight_ += w;
      right(outputs, i) = w;
      for (Index o = 0; o < outputs; ++o) {
        right(o, i) = w * rows.y(first + i, o);
        targets_[at(o)] += right(o, i);
      }
    }
    if (!rows.weights.empty()) {
      rooted = phi;
      for (Index t = 0; t < m; ++t)
        for (Index i = 0; i < count; ++i) rooted(t, i) *= std::sqrt(right(outputs, i));
    }
    cpu().add_sums(rows.weights.empty() ? phi : rooted, phi, right, gram_, moments_, run_.thread_count());
  }
}

std::vector<double> LandmarkEquations::target_means() const {
  std::vector<double> means = targets_;
  for (double& mean : means) mean /= weight_;
  return means;
}

std::optional<KernelFit> LandmarkEquations::solve(double lambda) const {
  const Index m = gram_.rows();
  const auto outputs = static_cast<Index>(targets_.size());
  Matrix normal(m, m);
  Matrix rhs(m, outputs);
  const double jitter = kJitter * mean_diagonal(gram_);
  for (Index s = 0; s < m; ++s) {
    const double mean = moments_(s, outputs) / weight_;
    for (Index t = 0; t <= s; ++t)
      normal(s, t) = gram_(s, t) - mean * moments_(t, outputs) + lambda * kernel_matrix_(s, t);
    normal(s, s) += jitter;
    for (Index o = 0; o < outputs; ++o) rhs(s, o) = moments_(s, o) - mean * targets_[at(o)];
  }
  if (!cholesky_factor(normal, run_.thread_count())) return std::nullopt;
  solve_cholesky(normal, rhs, run_.thread_count());
  KernelFit fit{std::move(rhs), {}, {}};
  for (Index o = 0; o < outputs; ++o) {
    double mean = targets_[at(o)] / weight_;
    for (Index t = 0; t < m; ++t) mean -= moments_(t, outputs) / weight_ * fit.coefficients(t, o);
    fit.intercepts.push_back(mean);
  }
  return fit;
}

}  // namespace weft::detail
