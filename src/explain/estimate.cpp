#include "explain/estimate.hpp"

#include "core/json_text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr double kNormal = 1.959963984540054;  // 97.5 % quantile

struct Moments {
  double mean = 0;
  double variance = 0;  ///< of the mean
};

Moments moments(const std::vector<double>& values, const std::vector<double>& weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  Moments result;
  for (std::size_t i = 0; i < values.size(); ++i) result.mean += weights[i] / total * values[i];
  for (std::size_t i = 0; i < values.size(); ++i)
    result.variance += std::pow(weights[i] / total * (values[i] - result.mean), 2);
  const auto n = static_cast<double>(values.size());
  if (n > 1) result.variance *= n / (n - 1);
  return result;
}

Estimate around(double value, double variance) {
  const double half = kNormal * std::sqrt(variance);
  return {value, value - half, value + half};
}

/// Fraction of the other class's weight on the correct side of a score, ties counted half; the AUC is its mean.
struct Placements {
  std::vector<double> of_positives, of_negatives, positive_weights, negative_weights;
};

Placements placements(const std::vector<double>& scores, const std::vector<bool>& positive,
                      const std::vector<double>& weights) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });
  double totals[2] = {0, 0};
  for (std::size_t i = 0; i < scores.size(); ++i) totals[positive[i] ? 1 : 0] += weights[i];
  double below[2] = {0, 0};
  Placements result;
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    double tied[2] = {0, 0};
    for (; last < order.size() && scores[order[last]] == scores[order[first]]; ++last)
      tied[positive[order[last]] ? 1 : 0] += weights[order[last]];
    for (; first < last; ++first) {
      const std::size_t i = order[first];
      if (weights[i] == 0) continue;
      if (positive[i]) {
        result.of_positives.push_back((below[0] + tied[0] / 2) / totals[0]);
        result.positive_weights.push_back(weights[i]);
      } else {
        result.of_negatives.push_back((totals[1] - below[1] - tied[1] / 2) / totals[1]);
        result.negative_weights.push_back(weights[i]);
      }
    }
    below[0] += tied[0];
    below[1] += tied[1];
  }
  return result;
}

using Measures = std::vector<ErrorEstimates::Measure>;

/// As in Evaluation::brier.
double brier_score(const HeldOut& rows, Index i) {
  const Index classes = rows.probabilities.cols();
  double sum = 0;
  for (Index k = classes == 2 ? 1 : 0; k < classes; ++k)
    sum += std::pow(rows.probabilities(i, k) - (rows.truth(i) == k ? 1 : 0), 2);
  return sum;
}

Measures class_estimates(const HeldOut& rows) {
  Measures result;
  double wrong = 0, total = 0;
  std::vector<double> losses, briers;
  std::vector<double> scores;
  std::vector<bool> positive;
  for (Index i = 0; i < rows.rows(); ++i) {
    const double weight = rows.weights[static_cast<std::size_t>(i)];
    total += weight;
    if (rows.truth(i) != rows.guess(i)) wrong += weight;
    scores.push_back(rows.score(i, 1));
    positive.push_back(rows.truth(i) == 1);
    if (rows.probabilities.cols() == 0) continue;
    losses.push_back(-std::log(std::max(rows.probabilities(i, rows.truth(i)), std::numeric_limits<double>::min())));
    briers.push_back(brier_score(rows, i));
  }
  result.push_back({"error", share_estimate(wrong / total, effective_rows(rows.weights))});
  if (rows.target.task == Task::binary)
    if (const auto auc = auc_estimate(scores, positive, rows.weights)) result.push_back({"auc", *auc});
  if (losses.empty()) return result;
  result.push_back({"logloss", mean_estimate(losses, rows.weights)});
  result.push_back({"brier", mean_estimate(briers, rows.weights)});
  return result;
}

/// R² = 1 − A/B, A the mean squared error and B the variance of a target, mean over targets. The interval is that of
/// its linearisation in A and B: the mean of R² − (e² − A)/B + A((y − ȳ)² − B)/B². None where a target is constant.
std::optional<Estimate> r2_estimate(const HeldOut& rows) {
  const Index targets = rows.targets.cols();
  std::vector<double> values(static_cast<std::size_t>(rows.rows()));
  for (Index k = 0; k < targets; ++k) {
    std::vector<double> truths, squares, spreads;
    for (Index i = 0; i < rows.rows(); ++i) {
      truths.push_back(rows.targets(i, k));
      squares.push_back(std::pow(rows.values(i, k) - rows.targets(i, k), 2));
    }
    const double mean = moments(truths, rows.weights).mean;
    for (const double truth : truths) spreads.push_back(std::pow(truth - mean, 2));
    const double error = moments(squares, rows.weights).mean;
    const double variance = moments(spreads, rows.weights).mean;
    if (!(variance > 0)) return std::nullopt;
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] +=
          (1 - squares[i] / variance + error * (spreads[i] / variance - 1) / variance) / static_cast<double>(targets);
  }
  return mean_estimate(values, rows.weights);
}

