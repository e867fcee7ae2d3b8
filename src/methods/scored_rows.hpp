// Scores of rows by fits that have not seen them: probabilities are calibrated on them, and intervals follow from them.
#pragma once

#include <weft/model.hpp>

#include "data/rows/block_source.hpp"

#include <vector>

namespace weft::detail {

/// Scores and targets of rows, by output; without weights all are 1.
struct ScoredRows {
  std::vector<std::vector<double>> scores;
  std::vector<std::vector<double>> targets;
  std::vector<double> weights = {};

  explicit ScoredRows(Index outputs = 0)
      : scores(static_cast<std::size_t>(outputs)), targets(static_cast<std::size_t>(outputs)) {}
  void add(const TrainingBlock& block, Index row, Index output, double score);
  void add_weights(const TrainingBlock& block);
  /// Collective, where rows are shared out: those of all processes, in the order of the rows.
  void gather(const RowShare* share);
  std::size_t rows() const { return scores.empty() ? 0 : scores.front().size(); }
  /// One per output.
  Calibration sigmoids() const;
  /// The same for all outputs, and 1/2 at the score 0 where there is one: the class with the largest probability is
  /// then the one that the scores predict.
  Calibration common_sigmoid() const;
  /// Of scores that this calibration, where it is not empty, turns into probabilities, and this loss into numbers. Rows
  /// without weight are left out: fits do not see them.
  Conformity conformity(Task task, const Calibration& calibration, const FittedLoss& loss, ScoredBy by) const;
};

struct LeftOut {
  ScoredRows rows{0};
  ScoredBy by = ScoredBy::none;
};

}  // namespace weft::detail
