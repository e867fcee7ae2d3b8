#pragma once

#include "compute/activations/math.hpp"

namespace weft::detail::formula {

/// h(z) = z².   S = μ² + ν².   D = vv'(1 + 2ρ²) (Isserlis).
struct Square {
  static constexpr const char* kName = "square";
  static std::vector<double> kinks() { return {}; }

  template <class V>
  WEFT_HOST_DEVICE static V value(V z) {
    return z * z;
  }
  template <class V>
  WEFT_HOST_DEVICE static Terms<V> terms(V nu) {
    return {nu * nu};
  }
  template <class V>
  WEFT_HOST_DEVICE static V smooth(V mu, V p, V) {
    return mu * mu + p;
  }
  template <class V>
  WEFT_HOST_DEVICE static Slopes<V> slopes(V mu, V nu) {
    return {real<V>(2) * mu, nu - nu + real<V>(2)};
  }
  static double dual(double v, double v2, double rho) { return v * v2 * (1 + 2 * rho * rho); }
};

}  // namespace weft::detail::formula
