// What a regression minimises, and hence predicts.
#pragma once

#include <weft/choices.hpp>
#include <weft/matrix.hpp>

#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

enum class RegressionLoss { squared, huber, absolute, quantile, poisson };
constexpr auto choice_names(RegressionLoss) {
  return std::array{"squared", "huber", "absolute", "quantile", "poisson"};
}

/// The loss of a fitted model, in the scores f and a target y, r = y − f:
///   squared   r²
///   huber     r²/2 for |r| ≤ threshold, threshold·(|r| − threshold/2) beyond
///   absolute  |r|
///   quantile  τ·r for r ≥ 0, (τ − 1)·r else: one output per quantile τ
///   poisson   y log(y/μ) − y + μ with the mean μ = exp(f): half the deviance
struct FittedLoss {
  RegressionLoss kind = RegressionLoss::squared;
  std::vector<double> quantiles = {};   ///< quantile: ascending, one per output
  std::vector<double> thresholds = {};  ///< huber: one per output, in units of the target

  bool is_quantile() const { return kind == RegressionLoss::quantile; }
  /// How many scores a row has for so many targets.
  Index outputs(Index targets) const;
  /// The target that an output is for.
  Index target_of(Index output) const { return is_quantile() ? 0 : output; }
  double value(double score, double y, Index output) const;
  /// The same of what is predicted.
  double value_of_prediction(double prediction, double y, Index output) const;
  /// From the scores of a row to what is predicted: means of Poisson, quantiles in ascending order (rearrangement:
  /// Chernozhukov, Fernández-Val & Galichon 2010), else the scores.
  void predict(Index outputs, const double* scores, double* predictions) const;
  /// Columns of predictions: the quantiles as q0.1 …, else the targets.
  std::vector<std::string> column_names(const std::vector<std::string>& targets) const;

  friend bool operator==(const FittedLoss&, const FittedLoss&) = default;
};

}  // namespace weft
