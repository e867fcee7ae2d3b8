#pragma once

#include "compute/activations/relu.hpp"

namespace weft::detail::formula {

/// h(z) = αz + (1−α) relu(z), α = 0.01.   S and D follow from relu's by linearity, E[z·relu(z')] = ½ Cov(z, z').
struct LeakyRelu {
  static constexpr const char* kName = "leaky-relu";
  static constexpr double kSlope = 0.01;
  static std::vector<double> kinks() { return {0}; }

  template <class V>
  WEFT_HOST_DEVICE static V value(V z) {
    const V zero = z - z;
    return select(z > zero, z, real<V>(kSlope) * z);
  }
  template <class V>
  WEFT_HOST_DEVICE static Terms<V> terms(V nu) {
    return Relu::terms(nu);
  }
  template <class V>
  WEFT_HOST_DEVICE static V smooth(V mu, V p, V q) {
    return real<V>(kSlope) * mu + real<V>(1 - kSlope) * Relu::smooth(mu, p, q);
  }
  template <class V>
  WEFT_HOST_DEVICE static Slopes<V> slopes(V mu, V nu) {
    const Slopes<V> relu = Relu::slopes(mu, nu);
    return {real<V>(kSlope) + real<V>(1 - kSlope) * relu.first, real<V>(1 - kSlope) * relu.second};
  }
  static double dual(double v, double v2, double rho) {
    const double covariance = rho * std::sqrt(v) * std::sqrt(v2);
    return kSlope * covariance + (1 - kSlope) * (1 - kSlope) * relu_dual(v, v2, rho);
  }
};

}  // namespace weft::detail::formula