Measures number_estimates(const HeldOut& rows) {
  std::vector<double> squares, absolutes;
  const auto targets = static_cast<double>(rows.targets.cols());
  for (Index i = 0; i < rows.rows(); ++i) {
    double square = 0, absolute = 0;
    for (Index k = 0; k < rows.targets.cols(); ++k) {
      const double difference = rows.values(i, k) - rows.targets(i, k);
      square += difference * difference / targets;
      absolute += std::abs(difference) / targets;
    }
    squares.push_back(square);
    absolutes.push_back(absolute);
  }
  Measures result = {{"mse", mean_estimate(squares, rows.weights)}, {"mae", mean_estimate(absolutes, rows.weights)}};
  if (const auto r2 = r2_estimate(rows)) result.push_back({"r2", *r2});
  return result;
}

/// The mean loss of another one than the squared; of quantiles also the share of rows at or below each.
Measures loss_estimates(const HeldOut& rows) {
  std::vector<double> losses;
  const Index outputs = rows.values.cols();
  for (Index i = 0; i < rows.rows(); ++i) {
    double sum = 0;
    for (Index k = 0; k < outputs; ++k)
      sum += rows.loss.value_of_prediction(rows.values(i, k), rows.targets(i, rows.loss.target_of(k)), k);
    losses.push_back(sum / static_cast<double>(outputs));
  }
  Measures result = {{fmt::format("{} loss", name_of(rows.loss.kind)), mean_estimate(losses, rows.weights)}};
  for (std::size_t k = 0; k < rows.loss.quantiles.size(); ++k) {
    double below = 0, total = 0;
    for (Index i = 0; i < rows.rows(); ++i) {
      const double weight = rows.weights[static_cast<std::size_t>(i)];
      total += weight;
      if (rows.targets(i, 0) <= rows.values(i, static_cast<Index>(k))) below += weight;
    }
    result.push_back({fmt::format("coverage of q{}", rows.loss.quantiles[k]),
                      share_estimate(below / total, effective_rows(rows.weights))});
  }
  return result;
}

}  // namespace

Estimate mean_estimate(const std::vector<double>& values, const std::vector<double>& weights) {
  const Moments m = moments(values, weights);
  return around(m.mean, m.variance);
}

double effective_rows(const std::vector<double>& weights) {
  double sum = 0, squares = 0;
  for (const double weight : weights) {
    sum += weight;
    squares += weight * weight;
  }
  return sum * sum / squares;
}

Estimate share_estimate(double share, double rows) {
  const double z2 = kNormal * kNormal;
  const double middle = (share + z2 / (2 * rows)) / (1 + z2 / rows);
  const double half = kNormal / (1 + z2 / rows) * std::sqrt(share * (1 - share) / rows + z2 / (4 * rows * rows));
  // Where no row, or every one, is counted, the two are equal but for rounding.
  return {share, share == 0 ? 0.0 : std::max(0.0, middle - half), share == 1 ? 1.0 : std::min(1.0, middle + half)};
}

std::optional<Estimate> auc_estimate(const std::vector<double>& scores, const std::vector<bool>& positive,
                                     const std::vector<double>& weights) {
  if (std::any_of(scores.begin(), scores.end(), [](double score) { return std::isnan(score); })) return std::nullopt;
  const Placements found = placements(scores, positive, weights);
  if (found.of_positives.empty() || found.of_negatives.empty()) return std::nullopt;
  const Moments up = moments(found.of_positives, found.positive_weights);
  const Moments down = moments(found.of_negatives, found.negative_weights);
  Estimate result = around(up.mean, up.variance + down.variance);
  // Also the value: sums of weights may round to a little more than 1.
  for (double* number : {&result.value, &result.low, &result.high}) *number = std::clamp(*number, 0.0, 1.0);
  return result;
}

ErrorEstimates held_out_estimates(const HeldOut& rows) {
  if (rows.target.task != Task::regression) return {rows.rows(), class_estimates(rows)};
  Measures measures;
  if (rows.loss.kind != RegressionLoss::squared) measures = loss_estimates(rows);
  if (!rows.loss.is_quantile())
    for (ErrorEstimates::Measure& measure : number_estimates(rows)) measures.push_back(std::move(measure));
  return {rows.rows(), std::move(measures)};
}

}  // namespace weft::detail

namespace weft {

using namespace detail;

ErrorEstimates estimate_errors(const Model& model, const Data& data, const Run& run) {
  return held_out_estimates(predict_held_out(model, data, run));
}

namespace {

Json estimate_to_json(const Estimate& estimate) {
  return {{"value", number_to_json(estimate.value)},
          {"low", number_to_json(estimate.low)},
          {"high", number_to_json(estimate.high)}};
}

}  // namespace

std::string Estimate::to_json() const {
  return json_document(estimate_to_json(*this));
}

std::string ErrorEstimates::to_json() const {
  Json json = {{"rows", rows}};
  for (const Measure& measure : measures) json[measure.name] = estimate_to_json(measure.estimate);
  return json_document(json);
}

}  // namespace weft
