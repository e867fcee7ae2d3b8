#include "guarantee/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace weft::detail {

double reach_of(double theta, double norm) {
  if (norm == 0) return 0;
  if (theta == 0 || !std::isfinite(norm)) return std::numeric_limits<double>::infinity();
  return theta * norm;
}

GridRadius round_up(double radius, double unit) {
  constexpr double kStepsPerOctave = 4;
  constexpr double kLowest = -40;  // radii below unit/1024 need not be distinguished
  if (radius == 0) return {0, std::numbers::ln2};
  if (!std::isfinite(radius)) return {radius, 0};
  const double step = std::max(kLowest, std::ceil(kStepsPerOctave * (std::log2(radius) - std::log2(unit))));
  const double places = 2 * (std::numbers::pi * std::numbers::pi / 3 - 1);  // 2·Σ_k (1 + |k|)⁻²
  return {std::max(radius, unit * std::exp2(step / kStepsPerOctave)),
          std::log(places) + 2 * std::log1p(std::abs(step))};
}

Reach class_reach(double norm_reach, double factor, double intercept, double unit, bool learned) {
  if (!std::isfinite(norm_reach)) return {norm_reach, 0, intercept};
  const auto stretched = [&](double reach) { return reach == 0 ? 0 : factor * reach; };  // factor: ∞ where θ is 0
  if (!learned) return {stretched(norm_reach) + intercept, 0, intercept};
  const GridRadius norm = round_up(norm_reach, unit);
  const GridRadius shift = round_up(intercept, unit);
  return {stretched(norm.radius) + shift.radius, norm.log_cost + shift.log_cost, shift.radius};
}

namespace {

constexpr double kTraceShare = 1.0 / 16;

}  // namespace

double learned_cost() {
  return std::numbers::ln2 + beside_trace_cost();
}

double trace_cost() {
  return std::numbers::ln2 - std::log(kTraceShare);
}

double beside_trace_cost() {
  return -std::log1p(-kTraceShare);
}

double rademacher_gap(const LossRange& range, double reach, double rows, double log_inverse) {
  const double deviation = (reach + (range.classes ? 0 : range.target_radius)) * std::sqrt(log_inverse / 2);
  return 2 * range.lipschitz(reach) / std::sqrt(rows) * (reach + deviation);
}

double minimum_excess(const LossRange& range, double reach, double rows, double log_inverse) {
  return 2 * rademacher_gap(range, reach, rows, log_inverse + std::numbers::ln2);
}

double bounded_loss_gap(const LossRange& range, double reach, double rows, double log_inverse) {
  return 2 * range.lipschitz(reach) * reach / std::sqrt(rows) +
         range.largest(reach) * std::sqrt(log_inverse / (2 * rows));
}

double traced_root(double mean, double supremum, double rows, double log_inverse) {
  const double deviation = supremum * std::sqrt(log_inverse / (2 * rows));
  return std::min(supremum, deviation + std::hypot(deviation, mean));
}

double traced_gap(const LossRange& range, double reach, double complexity_reach, double rows, double log_inverse) {
  return 2 * range.lipschitz(reach) * complexity_reach / std::sqrt(rows) +
         range.largest(reach) * std::sqrt(log_inverse / (2 * rows));
}

double softmax_gap(double classes, double reach, double rows, double log_inverse) {
  // log(1 + (K−1)e^{√2 F}), without overflow.
  const double spread = std::numbers::sqrt2 * reach;
  const double largest = spread + std::log(std::exp(-spread) + classes - 1);
  return 4 * std::sqrt(classes / rows) * reach + largest * std::sqrt(log_inverse / (2 * rows));
}

double pruning_gap(const LossRange& range, double reach, double distance, double rows, double log_inverse) {
  if (distance == 0) return 0;
  return range.lipschitz(reach + distance) * distance / std::sqrt(rows) * (2 + std::sqrt(2 * log_inverse));
}

