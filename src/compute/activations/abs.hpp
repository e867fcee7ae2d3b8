#pragma once

#include "compute/activations/spread.hpp"

namespace weft::detail::formula {

/// h(z) = |z|.   S = 2ν·pdf(t) + μ·erf(t/√2), t = μ/ν.   D = (2/π)√(vv')(√(1−ρ²) + ρ arcsin ρ).
struct Abs {
  static constexpr const char* kName = "abs";
  static std::vector<double> kinks() { return {0}; }

  template <class V>
  WEFT_HOST_DEVICE static V value(V z) {
    const V zero = z - z;
    return select(z < zero, -z, z);
  }
  template <class V>
  WEFT_HOST_DEVICE static Terms<V> terms(V nu) {
    return {real<V>(kSqrtHalf) * inverse_spread(nu), real<V>(2 * kInvSqrt2Pi) * nu};
  }
  template <class V>
  WEFT_HOST_DEVICE static V smooth(V mu, V p, V q) {
    const V t = mu * p;
    return q * exp(-t * t) + mu * erf(t);
  }
  template <class V>
  WEFT_HOST_DEVICE static Slopes<V> slopes(V mu, V nu) {
    const NormalAt<V> at(mu, nu);
    return {erf(real<V>(kSqrtHalf) * at.t), real<V>(2) * at.density};
  }
  static double dual(double v, double v2, double rho) {
    return 2 / std::numbers::pi * std::sqrt(v) * std::sqrt(v2) *
           (std::sqrt((1 - rho) * (1 + rho)) + rho * std::asin(rho));
  }
};

}  // namespace weft::detail::formula
