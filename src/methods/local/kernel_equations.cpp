#include "methods/local/kernel_equations.hpp"

#include "compute/gpu.hpp"
#include "core/at.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

namespace {

constexpr double kSingle = 1e-4;   // λ from which single precision changes errors by less than 0.1 %, as measured
constexpr double kJitter = 1e-10;  // of the mean diagonal: K_mm of many landmarks is singular to rounding

/// Of a factorisation.
double solve_operations(Index n) {
  const auto size = static_cast<double>(n);
  return size * size * size / 3;
}

double mean_diagonal(const DeviceMatrix<double>& a) {
  Matrix diagonal(a.rows(), 1);
  a.device().copy(View<const double>(a.view().data, a.rows(), 1, a.rows() + 1), diagonal.view());
  double sum = 0;
  for (Index i = 0; i < a.rows(); ++i) sum += diagonal(i, 0);
  return sum / static_cast<double>(a.rows());
}

/// Replaces `kernel` + λW⁻¹ by its factor. False: not positive definite.
template <class Real>
bool factor_penalised(DeviceMatrix<Real>& kernel, const std::vector<double>& weights, double lambda, int threads) {
  std::vector<double> penalties(at(kernel.rows()), lambda);
  for (std::size_t i = 0; i < weights.size(); ++i) penalties[i] /= weights[i];
  kernel.device().add_to_diagonal(kernel.view(), penalties.data());
  return kernel.device().factor(kernel.view(), threads);
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
std::optional<BasicMatrix<Real>> solve_both(DeviceMatrix<Real>& kernel, const Matrix& y,
                                            const std::vector<double>& weights, double lambda, int threads) {
  if (!factor_penalised(kernel, weights, lambda, threads)) return std::nullopt;
  const Device& device = kernel.device();
  BasicMatrix<Real> rhs = right_sides<Real>(y);
  DeviceMatrix<Real> solution(device, rhs.view());
  device.solve_lower(View<const Real>(kernel.view()), false, solution.view(), threads);
  device.solve_lower(View<const Real>(kernel.view()), true, solution.view(), threads);
  device.copy(View<const Real>(solution.view()), rhs.view());
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
Matrix held_out_scores(const DeviceMatrix<double>& factor, const Matrix& first_y, int threads) {
  const Device& device = factor.device();
  const Index first = first_y.rows(), outputs = first_y.cols();
  Matrix forward = right_sides<double>(first_y);
  device.solve_lower(factor.view().row_range(0, first).col_range(0, first), false, forward.view(), threads);
  Matrix centred(first, outputs), scores(factor.rows() - first, outputs);
  double ones = 0;
  for (Index i = 0; i < first; ++i) ones += forward(i, outputs) * forward(i, outputs);
  for (Index o = 0; o < outputs; ++o) {
    double intercept = 0;
    for (Index i = 0; i < first; ++i) intercept += forward(i, o) * forward(i, outputs) / ones;
    for (Index i = 0; i < first; ++i) centred(i, o) = forward(i, o) - intercept * forward(i, outputs);
    for (Index i = 0; i < scores.rows(); ++i) scores(i, o) = intercept;
  }
  if (scores.rows() > 0)
    device.multiply(1, factor.view().row_range(first, scores.rows()).col_range(0, first), centred, 1, scores);
  return scores;
}

}  // namespace

DeviceMatrix<double> lower_kernel(const Kernel& kernel, View<const double> x, const Run& run, Precision precision) {
  const Device& device = device_for(run, kernel, solve_operations(x.cols));
  DeviceMatrix<double> result(device, x.cols, x.cols);
  const DeviceMatrix<double> rows(device, x);
  device.kernel_values(kernel, rows, kernel.prepare(x, precision), rows, result, true, run);
  return result;
}

std::optional<KernelFit> solve_exact(DeviceMatrix<double>& kernel, const Matrix& y, const std::vector<double>& weights,
                                     double lambda, int threads) {
  const std::optional<Matrix> solved = solve_both(kernel, y, weights, lambda, threads);
  return solved ? std::optional(with_intercepts(*solved)) : std::nullopt;
}

std::optional<HeldOutFit> solve_with_held_out(DeviceMatrix<double>& kernel, const Matrix& y, const Matrix& first_y,
                                              const std::vector<double>& weights, double lambda, int threads) {
  const std::optional<Matrix> solved = solve_both(kernel, y, weights, lambda, threads);
  if (!solved) return std::nullopt;
  return HeldOutFit{with_intercepts(*solved), held_out_scores(kernel, first_y, threads)};
}

std::optional<KernelFit> solve_for_search(const DeviceMatrix<double>& kernel, const Matrix& y,
                                          const std::vector<double>& weights, double lambda, int threads) {
  const Device& device = kernel.device();
  const double heaviest = weights.empty() ? 1 : *std::max_element(weights.begin(), weights.end());
  if (lambda / heaviest >= kSingle) {
    DeviceMatrix<float> single(device, kernel.rows(), kernel.cols());
    device.copy_lower(kernel.view(), single.view());
    if (const auto solved = solve_both(single, y, weights, lambda, threads)) return with_intercepts(*solved);
  }
  DeviceMatrix<double> factored(device, kernel.rows(), kernel.cols());
  device.copy_lower(kernel.view(), factored.view());
  return solve_exact(factored, y, weights, lambda, threads);
}

LandmarkEquations::LandmarkEquations(const Kernel& kernel, InputTransform transform, const Matrix& landmarks,
                                     Index outputs, const Run& run)
    : kernel_(kernel),
      transform_(std::move(transform)),
      landmarks_(transform_.apply(landmarks)),
      prepared_(kernel_.prepare(landmarks_, Precision::float32)),
      run_(run),
      kernel_matrix_(lower_kernel(kernel_, landmarks_, run)),
      gram_(kernel_matrix_.device(), landmarks_.cols(), landmarks_.cols()),
      moments_(kernel_matrix_.device(), landmarks_.cols(), outputs + 1),
      targets_(at(outputs)) {
  gram_.device().clear(gram_);
  gram_.device().clear(moments_);
}

void LandmarkEquations::add(const LabelledRows& rows) {
  rows_ += rows.rows();
  const Device& device = gram_.device();
  const Index m = landmarks_.cols();
  const Index outputs = rows.outputs();
  for (Index first = 0; first < rows.rows(); first += kBlockRows) {
    run_.check_cancelled();
    const Index count = std::min(kBlockRows, rows.rows() - first);
    const Matrix x = transform_.apply(rows.x.view().col_range(first, count));
    DeviceMatrix<double> phi(device, m, count), rooted(device);
    Matrix right(outputs + 1, count);
    device.kernel_values(kernel_, landmarks_, prepared_, x, phi, false, run_);
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
      std::vector<double> roots(right.row(outputs), right.row(outputs) + count);
      for (double& root : roots) root = std::sqrt(root);
      rooted.reshape(m, count);
      device.scale_columns(phi.view(), roots.data(), rooted.view(), run_.thread_count());
    }
    device.add_sums(View<const double>(rows.weights.empty() ? phi.view() : rooted.view()), phi.view(), right, gram_,
                    moments_, run_.thread_count());
  }
}

std::vector<double> LandmarkEquations::target_means() const {
  std::vector<double> means = targets_;
  for (double& mean : means) mean /= weight_;
  return means;
}

std::optional<KernelFit> LandmarkEquations::solve(double lambda) const {
  const Device& device = gram_.device();
  const Index m = gram_.rows();
  const auto outputs = static_cast<Index>(targets_.size());
  const Matrix moments = moments_.on_host();
  Matrix rhs(m, outputs);
  std::vector<double> sums(at(m));
  for (Index s = 0; s < m; ++s) {
    sums[at(s)] = moments(s, outputs);
    const double mean = moments(s, outputs) / weight_;
    for (Index o = 0; o < outputs; ++o) rhs(s, o) = moments(s, o) - mean * targets_[at(o)];
  }
  DeviceMatrix<double> normal(device, m, m);
  device.penalised_normal(gram_, sums.data(), weight_, lambda, kernel_matrix_, kJitter * mean_diagonal(gram_), normal);
  if (!device.factor(normal.view(), run_.thread_count())) return std::nullopt;
  device.solve_lower(View<const double>(normal.view()), false, rhs.view(), run_.thread_count());
  device.solve_lower(View<const double>(normal.view()), true, rhs.view(), run_.thread_count());
  KernelFit fit{std::move(rhs), {}};
  for (Index o = 0; o < outputs; ++o) {
    double mean = targets_[at(o)] / weight_;
    for (Index t = 0; t < m; ++t) mean -= moments(t, outputs) / weight_ * fit.coefficients(t, o);
    fit.intercepts.push_back(mean);
  }
  return fit;
}

}  // namespace weft::detail
