#include "model/ranked_scores.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

void RankedScores::add(double weight, double score, bool positive) {
  ordered_ = ordered_ && !std::isnan(score);
  rows_.push_back({score, positive ? weight : -weight});
}

std::vector<RankedScores::Tie> RankedScores::ties() {
  std::sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.score < b.score; });
  std::vector<Tie> result;
  for (auto row = rows_.begin(); row != rows_.end();) {
    const double score = row->score;
    Tie& tie = result.emplace_back();
    for (; row != rows_.end() && row->score == score; ++row)
      (row->signed_weight > 0 ? tie.positives : tie.negatives) += std::abs(row->signed_weight);
  }
  return result;
}

std::optional<double> RankedScores::area() {
  if (!ordered_) return std::nullopt;
  double below = 0;      // weight of the negatives with a smaller score
  double positives = 0;  // weight of all positives so far
  double pairs = 0;
  for (const Tie& tie : ties()) {
    pairs += tie.positives * (below + tie.negatives / 2);
    below += tie.negatives;
    positives += tie.positives;
  }
  if (positives == 0 || below == 0) return std::nullopt;
  return pairs / (positives * below);
}

std::optional<double> RankedScores::average_precision() {
  if (!ordered_) return std::nullopt;
  const std::vector<Tie> all = ties();
  double positives = 0;
  double negatives = 0;
  double sum = 0;
  for (auto tie = all.rbegin(); tie != all.rend(); ++tie) {
    positives += tie->positives;
    negatives += tie->negatives;
    if (tie->positives > 0) sum += tie->positives * positives / (positives + negatives);
  }
  if (positives == 0) return std::nullopt;
  return sum / positives;
}

}  // namespace weft::detail
