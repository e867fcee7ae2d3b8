// The tilts, joint laws and norms of docs/mathematics.md §2.1 and §3, one case per weight kernel.
#include "compute/weight_kernel.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace weft {

using WeightKind = WeightKernel::Kind;

const char* WeightKernel::name() const {
  switch (kind_) {
    case WeightKind::gaussian:
      return "gaussian";
    case WeightKind::exponential:
      return "exponential";
    case WeightKind::none:
      break;
  }
  return "none";
}

namespace detail {

Tilt tilt_of(const WeightKernel& kernel, double sigma, double gamma) {
  const double s2 = sigma * sigma;
  const double g2 = gamma * gamma;
  switch (kernel.kind()) {
    case WeightKind::gaussian:
      return {.c = s2 / (s2 + g2),
              .s = sigma * gamma / std::hypot(sigma, gamma),
              .log_a_per_dim = -0.5 * std::log1p(s2 / g2),
              .log_a_per_square = -0.5 / (s2 + g2)};
    case WeightKind::exponential:
      return {.c = s2 / (2 * g2), .s = sigma, .log_a_per_dim = 0, .log_a_per_square = s2 / (8 * g2 * g2)};
    case WeightKind::none:
      break;
  }
  return {};
}

JointLaw joint_law_of(const WeightKernel& kernel, double sigma, double gamma) {
  const double s2 = sigma * sigma;
  const double g2 = gamma * gamma;
  // Precision matrix [[a, −b], [−b, a]] per coordinate: v = a/(a²−b²), r = b/a, multiplied out so that nothing cancels.
  if (kernel.kind() == WeightKind::none) return {.v = s2, .r = 1, .log_z_per_dim = 0};
  if (kernel.kind() == WeightKind::gaussian)
    return {
        .v = s2 * ((s2 + g2) / (2 * s2 + g2)), .r = s2 / (s2 + g2), .log_z_per_dim = -0.5 * std::log1p(2 * s2 / g2)};
  const double r = s2 / (2 * g2);
  if (r >= 1)
    throw Error(ErrorKind::option, fmt::format("the exponential kernel has no implicit kernel at gamma = {:g}", gamma),
                "‹gamma›", fmt::format("it needs gamma > sigma/sqrt(2) = {:g}", sigma / std::sqrt(2.0)));
  return {.v = s2 / ((1 - r) * (1 + r)), .r = r, .log_z_per_dim = -0.5 * std::log1p(-r * r)};
}

double log_value(const WeightKernel& kernel, const Pair& pair, double gamma) {
  switch (kernel.kind()) {
    case WeightKind::gaussian:
      return -std::max(0.0, pair.uu + pair.vv - 2 * pair.uv) / (2 * gamma * gamma);
    case WeightKind::exponential:
      return pair.uv / (2 * gamma * gamma);
    case WeightKind::none:
      break;
  }
  throw Error(ErrorKind::option, "plain random features have no weight kernel", "‹family›",
              "choose a family that starts with rw-");
}

double log_l2(const WeightKernel& kernel, const Pair& pair, Index dim, double sigma, double gamma) {
  const double s2 = sigma * sigma;
  const double g2 = gamma * gamma;
  const double sum_squared = std::max(0.0, pair.uu + pair.vv + 2 * pair.uv);
  switch (kernel.kind()) {
    case WeightKind::gaussian:
      return -std::max(0.0, pair.uu + pair.vv - 2 * pair.uv) / (4 * g2) -
             0.5 * static_cast<double>(dim) * std::log1p(2 * s2 / g2) - 0.25 * sum_squared / (2 * s2 + g2);
    case WeightKind::exponential:
      return s2 * sum_squared / (8 * g2 * g2);
    case WeightKind::none:
      break;
  }
  throw Error(ErrorKind::option, "plain random features have no L2(p) Gram matrix", "‹family›",
              "choose a family that starts with rw-");
}

DiagonalTilt diagonal_tilt_of(const WeightKernel& kernel, double sigma, double gamma) {
  if (kernel.kind() != WeightKind::exponential) return {};
  const double ratio = sigma * sigma / (gamma * gamma);
  if (ratio >= 1)
    throw Error(ErrorKind::option, fmt::format("kappa is infinite at gamma = {:g} <= sigma = {:g}", gamma, sigma),
                "‹gamma›", "the exponential kernel needs gamma > sigma");
  return {.inflation = 1 / (1 - ratio), .log_mass_per_dim = -0.5 * std::log1p(-ratio)};
}

}  // namespace detail

namespace {

// x^(-power) − 1 and 1 − x^(-power) without cancellation when the power is tiny (n in the hundreds).
double gamma_from(double sigma, double denominator, double numerator) {
  return sigma * std::sqrt(numerator / denominator);
}

}  // namespace

double gamma_from_theta(double theta, double sigma, Index dim) {
  return gamma_from(sigma, std::expm1(-4.0 / static_cast<double>(dim) * std::log(theta)), 2);
}

double gamma_from_exact_theta(double theta, double sigma, Index dim) {
  // log θ² = −(n/2)·log(1 + 2q) + log((2/π)·arcsin(q/(1 + q))), q = σ²/γ², rises to one maximum and falls again; γ is
  // on its side of large q.
  const auto log_square = [&](double log_q) {
    const double q = std::exp(log_q);
    return -0.5 * static_cast<double>(dim) * std::log1p(2 * q) +
           std::log(2 / std::numbers::pi * std::asin(q / (1 + q)));
  };
  double left = std::log(1e-12), right = std::log(1e12);
  for (int k = 0; k < 200; ++k) {
    const double third = (right - left) / 3;
    const bool rises = log_square(left + third) < log_square(right - third);
    (rises ? left : right) = rises ? left + third : right - third;
  }
  const double top = 0.5 * (left + right), wanted = 2 * std::log(theta);
  if (wanted > log_square(top))
    throw Error(
        ErrorKind::option,
        fmt::format("theta of sign features is at most {:.4g} in {} dimensions", std::exp(0.5 * log_square(top)), dim),
        "‹exact_theta›", "give a smaller one");
  double near = top, far = top + 1;
  while (log_square(far) > wanted) far += far - top;
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (near + far);
    (log_square(middle) > wanted ? near : far) = middle;
  }
  return sigma * std::exp(-0.5 * far);
}

double gamma_from_kappa(double kappa, double sigma, Index dim) {
  return gamma_from(sigma, -std::expm1(-4.0 / static_cast<double>(dim) * std::log(kappa)), 1);
}

double gamma_from_shrink(double shrink, double sigma, Index dim) {
  return gamma_from(sigma, std::expm1(-2.0 / static_cast<double>(dim) * std::log(shrink)), 1);
}

}  // namespace weft
