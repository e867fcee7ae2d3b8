#pragma once

#include <weft/activation.hpp>

#include "features/activations/math.hpp"

namespace weft::detail::formula {

/// h(z) = e^{−z²/2}, a bump.   S = e^{−μ²/2(1+ν²)} / √(1+ν²).   D = 1/√((1+v)(1+v') − c²), c = Cov.
struct Gaussian {
  static constexpr const char* kName = "gaussian";
  static std::vector<double> kinks() { return {}; }

  template <class V>
  static V value(V z) {
    return exp(real<V>(-0.5) * z * z);
  }
  static SpreadTerms terms(double nu) { return {-0.5 / (1 + nu * nu), 1 / std::sqrt(1 + nu * nu)}; }
  template <class V>
  static V smooth(V mu, V p, V q) {
    return q * exp(mu * mu * p);
  }
  static double dual(double v, double v2, double rho) {
    // (1+v)(1+v') − ρ²vv', written without the cancellation of the product and its square at ρ = ±1.
    return 1 / std::sqrt(1 + v + v2 + v * (1 - rho) * (v2 * (1 + rho)));
  }
};

}  // namespace weft::detail::formula
