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

}  // namespace weft::detail::formula
