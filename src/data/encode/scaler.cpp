#include "data/encode/scaler.hpp"

#include "core/special_functions.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <weft/error.hpp>

namespace weft::detail {

namespace {

// A column that spans more than the doubles do has no finite spread.
double checked_factor(double numerator, double spread, const std::string& name) {
  const double factor = numerator / spread;
  if (!std::isfinite(spread) || !std::isfinite(factor))
    throw Error(ErrorKind::data, fmt::format("the spread of column '{}' is beyond double precision", name), {},
                fmt::format("rescale it, or leave it out with ‹drop› {}", name));
  return factor;
}

struct Knot {
  double value;
  double rank;
};

// Distinct values of a sorted sample with their midranks in (0, 1).
std::vector<Knot> midranks(const std::vector<double>& sorted) {
  std::vector<Knot> knots;
  const auto count = static_cast<double>(sorted.size());
  for (std::size_t first = 0; first < sorted.size();) {
    std::size_t last = first;
    while (last < sorted.size() && sorted[last] == sorted[first]) ++last;
    knots.push_back({sorted[first], static_cast<double>(first + last) / (2 * count)});
    first = last;
  }
  return knots;
}

// The knots closest from below to kMaxKnots equal steps of rank.
std::vector<Knot> thinned(const std::vector<Knot>& knots) {
  if (static_cast<Index>(knots.size()) <= kMaxKnots) return knots;
  std::vector<Knot> chosen;
  std::size_t position = 0;
  for (Index step = 0; step < kMaxKnots; ++step) {
    const double rank = (static_cast<double>(step) + 0.5) / static_cast<double>(kMaxKnots);
    while (position + 1 < knots.size() && knots[position + 1].rank <= rank) ++position;
    if (chosen.empty() || chosen.back().value != knots[position].value) chosen.push_back(knots[position]);
  }
  return chosen;
}

}  // namespace

Scaler rank_to_normal(const std::vector<double>& sorted) {
  const double edge = 0.5 / static_cast<double>(kMaxKnots);
  std::vector<double> values;
  std::vector<double> scores;
  for (const Knot& knot : thinned(midranks(sorted))) {
    values.push_back(knot.value);
    scores.push_back(normal_quantile(std::clamp(knot.rank, edge, 1 - edge)));
  }
  return {std::move(values), std::move(scores)};
}

Scaler Scaler::for_numbers(Scaling scale, const ColumnStats& stats, const std::string& name) {
  const Moments& moments = stats.moments();
  if (scale == Scaling::none) return {};
  if (moments.constant()) return {moments.min, 0};
  const double to_range = checked_factor(2, moments.max - moments.min, name);
  if (scale == Scaling::quantile) return rank_to_normal(stats.sorted_sample());
  if (scale == Scaling::minmax) return {moments.min + (moments.max - moments.min) / 2, to_range};
  return {moments.mean, checked_factor(1, std::sqrt(moments.variance()), name)};
}

// THE rule for one-hot columns; tune it here and nowhere else.
// - none: 0/1. minmax: -1/+1. standard: mean 0 and variance 1 as every other column.
// - quantile, both: mean 0, and divided by the standard deviation floored at 0.1. A rank map of two values would be
// affine too,
//   but plain standardising sends the 1 of a category with share p to about 1/√p: a category of one row in 10,000 would
//   lie at 100 while every rank-mapped number lies within ±3.3, and random projections would see little else. With the
//   floor no indicator exceeds 10.
Scaler Scaler::for_one_hot(Scaling scale, double share) {
  if (scale == Scaling::none) return {};
  if (share >= 1) return {1, 0};
  if (scale == Scaling::minmax) return {0.5, 2};
  const double deviation = std::sqrt(share * (1 - share));
  if (uses_ranks(scale)) return {share, 1 / std::max(deviation, 0.1)};
  return {share, 1 / deviation};
}

double Scaler::operator()(double value) const {
  return values_.empty() ? (value - shift_) * factor_ : interpolate(value);
}

void Scaler::apply(double* values, Index count) const {
  if (values_.empty()) {
    for (Index i = 0; i < count; ++i) values[i] = (values[i] - shift_) * factor_;
  } else {
    Index i = 0;
    for (; i + kSearchedTogether <= count; i += kSearchedTogether) interpolate_some(values + i);
    for (; i < count; ++i) values[i] = interpolate(values[i]);
  }
}

// Halving takes as many steps for every value, so that several searches advance together and none waits for memory.
void Scaler::interpolate_some(double* values) const {
  const double* below[kSearchedTogether];
  std::fill_n(below, kSearchedTogether, values_.data());
  for (std::size_t length = values_.size() - 1; length > 1;) {
    const std::size_t half = length / 2;
    // Unrolled, or the compiler makes branches of the comparisons.
#pragma GCC unroll 16
    for (Index k = 0; k < kSearchedTogether; ++k) below[k] = below[k][half] <= values[k] ? below[k] + half : below[k];
    length -= half;
  }
  for (Index k = 0; k < kSearchedTogether; ++k)
    values[k] = between(values[k], static_cast<std::size_t>(below[k] - values_.data()));
}

double Scaler::interpolate(double value) const {
  // The last knot at or below the value, or the first; the halving has no branch to mispredict.
  const double* below = values_.data();
  for (std::size_t length = values_.size() - 1; length > 1;) {
    const std::size_t half = length / 2;
    below += below[half] <= value ? half : 0;
    length -= half;
  }
  return between(value, static_cast<std::size_t>(below - values_.data()));
}

// At knot k, or between it and the next one.
double Scaler::between(double value, std::size_t k) const {
  if (value <= values_.front()) return scores_.front();
  if (value >= values_.back()) return scores_.back();
  const double share = (value - values_[k]) / (values_[k + 1] - values_[k]);
  // The sum may round above the next score; clipping keeps the map monotone.
  return std::min(scores_[k] + share * (scores_[k + 1] - scores_[k]), scores_[k + 1]);
}

}  // namespace weft::detail
