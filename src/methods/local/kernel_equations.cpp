#include "methods/local/kernel_equations.hpp"

#include "compute/device.hpp"
#include "core/at.hpp"
#include "linalg/cholesky.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

namespace {

constexpr double kSingle = 1e-4;   // λ from which single precision changes errors by less than 0.1 %, as measured
constexpr double kJitter = 1e-10;  // of the mean diagonal: K_mm of many landmarks is singular to rounding

double mean_diagonal(const Matrix& a) {
  double sum = 0;
  for (Index i = 0; i < a.rows(); ++i) sum += a(i, i);
  return sum / static_cast<double>(a.rows());
}

/// Replaces `kernel` + λW⁻¹ by its factor. False: not positive definite.
template <class Real>
bool factor_penalised(View<Real> kernel, const std::vector<double>& weights, double lambda, int threads) {
  for (Index i = 0; i < kernel.rows; ++i)
    kernel(i, i) = static_cast<Real>(kernel(i, i) + lambda / (weights.empty() ? 1 : weights[at(i)]));
  return cpu().factor(kernel, threads);
}

/// y and, in the last column, 1.
template <class Real>
BasicMatrix<Real> right_sides(const Matrix& y) {
  BasicMatrix<Real> result(y.rows(), y.cols() + 1);
  for (Index i = 0; i < y.rows(); ++i) {
    for (Index o = 0; o < y.cols(); ++o) result(i, o) = static_cast<Real>(y(i, o));
    result(i, y.cols()) = 1;
  }
  return result;
}

/// Solves for y and, in the last column, for 1. None: not positive definite.
template <class Real>
std::optional<BasicMatrix<Real>> solve_both(View<Real> kernel, const Matrix& y, const std::vector<double>& weights,
                                            double lambda, int threads) {
  if (!factor_penalised(kernel, weights, lambda, threads)) return std::nullopt;
  BasicMatrix<Real> rhs = right_sides<Real>(y);
  cpu().solve_lower(kernel, false, rhs.view(), threads);
  cpu().solve_lower(kernel, true, rhs.view(), threads);
  return rhs;
}

/// The intercepts that make the coefficients sum to 0.
template <class Real>
KernelFit with_intercepts(const BasicMatrix<Real>& solved) {
  const Index n = solved.rows();
  const Index outputs = solved.cols() - 1;
  const auto sum = [&](Index column) {
    double total = 0;
    for (Index i = 0; i < n; ++i) total += solved(i, column);
    return total;
  };
  const double ones = sum(outputs);
  KernelFit fit{Matrix(n, outputs), {}};
  for (Index o = 0; o < outputs; ++o) {
    fit.intercepts.push_back(sum(o) / ones);
    for (Index i = 0; i < n; ++i) fit.coefficients(i, o) = solved(i, o) - fit.intercepts.back() * solved(i, outputs);
  }
  return fit;
}

/// With L₁₁ the factor of the first rows' equations and L₂₁ the rows below it, K₂₁ = L₂₁L₁₁ᵀ: the first rows' fit
/// predicts K₂₁a + c = L₂₁(u − cv) + c for the others, u = L₁₁⁻¹y, v = L₁₁⁻¹1 and c = uᵀv / vᵀv.
Matrix held_out_scores(View<const double> factor, const Matrix& first_y, int threads) {
  const Index first = first_y.rows(), outputs = first_y.cols();
  Matrix forward = right_sides<double>(first_y);
  cpu().solve_lower(factor.row_range(0, first).col_range(0, first), false, forward.view(), threads);
  Matrix centred(first, outputs), scores(factor.rows - first, outputs);
  double ones = 0;
  for (Index i = 0; i < first; ++i) ones += forward(i, outputs) * forward(i, outputs);
  for (Index o = 0; o < outputs; ++o) {
    double intercept = 0;
    for (Index i = 0; i < first; ++i) intercept += forward(i, o) * forward(i, outputs) / ones;
    for (Index i = 0; i < first; ++i) centred(i, o) = forward(i, o) - intercept * forward(i, outputs);
    for (Index i = 0; i < scores.rows(); ++i) scores(i, o) = intercept;
  }
  if (scores.rows() > 0)
    cpu().multiply(1, factor.row_range(first, scores.rows()).col_range(0, first), centred, 1, scores);
  return scores;
}

}  // namespace

Matrix lower_kernel(const Kernel& kernel, View<const double> x, const Run& run, Precision precision) {
  Matrix result(x.cols, x.cols);
  cpu().kernel_values(kernel, x, kernel.prepare(x, precision), x, result, true, run);
  return result;
}

std::optional<KernelFit> solve_exact(View<double> kernel, const Matrix& y, const std::vector<double>& weights,
                                     double lambda, int threads) {
  const std::optional<Matrix> solved = solve_both(kernel, y, weights, lambda, threads);
  return solved ? std::optional(with_intercepts(*solved)) : std::nullopt;
}

std::optional<HeldOutFit> solve_with_held_out(View<double> kernel, const Matrix& y, const Matrix& first_y,
                                              const std::vector<double>& weights, double lambda, int threads) {
  const std::optional<Matrix> solved = solve_both(kernel, y, weights, lambda, threads);
  if (!solved) return std::nullopt;
  return HeldOutFit{with_intercepts(*solved), held_out_scores(kernel, first_y, threads)};
}

std::optional<KernelFit> solve_for_search(View<const double> kernel, const Matrix& y,
                                          const std::vector<double>& weights, double lambda, int threads) {
  const double heaviest = weights.empty() ? 1 : *std::max_element(weights.begin(), weights.end());
  if (lambda / heaviest >= kSingle) {
    BasicMatrix<float> single(kernel.rows, kernel.cols);
    for (Index i = 0; i < kernel.rows; ++i)
      for (Index j = 0; j <= i; ++j) single(i, j) = static_cast<float>(kernel(i, j));
    if (const auto solved = solve_both(single.view(), y, weights, lambda, threads)) return with_intercepts(*solved);
  }
  Matrix factored(kernel.rows, kernel.cols);
  for (Index i = 0; i < kernel.rows; ++i) std::copy_n(kernel.row(i), i + 1, factored.row(i));
  return solve_exact(factored, y, weights, lambda, threads);
}

LandmarkEquations::LandmarkEquations(const Kernel& kernel, InputTransform transform, const Matrix& landmarks,
                                     Index outputs, const Run& run)
    : kernel_(kernel),
      transform_(std::move(transform)),
      landmarks_(transform_.apply(landmarks)),
      prepared_(kernel_.prepare(landmarks_, Precision::float32)),
      kernel_matrix_(lower_kernel(kernel_, landmarks_, run)),
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
  KernelFit fit{std::move(rhs), {}};
  for (Index o = 0; o < outputs; ++o) {
    double mean = targets_[at(o)] / weight_;
    for (Index t = 0; t < m; ++t) mean -= moments_(t, outputs) / weight_ * fit.coefficients(t, o);
    fit.intercepts.push_back(mean);
  }
  return fit;
}

}  // namespace weft::detail
