#include "sampling/choose.hpp"

#include <weft/error.hpp>

#include "core/random.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/symmetric_eigen.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace weft::detail {

std::vector<double> leverage_scores(View<const double> gram, double lambda, int threads) {
  Matrix factor(gram.rows, gram.cols);
  for (Index s = 0; s < gram.rows; ++s) {
    std::copy_n(gram.row(s), s + 1, factor.row(s));
    factor(s, s) += lambda;
  }
  if (!cholesky_factor(factor, threads))
    throw Error(ErrorKind::option, fmt::format("leverage scores at lambda = {:g} are lost in rounding", lambda),
                "‹sampling_lambda›", "give a larger one");
  std::vector<double> scores = inverse_diagonal(factor, threads);
  for (double& score : scores) score = std::clamp(1 - lambda * score, 0.0, 1.0);
  return scores;
}

double lambda_of_dimension(View<const double> gram, double dimension) {
  constexpr Index kLeastBlock = 1000;
  const Index size = std::min(gram.rows, std::max(kLeastBlock, static_cast<Index>(2 * dimension)));
  const double share = static_cast<double>(gram.rows) / static_cast<double>(size);  // G has 1/M₀
  Matrix block(size, size);
  for (Index i = 0; i < size; ++i)
    for (Index j = 0; j <= i; ++j) block(i, j) = block(j, i) = share * gram(i, j);
  const std::vector<double> values = symmetric_eigen(std::move(block)).values;
  const auto directions = [&](double lambda) {
    double sum = 0;
    for (const double value : values) sum += std::max(value, 0.0) / (std::max(value, 0.0) + lambda);
    return sum;
  };
  double low = std::log(1e-14 * values.back()), high = std::log(static_cast<double>(size) * values.back());
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (directions(std::exp(middle)) > dimension ? low : high) = middle;
  }
  return std::exp(high);
}

namespace {

void check_scores(double total) {
  if (!(total > 0))
    throw Error(ErrorKind::option, "every candidate has the leverage score 0", "‹sampling_lambda›",
                "give a smaller one, or use ‹sampling› plain");
}

/// min(1, c·score) with the c that makes them add up to `count`.
std::vector<double> inclusion_probabilities(const std::vector<double>& scores, Index count) {
  std::vector<double> sorted = scores;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double rest = std::accumulate(sorted.begin(), sorted.end(), 0.0);
  auto left = static_cast<double>(count);
  for (const double score : sorted) {
    if (left * score < rest) break;
    left -= 1;  // this one and all before it are certain
    rest -= score;
  }
  const double factor = left > 0 && rest > 0 ? left / rest : std::numeric_limits<double>::infinity();
  std::vector<double> probabilities;
  for (const double score : scores) probabilities.push_back(score > 0 ? std::min(1.0, factor * score) : 0);
  return probabilities;
}

}  // namespace

ChosenFeatures draw_distinct(const std::vector<double>& scores, Index count, std::uint64_t seed) {
  check_scores(std::accumulate(scores.begin(), scores.end(), 0.0));
  count = std::min<Index>(count, std::count_if(scores.begin(), scores.end(), [](double score) { return score > 0; }));
  const std::vector<double> probabilities = inclusion_probabilities(scores, count);
  const double start = Random(seed, RandomStream::resampling).uniform(0);
  ChosenFeatures choice;
  double end = 0;
  for (std::size_t t = 0; t < scores.size(); ++t) {
    const double first = end;
    end += probabilities[t];
    // Is there a whole number k with first ≤ start + k < end? At most one, for no probability is above 1.
    if (std::ceil(first - start) >= end - start) continue;
    choice.positions.push_back(static_cast<Index>(t));
    choice.scales.push_back(
        std::sqrt(static_cast<double>(count) / (static_cast<double>(scores.size()) * probabilities[t])));
  }
  return choice;
}

ChosenFeatures draw_with_replacement(const std::vector<double>& scores, Index count, std::uint64_t seed) {
  std::vector<double> ends(scores.size());
  std::partial_sum(scores.begin(), scores.end(), ends.begin());
  check_scores(ends.back());
  const Random random(seed, RandomStream::resampling);
  std::vector<Index> draws(scores.size());
  for (Index k = 0; k < count; ++k) {
    const double at = ends.back() * random.uniform(static_cast<std::uint64_t>(k));
    // The first whose end lies beyond: it has a positive score. Rounding can put `at` on the last end.
    const auto place = std::upper_bound(ends.begin(), ends.end(), std::min(at, std::nextafter(ends.back(), 0.0)));
    ++draws[static_cast<std::size_t>(place - ends.begin())];
  }
  const auto distinct = static_cast<double>(std::count_if(draws.begin(), draws.end(), [](Index n) { return n > 0; }));
  ChosenFeatures choice;
  for (std::size_t t = 0; t < draws.size(); ++t) {
    if (draws[t] == 0) continue;
    const double q = scores[t] / ends.back();
    choice.positions.push_back(static_cast<Index>(t));
    choice.scales.push_back(std::sqrt(static_cast<double>(draws[t]) * distinct /
                                      (static_cast<double>(count) * static_cast<double>(scores.size()) * q)));
  }
  return choice;
}

ChosenFeatures take_top(const std::vector<double>& scores, Index count) {
  std::vector<Index> order(scores.size());
  std::iota(order.begin(), order.end(), Index{0});
  const auto score = [&](Index t) { return scores[static_cast<std::size_t>(t)]; };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return score(a) > score(b); });
  order.resize(static_cast<std::size_t>(count));
  std::sort(order.begin(), order.end());
  return {std::move(order), {}};
}

std::vector<double> aligned_weights(const std::vector<double>& scores, double rho) {
  // Stationarity: q_t ∝ max(0, s_t − τ). M₀Σq² grows with τ, from uniform at −∞ to the mass on the largest score.
  const auto count = static_cast<double>(scores.size());
  const auto [low, high] = std::minmax_element(scores.begin(), scores.end());
  std::vector<double> q(scores.size(), 1 / count);
  if (rho == 0 || *low == *high) return q;
  const double top = *high;
  const double spread = *high - *low;
  const auto fill = [&](double depth) {  // τ = top − depth
    double sum = 0;
    for (std::size_t t = 0; t < q.size(); ++t) sum += q[t] = std::max(0.0, depth - (top - scores[t]));
    double squares = 0;
    for (double& weight : q) {
      weight /= sum;
      squares += weight * weight;
    }
    return count * squares - 1;
  };
  // Bisection in log(depth): from the largest score alone to uniform within rounding.
  double narrow = std::log(spread) - 40;
  double wide = std::log(spread) + 40;
  if (fill(std::exp(narrow)) <= rho) return q;
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (narrow + wide);
    (fill(std::exp(middle)) > rho ? narrow : wide) = middle;
  }
  fill(std::exp(wide));
  return q;
}

ChosenFeatures take_aligned(const std::vector<double>& scores, Index count, double rho) {
  const std::vector<double> q = aligned_weights(scores, rho);
  ChosenFeatures choice;
  for (const Index t : take_top(q, count).positions) {
    const double weight = q[static_cast<std::size_t>(t)];
    if (weight == 0) continue;
    choice.positions.push_back(t);
    choice.scales.push_back(std::sqrt(static_cast<double>(q.size()) * weight));
  }
  return choice;
}

}  // namespace weft::detail
