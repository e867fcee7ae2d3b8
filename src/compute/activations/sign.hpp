#pragma once

#include "compute/activations/bivariate_normal.hpp"
#include "compute/activations/spread.hpp"

namespace weft::detail::formula {

/// h(z) = sign z, sign 0 = 0.   S = erf(μ / √2ν).   D = (2/π) arcsin ρ.
struct Sign {
  static constexpr const char* kName = "sign";
  static std::vector<double> kinks() { return {0}; }

  template <class V>
  WEFT_HOST_DEVICE static V value(V z) {
    const V zero = z - z;
    return select(z > zero, zero + real<V>(1), select(z < zero, zero - real<V>(1), zero));
  }
  template <class V>
  WEFT_HOST_DEVICE static Terms<V> terms(V nu) {
    return {real<V>(kSqrtHalf) * inverse_spread(nu)};
  }
  template <class V>
  WEFT_HOST_DEVICE static V smooth(V mu, V p, V) {
    return erf(mu * p);
  }
  template <class V>
  WEFT_HOST_DEVICE static Slopes<V> slopes(V mu, V nu) {
    const NormalAt<V> at(mu, nu);
    const V zero = nu - nu, slope = select(nu > zero, real<V>(2) * at.density, zero);
    return {slope, select(nu > zero, -at.t * slope * at.inverse, zero)};
  }
  static double dual(double, double, double rho) { return 2 / std::numbers::pi * std::asin(rho); }
  static double shifted_dual(double m, double m2, double v, double v2, double rho) {
    const double h = m / std::sqrt(v);
    const double k = m2 / std::sqrt(v2);
    return 4 * bivariate_normal_cdf(h, k, rho) - 2 * normal_cdf(h) - 2 * normal_cdf(k) + 1;
  }
};

}  // namespace weft::detail::formula
