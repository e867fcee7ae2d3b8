// Independent truths for feature families: expectations over w computed from their definitions, by quadrature along x
// and across it (the kernels factorise there), and by Monte Carlo. Nothing here uses tilts or smoothings.
#pragma once

#include <weft/feature_map.hpp>

#include "core/random.hpp"

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include <boost/math/quadrature/gauss_kronrod.hpp>

namespace weft::truth {

using namespace detail;

inline double normal_pdf(double z, double sigma) {
  return std::exp(-0.5 * z * z / (sigma * sigma)) / (sigma * std::sqrt(2 * std::numbers::pi));
}

/// K(u, w) in one coordinate; both kernels are products over the coordinates of any orthonormal basis.
inline double kernel_1d(WeightKernel::Kind kind, double u, double w, double gamma) {
  return kind == WeightKernel::Kind::gaussian ? std::exp(-(u - w) * (u - w) / (2 * gamma * gamma))
                                              : std::exp(u * w / (2 * gamma * gamma));
}

inline double integrate(const std::function<double(double)>& f, double low, double high) {
  using Rule = boost::math::quadrature::gauss_kronrod<double, 31>;
  return low < high ? Rule::integrate(f, low, high, 12, 1e-14) : 0;
}

/// ∫ f over the real line for f that lives within ±reach, split at 0 where sign and relu break.
inline double integrate_line(const std::function<double(double)>& f, double reach) {
  double sum = 0;
  const int pieces = 8;
  for (int k = -pieces; k < pieces; ++k) sum += integrate(f, reach * k / pieces, reach * (k + 1) / pieces);
  return sum;
}

/// E_{w ~ N(0, σ²I)}[K(u, w) h(⟨w, x⟩ + b)] with x ≠ 0.
inline double dense_feature(const FeaturePart& part, const std::vector<double>& u, const std::vector<double>& x,
                            double b) {
  double xx = 0, ux = 0, uu = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    xx += x[j] * x[j];
    ux += u[j] * x[j];
    uu += u[j] * u[j];
  }
  const double norm = std::sqrt(xx);
  const double along = ux / norm;
  const double across = std::sqrt(std::max(0.0, uu - along * along));
  const auto kind = part.family.kernel.kind();
  const double reach = 14 * part.sigma + 2 * std::abs(along) + 2 * std::abs(across);
  const auto factor = [&](double centre, const std::function<double(double)>& h) {
    return integrate_line(
        [&](double w) { return normal_pdf(w, part.sigma) * kernel_1d(kind, centre, w, part.gamma) * h(w); }, reach);
  };
  const Activation& h = *part.family.activation;
  double value = factor(along, [&](double w) { return h.value(w * norm + b); });
  const auto one = [](double) { return 1.0; };
  for (std::size_t j = 1; j < x.size(); ++j) value *= factor(j == 1 ? across : 0.0, one);
  return value;
}

/// Mean and standard error.
struct Estimate {
  double mean = 0;
  double error = 0;
};
inline Estimate monte_carlo(int draws, const std::function<double(std::uint64_t)>& sample) {
  double sum = 0, squares = 0;
  for (int i = 0; i < draws; ++i) {
    const double value = sample(static_cast<std::uint64_t>(i));
    sum += value;
    squares += value * value;
  }
  const double mean = sum / draws;
  return {mean, std::sqrt(std::max(0.0, squares / draws - mean * mean) / draws)};
}

/// log K(u, w) of two centres as vectors.
inline double kernel(const FeaturePart& part, const double* u, const double* w, Index n) {
  double value = 1;
  for (Index j = 0; j < n; ++j) value *= kernel_1d(part.family.kernel.kind(), u[j], w[j], part.gamma);
  return value;
}

}  // namespace weft::truth
