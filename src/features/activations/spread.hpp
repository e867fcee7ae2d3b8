#pragma once

#include "features/activations/math.hpp"

#include <algorithm>

namespace weft::detail::formula {

/// 1/ν, finite for ν = 0: μ/ν is then huge (or 0 where μ = 0) and every smoothing below tends to h(μ) as it should.
inline double inverse_spread(double nu) {
  return 1 / std::max(nu, 1e-300);
}

}  // namespace weft::detail::formula
