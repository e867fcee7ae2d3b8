// Losses of regression other than the squared one, by Newton's method.
#pragma once

#include <weft/methods/kernel_ridge.hpp>
#include <weft/regression_loss.hpp>

namespace WEFT_PUBLIC weft {

namespace shared_options {

template <class O>
auto regression_loss(Setting<RegressionLoss> O::*member) {
  return Field{
      "loss", member,
      "what is minimised: squared, huber (robust), absolute (the median), quantile (see quantiles), poisson (counts, "
      "by the logarithm of their mean)"};
}

template <class O>
auto huber_multiple(Setting<double> O::*member) {
  return Field{
      "huber_multiple", member, Allowed::positive(),
      "residual beyond which the Huber loss is linear, as a multiple of a robust scale: 1.4826 times the median "
      "absolute residual of a fit by the absolute loss"};
}

template <class O>
auto quantiles(Setting<std::string> O::*member) {
  return Field{"quantiles", member, Allowed::anything(),
               "what the quantile loss predicts, one column each: numbers between 0 and 1, separated by commas"};
}

}  // namespace shared_options

/// On random features.
struct NewtonOptions {
  Setting<RegressionLoss> loss = default_value(RegressionLoss::squared);
  Setting<std::string> quantiles = default_value("0.1,0.5,0.9");
  Setting<double> huber_multiple = default_value(1.35);
  Setting<Regularizer> regularizer = default_value(Regularizer::automatic);
  Setting<double> tolerance = default_value(1e-6);
  Setting<Index> iterations = default_value(0);

  static auto fields() {
    using O = NewtonOptions;
    return std::tuple{
        shared_options::regression_loss(&O::loss),          shared_options::quantiles(&O::quantiles),
        shared_options::huber_multiple(&O::huber_multiple), shared_options::regularizer(&O::regularizer),
        shared_options::tolerance(&O::tolerance),           shared_options::iterations(&O::iterations),
    };
  }
};

/// On kernel sections at landmarks; λ multiplies the norm of the kernel's RKHS.
struct KernelNewtonOptions {
  Setting<RegressionLoss> loss = default_value(RegressionLoss::squared);
  Setting<std::string> quantiles = default_value("0.1,0.5,0.9");
  Setting<double> huber_multiple = default_value(1.35);
  Setting<double> tolerance = default_value(1e-6);
  Setting<Index> iterations = default_value(0);
  Setting<std::string> kernel = default_value("rbf");
  Setting<std::string> bandwidth = default_value("mean");
  Setting<double> exponent = default_value(1);
  Setting<Index> landmarks = default_value(1000);
  Setting<LandmarkSampling> landmark_sampling = default_value(LandmarkSampling::uniform);

  static auto fields() {
    using O = KernelNewtonOptions;
    return std::tuple{
        shared_options::regression_loss(&O::loss),          shared_options::quantiles(&O::quantiles),
        shared_options::huber_multiple(&O::huber_multiple), shared_options::tolerance(&O::tolerance),
        shared_options::iterations(&O::iterations),         shared_options::kernel(&O::kernel),
        shared_options::bandwidth(&O::bandwidth),           shared_options::exponent(&O::exponent),
        shared_options::landmarks(&O::landmarks),           shared_options::landmark_sampling(&O::landmark_sampling),
    };
  }
};

}  // namespace weft
