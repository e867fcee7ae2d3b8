// The area under the ROC curve.
#pragma once

#include <optional>
#include <vector>

namespace weft::detail {

/// Exact area under the ROC curve of weighted scores: P(score⁺ > score⁻), ties half.
class RankedScores {
 public:
  void add(double weight, double score, bool positive);
  /// None where a class is missing or a score is NaN.
  std::optional<double> area();

 private:
  struct Row {
    double score;
    double signed_weight;
  };
  std::vector<Row> rows_;
  bool ordered_ = true;
};

}  // namespace weft::detail
