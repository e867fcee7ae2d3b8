// Losses of regression by Newton's method, on random features or kernel sections.
#pragma once

#include "methods/problem.hpp"

namespace weft::detail {

/// What both methods have of their options.
struct NewtonChoices {
  RegressionLoss loss;
  std::vector<double> quantiles;  ///< ascending; empty for other losses
  double huber_multiple;
  Regularizer regularizer;
  double tolerance;
  Index iterations;
};
/// Throws for a list of quantiles that cannot be read, and for options that the loss does not use.
NewtonChoices newton_choices(const MethodOptions& options);

FitResult fit_newton(const Problem& problem);

}  // namespace weft::detail