double descent_excess(const LossRange& range, double theta, double kappa, double intercept, const DescentRun& descent,
                      double rows) {
  const auto [norm, lambda, steps] = descent;
  const double reach = reach_of(theta, norm) + std::abs(intercept);
  const double slope = range.lipschitz(reach);
  const double gradient = slope * kappa + 2 * lambda * norm;
  return 2 * slope * reach / std::sqrt(rows) + lambda * norm * norm + 8 * slope * slope / (lambda * rows) +
         gradient * gradient / (2 * lambda * steps) * (1 + std::log(steps));
}

double descent_excess_74(const LossRange& range, double theta, double kappa, double intercept,
                         const DescentRun& descent, double rows) {
  const auto [norm, half, steps] = descent;
  const double lambda = 2 * half;
  const double reach = reach_of(theta, norm) + std::abs(intercept);
  const double slope = range.lipschitz(reach);
  const double gradient = slope * kappa + lambda * norm;
  return 2 * slope * reach / std::sqrt(rows) + lambda * norm * norm + 8 * slope * slope / (lambda * rows) +
         gradient * gradient / (2 * lambda * steps) * (1 + std::log(steps));
}

double enough_steps(const std::function<double(double steps)>& excess) {
  constexpr double kNever = 700;  // log of the largest double, nearly
  const double others = excess(std::exp(kNever));
  double low = 0, high = kNever;
  for (int k = 0; k < 80; ++k) {
    const double middle = 0.5 * (low + high);
    (excess(std::exp(middle)) <= 2 * others ? high : low) = middle;
  }
  return std::ceil(std::exp(high));
}

double pruning_weight(const LossRange& range, double reach, double theta, double difference, double features,
                      double absolute_sum, double factor) {
  // ρ is that of |f| ≤ reach + d: the largest d with ρ(reach + d)·d ≤ difference.
  double low = 0, high = difference;
  while (std::isfinite(high) && range.lipschitz(reach + high) * high < difference) high *= 2;
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (low + high);
    (range.lipschitz(reach + middle) * middle <= difference ? low : high) = middle;
  }
  const double distance = low / theta;
  return distance * distance / (factor * features * absolute_sum);
}

double descent_lambda(const LossRange& range, double theta, double intercept, double norm, double rows) {
  return std::sqrt(8 / rows) * range.lipschitz(reach_of(theta, norm) + std::abs(intercept)) / norm;
}

double minimiser_features(const LossRange& range, double theta, double kappa, double intercept, double norm,
                          double rows, double log_inverse) {
  const double half = log_inverse + std::numbers::ln2;
  const double reach = reach_of(theta, norm) + std::abs(intercept);
  // ρθB'·q/(θ + q) = r, the term of the rows, with q = (κ/√T)(1 + 2√(2 log 2/δ)).
  const double whole = range.lipschitz(reach) * reach_of(theta, norm);
  const double share = rademacher_gap(range, reach, rows, half) / whole;
  if (!(share < 1)) return 1;
  const double root = kappa * (1 + 2 * std::sqrt(2 * half)) * (1 - share) / (theta * share);
  return std::max(1.0, std::ceil(root * root));
}

double minimiser_gap(const LossRange& range, double theta, double kappa, double intercept, double norm, double features,
                     double rows, double log_inverse) {
  const double half = log_inverse + std::numbers::ln2;  // δ/2 for the rows, δ/2 for the features
  const double sampling = kappa / std::sqrt(features) * (1 + 2 * std::sqrt(2 * half));
  const double reach = reach_of(theta, norm) + std::abs(intercept);
  // B' = B₁(θ + sampling), so that θB₁·sampling = θB'·sampling/(θ + sampling).
  const double approximation =
      sampling == 0 ? 0 : range.lipschitz(reach) * reach_of(theta, norm) * (sampling / (theta + sampling));
  return approximation + rademacher_gap(range, reach, rows, half);
}

}  // namespace weft::detail
