// The logarithm of the logistic function, which no argument overflows.
#pragma once

#include <cmath>

namespace weft::detail {

/// log(1 / (1 + exp(-z))); the exponent is never positive.
inline double log_sigmoid(double z) {
  return z >= 0 ? -std::log1p(std::exp(-z)) : z - std::log1p(std::exp(z));
}

}  // namespace weft::detail
