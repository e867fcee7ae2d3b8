// Options that several methods have: their rows, written once. The member and its default are the method's own.
#pragma once

#include <weft/fields.hpp>
#include <weft/matrix.hpp>

namespace WEFT_PUBLIC weft {
namespace shared_options {

template <class O>
auto regularizer(Setting<std::string> O::*member) {
  return Field{"regularizer", member, Allowed::one_of({"auto", "rkhs", "l2p", "ridge"}),
               "what lambda penalises: the RKHS norm (G), the L2(p) norm (M) or the coefficients (I); auto: rkhs for "
               "one family with weights, else ridge"};
}

template <class O>
auto precision(Setting<std::string> O::*member) {
  return Field{"precision", member, Allowed::one_of({"double", "single"}),
               "single: features and products in float32, sums in float64"};
}

template <class O>
auto calibrate(Setting<bool> O::*member) {
  return Field{"calibrate", member, Allowed::anything(),
               "fit a sigmoid to held-out scores so that the classifier predicts class probabilities"};
}

template <class O>
auto tolerance(Setting<double> O::*member) {
  return Field{"tolerance", member, Allowed::positive(), "relative accuracy at which an iterative fit stops"};
}

template <class O>
auto iterations(Setting<Index> O::*member) {
  return Field{"iterations", member, Allowed::at_least(0),
               "maximum number of iterations (learned activation: sweeps); 0: the method's default"};
}

template <class O>
auto batch(Setting<Index> O::*member) {
  return Field{"batch", member, Allowed::at_least(1), "rows per step"};
}

template <class O>
auto checkpoint(Setting<std::string> O::*member) {
  return Field{"checkpoint", member, Allowed::anything(), "file in which iterative fits save their state"};
}

template <class O>
auto resume(Setting<bool> O::*member) {
  return Field{"resume", member, Allowed::anything(), "continue from the checkpoint"};
}

template <class O>
auto descent_loss(Setting<std::string> O::*member) {
  return Field{"loss", member, Allowed::one_of({"auto", "squared", "logistic", "hinge", "huber"}),
               "loss of the fit; auto: squared"};
}

template <class O>
auto huber_delta(Setting<double> O::*member) {
  return Field{"huber_delta", member, Allowed::positive(), "residual beyond which the Huber loss is linear"};
}

}  // namespace shared_options
}  // namespace weft
