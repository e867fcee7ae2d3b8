#pragma once

#include "compute/activations/math.hpp"

namespace weft::detail::formula {

/// h(z) = z.   S = μ.   D = Cov(z, z').
struct Identity {
  static constexpr const char* kName = "identity";
  static std::vector<double> kinks() { return {}; }

  template <class V>
  WEFT_HOST_DEVICE static V value(V z) {
    return z;
  }
  template <class V>
  WEFT_HOST_DEVICE static Terms<V> terms(V) {
    return {};
  }
  template <class V>
  WEFT_HOST_DEVICE static V smooth(V mu, V, V) {
    return mu;
  }
  template <class V>
  WEFT_HOST_DEVICE static Slopes<V> slopes(V mu, V) {
    return {mu - mu + real<V>(1), mu - mu};
  }
  static double dual(double v, double v2, double rho) { return rho * std::sqrt(v) * std::sqrt(v2); }
};

}  // namespace weft::detail::formula
