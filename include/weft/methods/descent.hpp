// Greedy descents that take features one after another.
#pragma once

#include <weft/methods/shared_options.hpp>

namespace WEFT_PUBLIC weft {

struct OptimalStepOptions {
  Setting<std::string> regularizer = default_value("auto");
  Setting<std::string> loss = default_value("auto");
  Setting<double> huber_delta = default_value(1);
  Setting<Index> iterations = default_value(0);
  Setting<Index> batch = default_value(100);
  Setting<std::string> checkpoint = default_value("");
  Setting<bool> resume = default_value(false);

  static auto fields() {
    using O = OptimalStepOptions;
    return std::tuple{
        shared_options::regularizer(&O::regularizer),
        shared_options::descent_loss(&O::loss),
        shared_options::huber_delta(&O::huber_delta),
        shared_options::iterations(&O::iterations),
        shared_options::batch(&O::batch),
        shared_options::checkpoint(&O::checkpoint),
        shared_options::resume(&O::resume),
    };
  }
};

struct FunctionalGradientOptions {
  Setting<std::string> regularizer = default_value("auto");
  Setting<std::string> loss = default_value("auto");
  Setting<double> huber_delta = default_value(1);
  Setting<Index> iterations = default_value(0);
  Setting<Index> batch = default_value(100);
  Setting<Index> features_per_step = default_value(1);
  Setting<double> radius = default_value(0);
  Setting<std::string> checkpoint = default_value("");
  Setting<bool> resume = default_value(false);

  static auto fields() {
    using O = FunctionalGradientOptions;
    return std::tuple{
        shared_options::regularizer(&O::regularizer),
        shared_options::descent_loss(&O::loss),
        shared_options::huber_delta(&O::huber_delta),
        shared_options::iterations(&O::iterations),
        shared_options::batch(&O::batch),
        Field{"features_per_step", &O::features_per_step, Allowed::at_least(1), "new features per step"},
        Field{"radius", &O::radius, Allowed::at_least(0), "iterates are projected to this RKHS norm; 0: no projection"},
        shared_options::checkpoint(&O::checkpoint),
        shared_options::resume(&O::resume),
    };
  }
};

}  // namespace weft
