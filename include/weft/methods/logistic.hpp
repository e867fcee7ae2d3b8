#pragma once

#include <weft/methods/shared_options.hpp>

namespace WEFT_PUBLIC weft {

struct LogisticOptions {
  Setting<Regularizer> regularizer = default_value(Regularizer::automatic);
  Setting<double> tolerance = default_value(1e-6);
  Setting<Index> iterations = default_value(0);
  Setting<std::string> checkpoint = default_value("");
  Setting<bool> resume = default_value(false);

  static auto fields() {
    using O = LogisticOptions;
    return std::tuple{
        shared_options::regularizer(&O::regularizer), shared_options::tolerance(&O::tolerance),
        shared_options::iterations(&O::iterations),   shared_options::checkpoint(&O::checkpoint),
        shared_options::resume(&O::resume),
    };
  }
};

}  // namespace weft
