#pragma once

#include "compute/activations/math.hpp"

namespace weft::detail::formula {

/// h(z) = sin z.   S = e^{−ν²/2} sin μ.   D = ½e^{−(v+v')/2}(e^c − e^{−c}), c = Cov.
struct Sin {
  static constexpr const char* kName = "sin";
  static std::vector<double> kinks() { return {}; }

  template <class V>
  WEFT_HOST_DEVICE static V value(V z) {
    return sin(z);
  }
  template <class V>
  WEFT_HOST_DEVICE static Terms<V> terms(V nu) {
    return {exp(real<V>(-0.5) * nu * nu)};
  }
  template <class V>
  WEFT_HOST_DEVICE static V smooth(V mu, V p, V) {
    return p * sin(mu);
  }
  template <class V>
  WEFT_HOST_DEVICE static Slopes<V> slopes(V mu, V nu) {
    const V p = terms(nu).p;
    return {p * cos(mu), -p * sin(mu)};
  }
  static double dual(double v, double v2, double rho) { return shifted_dual(0, 0, v, v2, rho); }
  static double shifted_dual(double m, double m2, double v, double v2, double rho) {
    // c ∓ (v+v')/2 without cancellation: −½(√v−√v')² − (1∓ρ)√v√v'.
    const double product = std::sqrt(v) * std::sqrt(v2);
    const double common = -0.5 * (std::sqrt(v) - std::sqrt(v2)) * (std::sqrt(v) - std::sqrt(v2));
    return 0.5 * (std::cos(m - m2) * std::exp(common - (1 - rho) * product) -
                  std::cos(m + m2) * std::exp(common - (1 + rho) * product));
  }
};

}  // namespace weft::detail::formula
