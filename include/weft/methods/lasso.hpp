#pragma once

#include <weft/methods/shared_options.hpp>

namespace WEFT_PUBLIC weft {

/// The factor of the squared error, summed over m rows.
enum class LassoScale { mean, half_mean };
constexpr auto choice_names(LassoScale) {
  return std::array{"1/m", "1/2m"};
}

struct LassoOptions {
  Setting<Precision> precision = default_value(Precision::float64);
  Setting<LassoScale> lasso_scale = default_value(LassoScale::mean);
  Setting<Index> nonzeros = default_value(0);
  Setting<double> tolerance = default_value(1e-6);

  static auto fields() {
    using O = LassoOptions;
    return std::tuple{
        shared_options::precision(&O::precision),
        Field{"lasso_scale", &O::lasso_scale, "factor of the squared error"},
        Field{"nonzeros", &O::nonzeros, Allowed::at_least(0),
              "choose lambda so that at most this many features are kept"},
        shared_options::tolerance(&O::tolerance),
    };
  }
};

}  // namespace weft
