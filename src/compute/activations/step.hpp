#pragma once

#include "compute/activations/sign.hpp"

namespace weft::detail::formula {

/// h(z) = 1[z > 0], ½ at the jump.   S = ½ erfc(−μ / √2ν).   D = ¼ + arcsin(ρ)/2π.
struct Step {
  static constexpr const char* kName = "step";
  static std::vector<double> kinks() { return {0}; }

  template <class V>
  WEFT_HOST_DEVICE static V value(V z) {
    const V zero = z - z;
    return select(z > zero, zero + real<V>(1), select(z < zero, zero, zero + real<V>(0.5)));
  }
  template <class V>
  WEFT_HOST_DEVICE static Terms<V> terms(V nu) {
    return {real<V>(-kSqrtHalf) * inverse_spread(nu)};
  }
  template <class V>
  WEFT_HOST_DEVICE static V smooth(V mu, V p, V) {
    return real<V>(0.5) * erfc(mu * p);
  }
  template <class V>
  WEFT_HOST_DEVICE static Slopes<V> slopes(V mu, V nu) {
    const Slopes<V> sign = Sign::slopes(mu, nu);
    return {real<V>(0.5) * sign.first, real<V>(0.5) * sign.second};
  }
  static double dual(double, double, double rho) { return 0.25 + std::asin(rho) / (2 * std::numbers::pi); }
};

}  // namespace weft::detail::formula
