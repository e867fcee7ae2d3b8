#pragma once

#include "compute/activations/math.hpp"

#include <algorithm>

namespace weft::detail::formula {

/// h(z) = erf z.   S = erf(μ/√(1+2ν²)).   D = (2/π) arcsin(2c/√((1+2v)(1+2v'))), c = Cov (Williams 1998).
struct Erf {
  static constexpr const char* kName = "erf";
  static std::vector<double> kinks() { return {}; }

  template <class V>
  WEFT_HOST_DEVICE static V value(V z) {
    return erf(z);
  }
  template <class V>
  WEFT_HOST_DEVICE static Terms<V> terms(V nu) {
    return {real<V>(1) / sqrt(real<V>(1) + real<V>(2) * nu * nu)};
  }
  template <class V>
  WEFT_HOST_DEVICE static V smooth(V mu, V p, V) {
    return erf(mu * p);
  }
  template <class V>
  WEFT_HOST_DEVICE static Slopes<V> slopes(V mu, V nu) {
    const V p = terms(nu).p, t = mu * p;
    const V slope = real<V>(2 * std::numbers::inv_sqrtpi) * p * exp(-t * t);
    return {slope, real<V>(-2) * t * p * slope};
  }
  static double dual(double v, double v2, double rho) {
    const double c = rho * std::sqrt(v) * std::sqrt(v2);
    return 2 / std::numbers::pi *
           std::asin(std::clamp(2 * c / (std::sqrt(1 + 2 * v) * std::sqrt(1 + 2 * v2)), -1.0, 1.0));
  }
};

}  // namespace weft::detail::formula
