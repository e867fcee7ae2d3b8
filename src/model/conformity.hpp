// Conformity scores, gathered row by row.
#pragma once

#include <weft/model.hpp>

namespace weft::detail {

/// Mean and variance of the rows' losses, of which `largest` is possible.
MeasuredLoss measured(const std::vector<double>& losses, double largest);

class ConformityRows {
 public:
  ConformityRows(Task task, Index targets, Index classes);

  /// One number per target.
  void add_numbers(const double* predictions, const double* targets);
  void add_class(const double* probabilities, Index predicted, Index truth);
  /// Empty where there are no rows, or where a score is not a number.
  Conformity finish(ScoredBy by) &&;

 private:
  MeasuredLoss squared_loss() const;

  Task task_;
  std::vector<std::vector<double>> predictions_, targets_;  // by target
  std::vector<std::vector<double>> by_class_;
  Index wrong_ = 0;
};

}  // namespace weft::detail
