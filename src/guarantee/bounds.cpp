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
