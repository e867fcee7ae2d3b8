#pragma once

#include <weft/methods/shared_options.hpp>

namespace WEFT_PUBLIC weft {

struct LeastSquaresOptions {
  Setting<Regularizer> regularizer = default_value(Regularizer::automatic);
  Setting<double> epsilon = default_value(1e-10);
  Setting<double> coefficient_ridge = default_value(0);
  Setting<Precision> precision = default_value(Precision::float64);
  Setting<bool> calibrate = default_value(false);
  Setting<bool> std = default_value(false);

  static auto fields() {
    using O = LeastSquaresOptions;
    return std::tuple{
        shared_options::regularizer(&O::regularizer),
        Field{"epsilon", &O::epsilon, Allowed::at_least(0),
              "ridge on the scaled coefficients that keeps the normal equations solvable"},
        Field{"coefficient_ridge", &O::coefficient_ridge, Allowed::at_least(0),
              "factor of a ridge on the coefficients of the weight function beside lambda (epsilon of Anonymous 2026, "
              "eq. 82, who use 1e-10)"},
        shared_options::precision(&O::precision),
        shared_options::calibrate(&O::calibrate),
        Field{"std", &O::std, Allowed::anything(), "store what predictive standard deviations need (T x T numbers)"},
    };
  }
};

}  // namespace weft
