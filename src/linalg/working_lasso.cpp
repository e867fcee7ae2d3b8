#include "linalg/working_lasso.hpp"

#include "compute/device.hpp"
#include "linalg/cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace weft::detail {

namespace {

// Of the diagonal, so that the step does not depend on the columns' scales. Duplicate columns need it.
constexpr double kFirstLassoJitter = 1e-13;
constexpr double kLastLassoJitter = 1e-3;

double soft_threshold(double z, double mu) {
  return z > mu ? z - mu : z < -mu ? z + mu : 0.0;
}

}  // namespace

LassoCertificate certify_lasso(std::span<const double> a, std::span<const double> g, std::span<const double> q,
                               double yy, double mu) {
  double explained = 0;    // aᵀq
  double correlation = 0;  // aᵀg = (Φa)ᵀ(y − Φa)
  double largest = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    explained += a[j] * q[j];
    correlation += a[j] * g[j];
    largest = std::max(largest, std::abs(g[j]));
  }
  LassoCertificate result;
  result.squared_residual = std::max(0.0, yy - explained - correlation);
  // The dual value at s·r is greatest at s = rᵀy/‖r‖², r = y − Φa, as far as |s|·‖Φᵀr‖∞ ≤ μ allows.
  const double bound = largest > 0 ? mu / largest : std::numeric_limits<double>::max();
  const double best =
      result.squared_residual > 0 ? 1 + correlation / result.squared_residual : std::numeric_limits<double>::max();
  const double s = std::clamp(best, -bound, bound);
  // Primal − dual = ½‖r‖²(1 − s)² + Σ_j (μ|a_j| − s g_j a_j): sums of nonnegative terms, where the plain difference of
  // the two values would cancel to the rounding of yᵀy.
  double slack = 0;
  for (std::size_t j = 0; j < a.size(); ++j)
    if (a[j] != 0) slack += mu * std::abs(a[j]) - s * g[j] * a[j];
  const double shortfall = result.squared_residual > 0 ? result.squared_residual * (1 - s) * (1 - s) : 0;
  result.gap = 0.5 * shortfall + slack;
  result.dual_scale = s;
  return result;
}

WorkingLasso::WorkingLasso(Matrix gram, std::vector<double> cross, std::vector<double> start, double yy, double mu)
    : gram_(std::move(gram)), q_(std::move(cross)), a_(std::move(start)), yy_(yy), mu_(mu) {
  refresh_gradient();
}

void WorkingLasso::refresh_gradient() {
  g_ = q_;
  for (std::size_t j = 0; j < a_.size(); ++j)
    if (a_[j] != 0) cpu().add_scaled(gram_.cols(), -a_[j], gram_.row(static_cast<Index>(j)), g_.data());
}

/// The exact minimum over coordinate j.
void WorkingLasso::minimise(std::size_t j) {
  const double* row = gram_.row(static_cast<Index>(j));
  const double before = a_[j];
  const double after = soft_threshold(g_[j] + before * row[j], mu_) / row[j];
  if (after == before) return;
  a_[j] = after;
  cpu().add_scaled(gram_.cols(), before - after, row, g_.data());
}

void WorkingLasso::descend() {
  for (std::size_t j = 0; j < a_.size(); ++j) minimise(j);
}

void WorkingLasso::admit(Index count) {
  for (; count > 0; --count) {
    // One at a time: once a column is in, those that repeat it are satisfied too.
    std::size_t worst = a_.size();
    double most = 0;
    for (std::size_t j = 0; j < a_.size(); ++j) {
      if (a_[j] != 0 || std::abs(g_[j]) <= mu_) continue;
      const double gain =
          (std::abs(g_[j]) - mu_) * (std::abs(g_[j]) - mu_) / gram_(static_cast<Index>(j), static_cast<Index>(j));
      if (gain > most) {
        most = gain;
        worst = j;
      }
    }
    if (worst == a_.size()) return;
    minimise(worst);
  }
}

double WorkingLasso::objective() const {
  double value = 0;
  for (std::size_t j = 0; j < a_.size(); ++j) value += mu_ * std::abs(a_[j]) - 0.5 * a_[j] * (q_[j] + g_[j]);
  return value;
}

Index WorkingLasso::support_size() const {
  return std::count_if(a_.begin(), a_.end(), [](double value) { return value != 0; });
}

/// d with Q_SS d = g_S − μ sign a_S; empty when no jitter makes Q_SS positive definite.
std::vector<double> WorkingLasso::newton_direction(const std::vector<Index>& support) const {
  const auto size = static_cast<Index>(support.size());
  Matrix lower(size, size);
  for (double jitter = kFirstLassoJitter; jitter <= kLastLassoJitter; jitter *= 100) {
    for (Index i = 0; i < size; ++i) {
      const double* row = gram_.row(support[i]);
      for (Index j = 0; j <= i; ++j) lower(i, j) = row[support[j]];
      lower(i, i) *= 1 + jitter;
    }
    if (!cholesky_factor(lower, 1)) continue;
    std::vector<double> direction(support.size());
    for (std::size_t i = 0; i < support.size(); ++i) direction[i] = g_[support[i]] - std::copysign(mu_, a_[support[i]]);
    solve_cholesky(lower, View<double>(direction.data(), size, 1), 1);
    return direction;
  }
  return {};
}

/// The exact minimum along a + t·d: between the points where a coordinate changes sign the objective is quadratic.
WorkingLasso::Step WorkingLasso::search(const std::vector<Index>& support, const std::vector<double>& direction) const {
  double slope = 0;
  double curvature = 0;
  std::vector<std::pair<double, std::size_t>> crossings;
  for (std::size_t i = 0; i < support.size(); ++i) {
    const double* row = gram_.row(support[i]);
    double product = 0;
    for (std::size_t j = 0; j < support.size(); ++j) product += row[support[j]] * direction[j];
    curvature += direction[i] * product;
    slope += direction[i] * (std::copysign(mu_, a_[support[i]]) - g_[support[i]]);
    if (a_[support[i]] * direction[i] < 0) crossings.emplace_back(-a_[support[i]] / direction[i], i);
  }
  std::sort(crossings.begin(), crossings.end());
  bool crossed = false;
  for (const auto& [at, member] : crossings) {
    if (slope + curvature * at >= 0) break;
    slope += 2 * mu_ * std::abs(direction[member]);
    if (slope + curvature * at >= 0) return {at, static_cast<std::ptrdiff_t>(member), true};
    crossed = true;
  }
  return {slope < 0 && curvature > 0 ? -slope / curvature : 0.0, -1, crossed};
}

bool WorkingLasso::newton_step() {
  std::vector<Index> support;
  for (std::size_t j = 0; j < a_.size(); ++j)
    if (a_[j] != 0) support.push_back(static_cast<Index>(j));
  const std::vector<double> direction = newton_direction(support);
  if (direction.empty()) return false;
  const Step step = search(support, direction);
  if (!(step.length > 0) || !std::isfinite(step.length)) return false;
  for (std::size_t i = 0; i < support.size(); ++i) a_[support[i]] += step.length * direction[i];
  if (step.vanishes >= 0) a_[support[static_cast<std::size_t>(step.vanishes)]] = 0;
  refresh_gradient();
  return step.crossed;
}

}  // namespace weft::detail
