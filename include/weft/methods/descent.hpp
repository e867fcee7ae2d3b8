// Greedy descents that take features one after another.
#pragma once

#include <weft/methods/shared_options.hpp>

namespace WEFT_PUBLIC weft {

enum class DescentLoss { automatic, squared, logistic, hinge, huber };
constexpr auto choice_names(DescentLoss) {
  return std::array{"auto", "squared", "logistic", "hinge", "huber"};
}

namespace shared_options {

template <class O>
auto descent_loss(Setting<DescentLoss> O::*member) {
  return Field{"loss", member, "loss of the fit; auto: squared"};
}

template <class O>
auto huber_delta(Setting<double> O::*member) {
  return Field{"huber_delta", member, Allowed::positive(), "residual beyond which the Huber loss is linear"};
}

}  // namespace shared_options

struct OptimalStepOptions {
  Setting<Regularizer> regularizer = default_value(Regularizer::automatic);
  Setting<DescentLoss> loss = default_value(DescentLoss::automatic);
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
  Setting<Regularizer> regularizer = default_value(Regularizer::automatic);
  Setting<DescentLoss> loss = default_value(DescentLoss::automatic);
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
