#include "explain/class_curves.hpp"

#include "model/class_measures.hpp"

#include <algorithm>
#include <numeric>

namespace weft::detail {

namespace {

/// The predicted probability of a class, and whether the row is of that class.
struct Claim {
  double probability = 0;
  double holds = 0;
  double weight = 1;
};

std::vector<Claim> sorted_claims(const HeldOut& rows) {
  std::vector<Claim> claims;
  for (Index i = 0; i < rows.rows(); ++i) {
    const Index k = rows.target.task == Task::binary ? 1 : rows.guess(i);
    claims.push_back(
        {rows.probabilities(i, k), rows.truth(i) == k ? 1.0 : 0.0, rows.weights[static_cast<std::size_t>(i)]});
  }
  std::stable_sort(claims.begin(), claims.end(),
                   [](const Claim& a, const Claim& b) { return a.probability < b.probability; });
  return claims;
}

}  // namespace

std::vector<RocPoint> roc_curve(const HeldOut& rows, Index k) {
  std::vector<Index> order(static_cast<std::size_t>(rows.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return rows.score(a, k) > rows.score(b, k); });
  double positives = 0, negatives = 0;
  std::vector<RocPoint> points = {{0, 0}};
  for (std::size_t i = 0; i < order.size(); ++i) {
    (rows.truth(order[i]) == k ? positives : negatives) += rows.weights[static_cast<std::size_t>(order[i])];
    const bool tie = i + 1 < order.size() && rows.score(order[i], k) == rows.score(order[i + 1], k);
    if (!tie) points.push_back({negatives, positives});
  }
  if (positives == 0 || negatives == 0) return {};
  for (RocPoint& point : points) {
    point.false_positive_rate /= negatives;
    point.true_positive_rate /= positives;
  }
  return points;
}

std::optional<Estimate> roc_area(const HeldOut& rows, Index k) {
  std::vector<double> scores;
  std::vector<bool> positive;
  for (Index i = 0; i < rows.rows(); ++i) {
    scores.push_back(rows.score(i, k));
    positive.push_back(rows.truth(i) == k);
  }
  return auc_estimate(scores, positive, rows.weights);
}

std::vector<CalibrationBin> calibration_bins(const HeldOut& rows, std::size_t bins) {
  const std::vector<Claim> sorted = sorted_claims(rows);
  std::vector<CalibrationBin> result;
  bins = std::min(bins, sorted.size());
  for (std::size_t bin = 0; bin < bins; ++bin) {
    double probability = 0, share = 0, total = 0;
    std::vector<double> weights;
    for (std::size_t i = bin * sorted.size() / bins; i < (bin + 1) * sorted.size() / bins; ++i) {
      probability += sorted[i].weight * sorted[i].probability;
      share += sorted[i].weight * sorted[i].holds;
      total += sorted[i].weight;
      weights.push_back(sorted[i].weight);
    }
    if (total > 0) result.push_back({probability / total, share_estimate(share / total, effective_rows(weights))});
  }
  return result;
}

Evaluation class_evaluation(const HeldOut& rows) {
  const Run run;
  ClassificationMeasure measure(rows.target, rows.probabilities.cols() > 0, run);
  PredictionBlock block;
  block.scores = rows.scores;
  block.values = rows.values;
  block.probabilities = rows.probabilities;
  block.targets = rows.targets;
  block.weights = rows.weights;
  measure.add(block);
  Evaluation result;
  result.task = rows.target.task;
  result.rows = rows.rows();
  measure.finish(result, std::accumulate(rows.weights.begin(), rows.weights.end(), 0.0));
  return result;
}

}  // namespace weft::detail
