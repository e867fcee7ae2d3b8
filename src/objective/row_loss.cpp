#include "objective/row_loss.hpp"

#include "objective/logistic_loss.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace weft::detail {

namespace {

// Rows that are certain have no curvature; a little keeps the matrix of Newton's method positive when all of them are.
constexpr double kLeastCurvature = 1e-10;
constexpr double kOfMajoriser = 0.05;  // see the header

}  // namespace

RowValue ClassLoss::row(View<const double> y, View<double> scores, View<double> curvature, Index i) const {
  const double loss =
      outputs_ == 1 ? binary_row(y(0, i), scores(0, i), curvature, i) : softmax_row(y, scores, curvature, i);
  for (Index k = 0; k <= outputs_; ++k) curvature(k, i) = std::max(curvature(k, i), kLeastCurvature);
  return {loss, loss};
}

bool NumberLoss::has_corner() const {
  return loss_.kind == RegressionLoss::absolute || loss_.kind == RegressionLoss::quantile;
}

NumberLoss::Term NumberLoss::smoothed_quantile(double r, double quantile) const {
  const double z = r / width_;
  const double tail = std::exp(-std::abs(z));
  const double p = z > 0 ? tail / (1 + tail) : 1 / (1 + tail);
  // For |z| < 1 the second derivative is larger than this share of the majoriser's weight, which is 1/4 at most.
  const double majoriser = std::abs(z) < 1 ? 0.25 : std::tanh(std::abs(z) / 2) / (2 * std::abs(z));
  const double weight = std::max(p * (1 - p), kOfMajoriser * majoriser);
  return {quantile * r + width_ * (std::max(-z, 0.0) + std::log1p(tail)), p - quantile, weight / width_};
}

NumberLoss::Term NumberLoss::term(double score, double y, Index output) const {
  const double r = y - score;
  switch (loss_.kind) {
    case RegressionLoss::squared:
      return {r * r, -2 * r, 2};
    case RegressionLoss::huber: {
      const double threshold = loss_.thresholds[static_cast<std::size_t>(output)];
      return {loss_.value(score, y, output), -std::clamp(r, -threshold, threshold),
              std::abs(r) <= threshold ? 1 : kOfMajoriser * threshold / std::abs(r)};
    }
    case RegressionLoss::absolute: {
      const Term half = smoothed_quantile(r, 0.5);
      return {2 * half.value, 2 * half.slope, 2 * half.curvature};
    }
    case RegressionLoss::quantile:
      return smoothed_quantile(r, loss_.quantiles[static_cast<std::size_t>(output)]);
    case RegressionLoss::poisson:
      break;
  }
  const double mean = std::exp(score);
  return {loss_.value(score, y, output), mean - y, mean};
}

RowValue NumberLoss::row(View<const double> y, View<double> scores, View<double> curvature, Index i) const {
  RowValue sum;
  double shared = 0;
  for (Index k = 0; k < outputs_; ++k) {
    const double truth = y(loss_.target_of(k), i);
    const Term part = term(scores(k, i), truth, k);
    sum.value += part.value;
    // The conjugate of a loss with a corner is u·y: slopes of the smoothed loss are feasible multipliers.
    const double exact = has_corner() ? loss_.value(scores(k, i), truth, k) : part.value;
    sum.exact += exact;
    if (has_corner()) sum.gap += std::max(0.0, exact + part.slope * (truth - scores(k, i)));
    scores(k, i) = part.slope;
    curvature(k, i) = part.curvature;
    shared += part.curvature / static_cast<double>(outputs_);
  }
  curvature(outputs_, i) = shared;
  return sum;
}

double NumberLoss::best_constant(std::vector<double> y, std::vector<double> weights, Index output) const {
  if (loss_.is_quantile())
    return weighted_quantile(std::move(y), std::move(weights), loss_.quantiles[static_cast<std::size_t>(output)]);
  if (loss_.kind == RegressionLoss::absolute || loss_.kind == RegressionLoss::huber)
    return weighted_quantile(std::move(y), std::move(weights), 0.5);
  double sum = 0, weight = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double w = weights.empty() ? 1 : weights[i];
    sum += w * y[i];
    weight += w;
  }
  const auto [least, largest] = std::minmax_element(y.begin(), y.end());
  const double mean = std::clamp(sum / weight, *least, *largest);  // exact where all are the same
  return loss_.kind == RegressionLoss::poisson ? std::log(mean) : mean;
}

double weighted_quantile(std::vector<double> y, std::vector<double> weights, double share) {
  if (weights.empty()) weights.assign(y.size(), 1);
  std::vector<std::size_t> order(y.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return y[a] < y[b]; });
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  double below = 0;
  for (const std::size_t i : order) {
    below += weights[i];
    if (below >= share * total) return y[i];
  }
  return y[order.back()];
}

}  // namespace weft::detail
