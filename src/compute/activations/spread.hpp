#pragma once

#include "compute/activations/math.hpp"

namespace weft::detail::formula {

/// 1/ν, finite for ν = 0: μ/ν is then huge (or 0 where μ = 0) and every smoothing below tends to h(μ) as it should.
template <class V>
WEFT_HOST_DEVICE inline V inverse_spread(V nu) {
  constexpr double kLeast = sizeof(real<V>(0)) == sizeof(float) ? 1e-37 : 1e-300;
  const V least = nu - nu + real<V>(kLeast);
  return real<V>(1) / select(nu < least, least, nu);
}

/// The normal law N(0, ν²) at μ, where it has a density; at ν = 0, the limits but for μ = 0, where they are finite.
template <class V>
struct NormalAt {
  V inverse;  ///< 1/ν
  V t;        ///< μ/ν
  V density;

  WEFT_HOST_DEVICE NormalAt(V mu, V nu)
      : inverse(inverse_spread(nu)),
        t(mu * inverse),
        density(real<V>(kInvSqrt2Pi) * inverse * exp(real<V>(-0.5) * t * t)) {}
};

}  // namespace weft::detail::formula
