#pragma once

#include <weft/methods/shared_options.hpp>

namespace WEFT_PUBLIC weft {

struct LassoOptions {
  Setting<std::string> precision = default_value("double");
  Setting<std::string> lasso_scale = default_value("1/m");
  Setting<Index> nonzeros = default_value(0);
  Setting<double> tolerance = default_value(1e-6);

  static auto fields() {
    using O = LassoOptions;
    return std::tuple{
        shared_options::precision(&O::precision),
        Field{"lasso_scale", &O::lasso_scale, Allowed::one_of({"1/m", "1/2m"}), "factor of the squared error"},
        Field{"nonzeros", &O::nonzeros, Allowed::at_least(0),
              "choose lambda so that at most this many features are kept"},
        shared_options::tolerance(&O::tolerance),
    };
  }
};

}  // namespace weft
