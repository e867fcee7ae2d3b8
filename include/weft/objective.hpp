// What a fit minimises and a search optimises.
#pragma once

#include <weft/choices.hpp>

namespace WEFT_PUBLIC weft {

/// What λ penalises; automatic: rkhs where the features are one family with a weight kernel or kernel sections, else
/// ridge.
enum class Regularizer { automatic, rkhs, l2p, ridge };
constexpr auto choice_names(Regularizer) {
  return std::array{"auto", "rkhs", "l2p", "ridge"};
}

/// automatic: mse for numbers, error for classes, and the fit's loss for methods that name one.
enum class Metric { automatic, mse, error, logloss, auc, loss };
constexpr auto choice_names(Metric) {
  return std::array{"auto", "mse", "error", "logloss", "auc", "loss"};
}

}  // namespace weft
