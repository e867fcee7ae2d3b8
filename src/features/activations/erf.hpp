#pragma once

#include <weft/activation.hpp>

#include "features/activations/math.hpp"

#include <algorithm>

namespace weft::detail::formula {

/// h(z) = erf z.   S = erf(μ/√(1+2ν²)).   D = (2/π) arcsin(2c/√((1+2v)(1+2v'))), c = Cov (Williams 1998).
struct Erf {
  static constexpr const char* kName = "erf";
  static std::vector<double> kinks() { return {}; }

  template <class V>
  static V value(V z) {
    return erf(z);
  }
  static SpreadTerms terms(double nu) { return {1 / std::sqrt(1 + 2 * nu * nu), 0}; }
  template <class V>
  static V smooth(V mu, V p, V) {
    return erf(mu * p);
  }
  static double dual(double v, double v2, double rho) {
    const double c = rho * std::sqrt(v) * std::sqrt(v2);
    return 2 / std::numbers::pi *
           std::asin(std::clamp(2 * c / (std::sqrt(1 + 2 * v) * std::sqrt(1 + 2 * v2)), -1.0, 1.0));
  }
};

}  // namespace weft::detail::formula
