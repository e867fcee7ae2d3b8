// What is measured of a classifier, gathered row by row.
#pragma once

#include <weft/model.hpp>

#include "model/ranked_scores.hpp"

namespace weft::detail {

class ClassificationMeasure {
 public:
  ClassificationMeasure(const TargetInfo& target, bool probabilities, const Run& run);

  void add(const PredictionBlock& block);
  /// `total`: the weight of all rows, which `place` names.
  void finish(Evaluation& result, double total, const std::string& place = {});

 private:
  void add_row(const PredictionBlock& block, Index row, double weight);
  void add_probabilities(const double* probabilities, std::size_t truth, double weight);
  /// Of every class: quotients of the confusion, areas of the ranks.
  std::vector<ClassMeasures> class_measures();
  void average(const std::vector<ClassMeasures>& classes, Evaluation& result) const;

  const Run& run_;
  std::vector<std::string> classes_;
  bool probabilities_;
  std::vector<std::vector<double>> confusion_;
  /// Two classes: the score of the second. More: of every class its probability or, without probabilities, its score;
  /// empty where they would need too much memory.
  std::vector<RankedScores> ranked_;
  double ranks_left_;  // that memory has room for
  double wrong_ = 0;
  double squares_ = 0;
  double logloss_ = 0;
  double brier_ = 0;
};

}  // namespace weft::detail
