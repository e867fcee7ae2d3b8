#include "model/ranked_scores.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

void RankedScores::add(double weight, double score, bool positive) {
  ordered_ = ordered_ && !std::isnan(score);
  rows_.push_back({score, positive ? weight : -weight});
}

std::optional<double> RankedScores::area() {
  if (!ordered_) return std::nullopt;
  std::sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.score < b.score; });
  double below = 0;      // weight of the negatives with a smaller score
  double positives = 0;  // weight of all positives so far
  double pairs = 0;
  for (auto tie = rows_.begin(); tie != rows_.end();) {
    double tied_positives = 0;
    double tied_negatives = 0;
    const double score = tie->score;
    for (; tie != rows_.end() && tie->score == score; ++tie)
      (tie->signed_weight > 0 ? tied_positives : tied_negatives) += std::abs(tie->signed_weight);
    pairs += tied_positives * (below + tied_negatives / 2);
    below += tied_negatives;
    positives += tied_positives;
  }
  if (positives == 0 || below == 0) return std::nullopt;
  return pairs / (positives * below);
}

}  // namespace weft::detail
