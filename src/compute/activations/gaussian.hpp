#pragma once

#include "compute/activations/math.hpp"

namespace weft::detail::formula {

/// h(z) = e^{−z²/2}, a bump.   S = e^{−μ²/2(1+ν²)} / √(1+ν²).   D = 1/√((1+v)(1+v') − c²), c = Cov.
struct Gaussian {
  static constexpr const char* kName = "gaussian";
  static std::vector<double> kinks() { return {}; }

  template <class V>
  WEFT_HOST_DEVICE static V value(V z) {
    return exp(real<V>(-0.5) * z * z);
  }
  template <class V>
  WEFT_HOST_DEVICE static Terms<V> terms(V nu) {
    const V wide = real<V>(1) + nu * nu;
    return {real<V>(-0.5) / wide, real<V>(1) / sqrt(wide)};
  }
  template <class V>
  WEFT_HOST_DEVICE static V smooth(V mu, V p, V q) {
    return q * exp(mu * mu * p);
  }
  template <class V>
  WEFT_HOST_DEVICE static Slopes<V> slopes(V mu, V nu) {
    const V inverse = real<V>(1) / (real<V>(1) + nu * nu);
    const V height = sqrt(inverse) * exp(real<V>(-0.5) * mu * mu * inverse);
    return {-mu * inverse * height, (mu * mu * inverse - real<V>(1)) * inverse * height};
  }
  static double dual(double v, double v2, double rho) {
    // (1+v)(1+v') − ρ²vv', written without the cancellation of the product and its square at ρ = ±1.
    return 1 / std::sqrt(1 + v + v2 + v * (1 - rho) * (v2 * (1 + rho)));
  }
};

}  // namespace weft::detail::formula
