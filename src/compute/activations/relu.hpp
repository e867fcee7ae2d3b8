#pragma once

#include "compute/activations/spread.hpp"

namespace weft::detail::formula {

/// E[relu(z)relu(z')]: the arc-cosine kernel of order one.
inline double relu_dual(double v, double v2, double rho) {
  return std::sqrt(v) * std::sqrt(v2) / (2 * std::numbers::pi) *
         (std::sqrt((1 - rho) * (1 + rho)) + rho * (std::numbers::pi - std::acos(rho)));
}

/// h(z) = max(z, 0).   S = ν·pdf(t) + μ·cdf(t), t = μ/ν.
/// erfc keeps the left tail: the two terms cancel there to pdf/t², which costs t² ulps (1e-12 relative down to t ≈ −10,
/// where S is 1e-24 ν).
struct Relu {
  static constexpr const char* kName = "relu";
  static std::vector<double> kinks() { return {0}; }

  template <class V>
  WEFT_HOST_DEVICE static V value(V z) {
    const V zero = z - z;
    return select(z > zero, z, zero);
  }
  template <class V>
  WEFT_HOST_DEVICE static Terms<V> terms(V nu) {
    return {real<V>(kSqrtHalf) * inverse_spread(nu), real<V>(kInvSqrt2Pi) * nu};
  }
  template <class V>
  WEFT_HOST_DEVICE static V smooth(V mu, V p, V q) {
    const V t = mu * p;
    return q * exp(-t * t) + real<V>(0.5) * mu * erfc(-t);
  }
  template <class V>
  WEFT_HOST_DEVICE static Slopes<V> slopes(V mu, V nu) {
    const NormalAt<V> at(mu, nu);
    return {real<V>(0.5) * erfc(real<V>(-kSqrtHalf) * at.t), at.density};
  }
  static double dual(double v, double v2, double rho) { return relu_dual(v, v2, rho); }
};

}  // namespace weft::detail::formula
