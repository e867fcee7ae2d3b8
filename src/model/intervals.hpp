// Prediction intervals and label sets of blocks of predictions.
#pragma once

#include <weft/model.hpp>

#include <limits>

namespace weft::detail {

/// Throws for a model that predicts quantiles, which are the ends of intervals already.
void check_no_quantiles(const Model& model);

class Intervals {
 public:
  /// Nothing is written where no interval is asked for. Throws, with the remedy, where the model has no scores and none
  /// are given, and for options that do not belong together.
  Intervals(const Model& model, const PredictOptions& options);

  /// What is added to the prediction of each target; of counts, the lower ends are at least 0.
  const std::vector<double>& below() const { return below_; }
  const std::vector<double>& above() const { return above_; }

  /// What the user should know: ends that are infinite, because there are too few scores. Else empty.
  std::string note() const;
  /// From values and probabilities: lower and upper, or sets.
  void write(PredictionBlock& block) const;

 private:
  void write_ends(PredictionBlock& block) const;
  void write_sets(PredictionBlock& block) const;

  Task task_;
  bool wanted_;
  double level_ = 0;
  Index fewest_ = 0;                                         // scores of a table
  std::vector<double> below_, above_;                        // added to the prediction of each target
  double least_ = -std::numeric_limits<double>::infinity();  // that a target can be: counts
  std::vector<double> most_;                                 // 1 − probability of a label in the set, by class
};

}  // namespace weft::detail
