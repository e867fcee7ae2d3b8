// θ, κ, τ (MATH section 3): the exact ones are suprema of kernels that are known in closed form; the papers' bounds on
// θ are kept beside them, because the certificates are stated with both.
#include "features/implicit_kernel.hpp"

#include "core/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <fmt/format.h>

namespace weft {

namespace {

using Kind = WeightKernel::Kind;

/// The papers' bound on θ² of one group of `dim` columns with ‖x‖ ≤ radius; nullopt where they have none.
std::optional<double> paper_theta_squared(const FeaturePart& part, Index dim, double radius) {
  const double n = static_cast<double>(dim);
  const double ratio = part.sigma * part.sigma / (part.gamma * part.gamma);
  const std::string activation = part.family.activation->name();
  const bool axis = part.family.projection.kind == Projection::Kind::axis;
  const double relu_square = part.sigma * part.sigma / (2 * std::numbers::pi) * radius * radius;
  if (part.family.kernel.kind() == Kind::gaussian) {
    if (activation == "sign") return std::exp(-0.5 * n * std::log1p(2 * ratio));
    if (activation == "relu" && !axis) return relu_square * std::exp(0.5 * (1 - n) * std::log1p(2 * ratio));
  } else if (part.family.kernel.kind() == Kind::exponential && ratio < 2 && !axis) {
    if (activation == "sign") return std::exp(-n * std::log1p(-0.5 * ratio));
    if (activation == "relu") return relu_square * std::exp((1 - n) * std::log1p(-0.5 * ratio));
  }
  return std::nullopt;
}

/// How the suprema of a law's kernel are found: over given rows, or over a ball.
using Supremum = std::function<double(const FeaturePart&, const PairLaw&)>;

double over_rows(const FeaturePart& part, const PairLaw& law, View<const double> x, const Run& run) {
  const LawKernel kernel(part, law);
  std::vector<double> values(static_cast<std::size_t>(x.cols));
  parallel_for(x.cols, run.thread_count(), [&](Index i) { values[static_cast<std::size_t>(i)] = kernel(x, i, x, i); });
  return *std::max_element(values.begin(), values.end());
}

// Each group sees radii up to `radius`; the kernels of the built-in activations are monotone or have their supremum at
// an end, and a custom one is searched on a fine grid.
double over_ball(const FeaturePart& part, const PairLaw& law, double radius) {
  const LawKernel kernel(part, law);
  const bool axis = part.family.projection.kind == Projection::Kind::axis;
  constexpr int kSteps = 256;
  double sum = 0;
  for (std::size_t g = 0; g < part.centres.groups.size(); ++g) {
    double best = 0;
    // All groups of stumps are alike.
    if (axis && g > 0) {
      sum += sum / static_cast<double>(g);
      continue;
    }
    for (int k = 0; k <= kSteps; ++k) {
      const double r = radius * k / kSteps;
      best = std::max(best, axis ? std::max(kernel.axis_value(r, r), kernel.axis_value(-r, -r))
                                 : kernel.group_value(static_cast<Index>(g), r * r, r * r, r * r));
    }
    sum += best;
  }
  return kernel.share() * sum;
}

double default_radius(const FeaturePart& part) {
  // Far enough out for a bounded stump to saturate; 1 where the supremum grows with ‖x‖.
  const bool grows = std::abs(part.family.activation->value(1e6)) > 1e3;
  const bool axis = part.family.projection.kind == Projection::Kind::axis;
  return axis && !grows ? 40 * part.sigma : 1;
}

Constants combine(const std::vector<FeaturePart>& parts, const Supremum& supremum,
                  const std::function<double(const FeaturePart&)>& radius) {
  std::optional<double> bound = 0.0;
  std::optional<double> theta = 0.0;
  std::optional<double> kappa = 0.0;
  double tau = 0;
  Constants result;
  const auto add = [&](std::optional<double>& total, const auto& term) {
    try {
      if (total) *total += term();
    } catch (const Error& error) {
      // A constant that is infinite is an answer, not a failure; the reason travels with it.
      result.note = error.what();
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
    add(theta, [&] { return supremum(part, implicit_law(part)); });
    add(kappa, [&] { return supremum(part, kappa_law(part)); });
    tau += supremum(part, second_moment_law(part));
  }
  const auto root = [](std::optional<double> square) { return square ? std::optional(std::sqrt(*square)) : square; };
  result.theta_bound = root(bound);
  result.theta = root(theta);
  result.kappa = root(kappa);
  result.tau = std::sqrt(tau);
  return result;
}

}  // namespace

Constants FeatureMap::constants(std::optional<double> max_norm) const {
  const auto radius = [&](const FeaturePart& part) { return max_norm.value_or(default_radius(part)); };
  return combine(
      parts_, [&](const FeaturePart& part, const PairLaw& law) { return over_ball(part, law, radius(part)); }, radius);
}

Constants FeatureMap::constants(View<const double> x, const Run& run) const {
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
