// The metric that a search optimises, computed from scores on rows the fit has not seen.
#pragma once

#include <weft/encoder.hpp>
#include <weft/matrix.hpp>
#include <weft/objective.hpp>

#include <span>
#include <vector>

namespace weft::detail {

/// The metric for the task, never automatic. Throws where it does not apply.
Metric metric_for(Metric asked, Task task);
inline bool larger_is_better(Metric metric) {
  return metric == Metric::auc;
}
/// Whether score a is better than b; a score that is not a number is worse than any other.
bool better(Metric metric, double a, double b);

/// Targets of all rows as the fit sees them (classes coded ±1), and their weights (empty: all 1).
struct Targets {
  Task task = Task::none;
  Matrix y;  ///< outputs × rows
  std::vector<double> weights;

  Index rows() const { return y.cols(); }
  Index outputs() const { return y.rows(); }
  double weight(Index row) const { return weights.empty() ? 1 : weights[static_cast<std::size_t>(row)]; }
  /// Class position, 0 for numbers.
  Index class_of(Index row) const;
};

/// One score per fold of held-out predictions: scores is outputs × rows, each row's from the fit without its fold.
/// logloss of scores that are no log-odds (`probabilistic` false): Platt's sigmoid is fitted to the scores of the other
/// folds, so no row contributes to its own score.
std::vector<double> fold_scores(Metric metric, const Targets& targets, View<const double> scores,
                                std::span<const Index> fold_of, Index folds, bool probabilistic);

}  // namespace weft::detail
