// θ, κ, τ (docs/mathematics.md §4): the exact ones are suprema of kernels that are known in closed form; the papers'
// bounds on θ are kept beside them, because the certificates are stated with both, and the means over rows for the
// bounds by the trace.
#include "features/implicit_kernel.hpp"

#include "core/json_text.hpp"
#include "core/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

namespace weft {

using namespace detail;

namespace {

using WeightKind = WeightKernel::Kind;

/// The papers' bound on θ² of one group of `dim` columns with ‖x‖ ≤ radius; nullopt where they have none.
std::optional<double> paper_theta_squared(const FeaturePart& part, Index dim, double radius) {
  const double n = static_cast<double>(dim);
  const double ratio = part.sigma * part.sigma / (part.gamma * part.gamma);
  const std::string activation = part.family.activation->name();
  const bool axis = part.family.projection.kind == Projection::Kind::axis;
  const double relu_square = part.sigma * part.sigma / (2 * std::numbers::pi) * radius * radius;
  if (part.family.kernel.kind() == WeightKind::gaussian) {
    if (activation == "sign") return std::exp(-0.5 * n * std::log1p(2 * ratio));
    if (activation == "relu" && !axis) return relu_square * std::exp(0.5 * (1 - n) * std::log1p(2 * ratio));
  } else if (part.family.kernel.kind() == WeightKind::exponential && ratio < 2 && !axis) {
    if (activation == "sign") return std::exp(-n * std::log1p(-0.5 * ratio));
    if (activation == "relu") return relu_square * std::exp((1 - n) * std::log1p(-0.5 * ratio));
  }
  return std::nullopt;
}

/// A law's kernel at x = x', over given rows or over a ball.
struct Diagonal {
  double largest = 0;
  std::optional<double> mean = {};  ///< over rows
};
using DiagonalOf = std::function<Diagonal(const FeaturePart&, const PairLaw&)>;

Diagonal over_rows(const FeaturePart& part, const PairLaw& law, View<const double> x, const Run& run) {
  const LawKernel kernel(part, law);
  std::vector<double> values(static_cast<std::size_t>(x.cols));
  parallel_for(x.cols, run.thread_count(), [&](Index i) { values[static_cast<std::size_t>(i)] = kernel(x, i, x, i); });
  return {*std::max_element(values.begin(), values.end()),
          std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(x.cols)};
}

/// Largest value of f on [low, high]: the best of `steps` points, polished between its neighbours by golden sections.
double maximum(const std::function<double(double)>& f, double low, double high, int steps) {
  const auto at = [&](int k) { return low + (high - low) * k / steps; };
  int best = 0;
  double value = f(low);
  for (int k = 1; k <= steps; ++k)
    if (const double next = f(at(k)); next > value) {
      best = k;
      value = next;
    }
  double a = at(std::max(0, best - 1));
  double b = at(std::min(steps, best + 1));
  for (int k = 0; k < 60; ++k) {
    const double third = 0.381966011250105 * (b - a);
    (f(a + third) < f(b - third) ? a : b) = f(a + third) < f(b - third) ? a + third : b - third;
  }
  return std::max(value, f(0.5 * (a + b)));
}

/// Where h is bounded and no radius is given, all of space is searched; where it grows, the unit ball.
bool grows(const FeaturePart& part) {
  return std::abs(part.family.activation->value(1e6)) > 1e3;
}

// The supremum over ‖x_J‖ ≤ radius (|x_j| ≤ radius for stumps) of every group's share.
double over_ball(const FeaturePart& part, const PairLaw& law, std::optional<double> radius) {
  const LawKernel kernel(part, law);
  const double groups = static_cast<double>(part.centres.groups.size());
  if (part.family.projection.kind == Projection::Kind::axis) {
    // All groups of stumps are alike. Beyond a few spreads a bounded h has saturated, or repeats itself.
    const double reach = radius ? *radius : grows(part) ? 1 : 40 * part.sigma + 10;
    const auto on_axis = [&](double x) { return kernel.axis_value(x, x); };
    return kernel.share() * groups * maximum(on_axis, -reach, reach, 1024);
  }
  double sum = 0;
  for (std::size_t g = 0; g < part.centres.groups.size(); ++g) {
    const auto at = [&](double r) { return kernel.diagonal(static_cast<Index>(g), r); };
    if (radius || grows(part))
      sum += maximum(at, 0, radius.value_or(1), 256);
    else  // in the logarithm, from next to nothing to where every bounded h has saturated
      sum += std::max(at(0), maximum([&](double t) { return at(std::exp(t) / part.sigma); }, -12, 18, 512));
  }
  return kernel.share() * sum;
}

/// Over a union, squares and their means add.
void add_diagonal(Diagonal& total, const Diagonal& term) {
  total.largest += term.largest;
  if (total.mean && term.mean)
    *total.mean += *term.mean;
  else
    total.mean.reset();
}

Constants combine(const std::vector<FeaturePart>& parts, const DiagonalOf& diagonal,
                  const std::function<double(const FeaturePart&)>& radius) {
  std::optional<double> bound = 0.0;
  std::optional<Diagonal> theta = Diagonal{0, 0.0};
  std::optional<Diagonal> kappa = theta;
  Diagonal tau{0, 0.0};
  Constants result;
  const auto add = [&](std::optional<Diagonal>& total, const auto& term) {
    try {
      if (total) add_diagonal(*total, term());
    } catch (const Error& error) {
      // A constant that is infinite is an answer, not a failure; the reason is returned with it.
      result.note = error.marked();
      total.reset();
    }
  };
  for (const FeaturePart& part : parts) {
    Index widest = 0;
    for (std::size_t g = 0; g < part.centres.groups.size(); ++g)
      widest = std::max(widest, part.dimension(static_cast<Index>(g)));
    const auto paper = paper_theta_squared(part, widest, radius(part));
    if (bound && paper)
      *bound += *paper / static_cast<double>(part.centres.groups.size());
    else
      bound.reset();
    add(theta, [&] { return diagonal(part, implicit_law(part)); });
    add(kappa, [&] { return diagonal(part, kappa_law(part)); });
    add_diagonal(tau, diagonal(part, second_moment_law(part)));
  }
  const auto root = [](std::optional<double> square) { return square ? std::optional(std::sqrt(*square)) : square; };
  result.theta_bound = root(bound);
  if (theta) result.theta = std::sqrt(theta->largest);
  if (theta) result.theta_mean = root(theta->mean);
  if (kappa) result.kappa = std::sqrt(kappa->largest);
  result.tau = std::sqrt(tau.largest);
  result.tau_mean = root(tau.mean);
  return result;
}

}  // namespace

std::string Constants::to_json() const {
  Json json = {{"theta", number_to_json(theta)},
               {"theta_bound", number_to_json(theta_bound)},
               {"kappa", number_to_json(kappa)},
               {"tau", number_to_json(tau)}};
  if (!note.empty()) json["note"] = note;
  return json_document(json);
}

Constants FeatureMap::constants(std::optional<double> max_norm) const {
  if (sections_) return sections()->constants(max_norm);
  return combine(
      parts_, [&](const FeaturePart& part, const PairLaw& law) { return Diagonal{over_ball(part, law, max_norm)}; },
      [&](const FeaturePart&) { return max_norm.value_or(1); });
}

Constants FeatureMap::constants(View<const double> x, const Run& run) const {
  if (sections_) return sections()->constants(x, run);
  double largest = 0;
  for (Index i = 0; i < x.cols; ++i) {
    double square = 0;
    for (Index j = 0; j < x.rows; ++j) square += x(j, i) * x(j, i);
    largest = std::max(largest, square);
  }
  return combine(
      parts_, [&](const FeaturePart& part, const PairLaw& law) { return over_rows(part, law, x, run); },
      [&](const FeaturePart&) { return std::sqrt(largest); });
}

}  // namespace weft
