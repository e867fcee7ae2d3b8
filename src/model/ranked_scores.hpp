// The areas under the ROC curve and under the precision-recall curve.
#pragma once

#include <optional>
#include <vector>

namespace weft::detail {

/// Weighted scores of one class against the others.
class RankedScores {
 public:
  void add(double weight, double score, bool positive);
  /// Exact area under the ROC curve: P(score⁺ > score⁻), ties half. None where a class is missing or a score is NaN.
  std::optional<double> area();
  /// Σ (R_n − R_{n−1}) P_n over distinct scores, the largest first, R the recall and P the precision of the rows with
  /// at least that score. None without positive rows or where a score is NaN.
  std::optional<double> average_precision();

 private:
  struct Tie {
    double positives = 0;
    double negatives = 0;
  };
  /// Weights of the rows that share a score, the smallest first.
  std::vector<Tie> ties();
  struct Row {
    double score;
    double signed_weight;
  };
  std::vector<Row> rows_;
  bool ordered_ = true;  // no score is NaN
};

}  // namespace weft::detail
