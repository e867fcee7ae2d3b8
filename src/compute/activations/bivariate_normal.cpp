#include "compute/activations/bivariate_normal.hpp"

#include "core/special_functions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace weft::detail {

double normal_cdf(double x) {
  return 0.5 * std::erfc(-x * std::numbers::sqrt2 / 2);
}

double bivariate_normal_cdf(double h, double k, double rho) {
  if (rho >= 1) return normal_cdf(std::min(h, k));
  if (rho <= -1) return std::max(0.0, normal_cdf(h) - normal_cdf(-k));
  if (h == 0 && k == 0) return 0.25 + std::asin(rho) / (2 * std::numbers::pi);
  // Owen (1956), eq. 2.1: Φ₂ = ½Φ(h) + ½Φ(k) − T(h, a_h) − T(k, a_k) − [½ where hk < 0, or hk = 0 and h + k < 0].
  const double root = std::sqrt((1 - rho) * (1 + rho));
  const double t_h = h == 0 ? 0.25 * (k > 0 ? 1 : -1) : owens_t(h, (k - rho * h) / (h * root));
  const double t_k = k == 0 ? 0.25 * (h > 0 ? 1 : -1) : owens_t(k, (h - rho * k) / (k * root));
  const bool opposite = h * k < 0 || (h * k == 0 && h + k < 0);
  return 0.5 * normal_cdf(h) + 0.5 * normal_cdf(k) - t_h - t_k - (opposite ? 0.5 : 0);
}

}  // namespace weft::detail
