// The one table of built-in activations. The order is the order of `weft families`.
#pragma once

#include "compute/activations/abs.hpp"
#include "compute/activations/cos.hpp"
#include "compute/activations/erf.hpp"
#include "compute/activations/gaussian.hpp"
#include "compute/activations/identity.hpp"
#include "compute/activations/leaky_relu.hpp"
#include "compute/activations/relu.hpp"
#include "compute/activations/sign.hpp"
#include "compute/activations/sin.hpp"
#include "compute/activations/square.hpp"
#include "compute/activations/step.hpp"

namespace weft::detail::formula {

template <class... Rows>
struct Table {
  static constexpr int kSize = sizeof...(Rows);
};

using Activations = Table<Sign, Step, Relu, LeakyRelu, Abs, Identity, Square, Cos, Sin, Erf, Gaussian>;

}  // namespace weft::detail::formula
