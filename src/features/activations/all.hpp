// The one table of built-in activations. The order is the order of `weft families`.
#pragma once

#include "features/activations/abs.hpp"
#include "features/activations/cos.hpp"
#include "features/activations/erf.hpp"
#include "features/activations/gaussian.hpp"
#include "features/activations/identity.hpp"
#include "features/activations/leaky_relu.hpp"
#include "features/activations/relu.hpp"
#include "features/activations/sign.hpp"
#include "features/activations/sin.hpp"
#include "features/activations/square.hpp"
#include "features/activations/step.hpp"

namespace weft::detail::formula {

template <class... Rows>
struct Table {
  static constexpr int kSize = sizeof...(Rows);
};

using Activations = Table<Sign, Step, Relu, LeakyRelu, Abs, Identity, Square, Cos, Sin, Erf, Gaussian>;

}  // namespace weft::detail::formula
