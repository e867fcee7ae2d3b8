// Options that several methods have: their rows, written once. The member and its default are the method's own.
#pragma once

#include <weft/fields.hpp>
#include <weft/matrix.hpp>
#include <weft/objective.hpp>
#include <weft/precision.hpp>

namespace WEFT_PUBLIC weft {

namespace shared_options {

template <class O>
auto regularizer(Setting<Regularizer> O::*member) {
  return Field{"regularizer", member,
               "what lambda penalises: the RKHS norm (G), the L2(p) norm (M) or the coefficients (I); auto: rkhs for "
               "one family with weights, else ridge"};
}

template <class O>
auto precision(Setting<Precision> O::*member) {
  return Field{"precision", member, "single: features and products in float32, sums in float64"};
}

template <class O>
auto calibrate(Setting<bool> O::*member) {
  return Field{
      "calibrate", member, Allowed::anything(),
      "fit the sigmoid of class probabilities to all rows, in three folds, not to left-out scores of a sample"};
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

}  // namespace shared_options
}  // namespace weft
