// What the weights of an average are chosen by.
#pragma once

#include "methods/local/relevance.hpp"
#include "objective/metric.hpp"

namespace weft::detail {

class HeldOutMetric {
 public:
  /// `scale` and `folds` must outlive it. Throws Error(option) for a metric that the task does not have.
  HeldOutMetric(Metric asked, Task task, const TargetScale& scale, std::span<const Fold> folds);

  /// Of predictions of all held-out rows, in scaled targets; smaller is better.
  double loss(const Matrix& held_scores) const;
  /// Of classes, and not the squared error of their scores.
  bool of_probabilities() const { return metric_ == Metric::logloss || metric_ == Metric::auc; }

 private:
  double in_target_units(double scaled, Index output) const;

  Metric metric_;  // automatic: the mean squared error of the scores
  const TargetScale& scale_;
  std::span<const Fold> folds_;
  Targets targets_;
  std::vector<Index> fold_of_;
};

}  // namespace weft::detail
