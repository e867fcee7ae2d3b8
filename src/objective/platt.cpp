#include "objective/platt.hpp"

#include <weft/error.hpp>

#include <cassert>
#include <cmath>
#include <vector>

namespace weft::detail {

namespace {

constexpr int kMaxIterations = 100;
constexpr double kLeastStep = 1e-10;
constexpr double kSmallGradient = 1e-10;  // of the mean loss
constexpr double kRidge = 1e-12;          // keeps the 2×2 Hessian invertible when all scores are equal

struct Rows {
  std::vector<double> scores, targets, weights;  // scores of root mean square 1
  double weight = 0;
  double scale = 1;  // the scores were divided by it
};

/// The mean of the loss, its gradient and its Hessian in (slope, offset).
struct Quadratic {
  double value = 0;
  double slope = 0, offset = 0;
  double slope_slope = kRidge, slope_offset = 0, offset_offset = kRidge;
};

Quadratic expand(const Rows& rows, Sigmoid at) {
  Quadratic sum;
  for (std::size_t i = 0; i < rows.scores.size(); ++i) {
    const double f = rows.scores[i];
    const double w = rows.weights[i] / rows.weight;
    const double z = at.slope * f + at.offset;
    const double tail = std::exp(-std::abs(z));
    // −t log p − (1−t) log(1−p) with p = 1/(1+eᶻ), written so that nothing cancels or overflows.
    sum.value += w * ((z >= 0 ? rows.targets[i] : rows.targets[i] - 1) * z + std::log1p(tail));
    const double p = z >= 0 ? tail / (1 + tail) : 1 / (1 + tail);
    const double residual = w * (rows.targets[i] - p);
    const double curvature = w * tail / ((1 + tail) * (1 + tail));
    sum.slope += residual * f;
    sum.offset += residual;
    sum.slope_slope += curvature * f * f;
    sum.slope_offset += curvature * f;
    sum.offset_offset += curvature;
  }
  return sum;
}

/// False: no step along the Newton direction lowers the value, which is then as low as rounding allows.
bool step(const Rows& rows, Quadratic& here, Sigmoid& at) {
  const double determinant = here.slope_slope * here.offset_offset - here.slope_offset * here.slope_offset;
  const double slope = -(here.offset_offset * here.slope - here.slope_offset * here.offset) / determinant;
  const double offset = -(here.slope_slope * here.offset - here.slope_offset * here.slope) / determinant;
  const double descent = here.slope * slope + here.offset * offset;
  for (double length = 1; length >= kLeastStep; length /= 2) {
    const Sigmoid moved{at.slope + length * slope, at.offset + length * offset};
    const Quadratic there = expand(rows, moved);
    if (there.value >= here.value + 1e-4 * length * descent) continue;
    at = moved;
    here = there;
    return true;
  }
  return false;
}

Rows prepare(std::span<const double> scores, std::span<const std::uint8_t> positive, std::span<const double> weights) {
  assert(positive.size() == scores.size() && (weights.empty() || weights.size() == scores.size()));
  Rows rows;
  rows.scores.assign(scores.begin(), scores.end());
  rows.weights.assign(scores.size(), 1);
  if (!weights.empty()) rows.weights.assign(weights.begin(), weights.end());
  double counts[2] = {0, 0};
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!std::isfinite(scores[i]))
      throw Error(ErrorKind::data, "a score is not finite", "row " + std::to_string(i + 1),
                  "calibration needs finite scores; look for overflow in the inputs");
    counts[positive[i] != 0 ? 1 : 0] += rows.weights[i];
  }
  rows.weight = counts[0] + counts[1];
  if (!(rows.weight > 0))
    throw Error(ErrorKind::data, "there are no rows for calibration", {},
                "hold out more rows or leave calibration off");
  double squares = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) squares += rows.weights[i] * scores[i] * scores[i] / rows.weight;
  if (squares > 0) rows.scale = std::sqrt(squares);
  for (double& score : rows.scores) score /= rows.scale;
  for (const std::uint8_t label : positive)
    rows.targets.push_back(label != 0 ? (counts[1] + 1) / (counts[1] + 2) : 1 / (counts[0] + 2));
  return rows;
}

}  // namespace

double Sigmoid::probability(double score) const {
  const double z = slope * score + offset;
  const double tail = std::exp(-std::abs(z));
  return z >= 0 ? tail / (1 + tail) : 1 / (1 + tail);
}

Sigmoid fit_sigmoid(std::span<const double> scores, std::span<const std::uint8_t> positive,
                    std::span<const double> weights) {
  const Rows rows = prepare(scores, positive, weights);
  double negatives = 1, positives = 1;
  for (std::size_t i = 0; i < scores.size(); ++i) (positive[i] != 0 ? positives : negatives) += rows.weights[i];
  Sigmoid sigmoid{0, std::log(negatives / positives)};
  Quadratic here = expand(rows, sigmoid);
  for (int k = 0; k < kMaxIterations; ++k) {
    if (std::abs(here.slope) < kSmallGradient && std::abs(here.offset) < kSmallGradient) break;
    if (!step(rows, here, sigmoid)) break;
  }
  return {sigmoid.slope / rows.scale, sigmoid.offset};
}

}  // namespace weft::detail
