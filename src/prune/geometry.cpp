#include "prune/geometry.hpp"

#include "compute/device.hpp"
#include "core/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::detail {

namespace {

constexpr double kZero = -std::numeric_limits<double>::infinity();  // the logarithm of 0

/// Divides by the roots of the diagonal, whose logarithms it returns.
std::vector<double> correlate_in_place(Matrix& gram) {
  std::vector<double> logs;
  std::vector<double> inverse;
  for (Index t = 0; t < gram.rows(); ++t) {
    const double square = std::max(0.0, gram(t, t));
    logs.push_back(square > 0 ? 0.5 * std::log(square) : kZero);
    inverse.push_back(square > 0 ? 1 / std::sqrt(square) : 0);
  }
  for (Index s = 0; s < gram.rows(); ++s)
    for (Index t = 0; t < gram.cols(); ++t)
      gram(s, t) = s == t ? (inverse[static_cast<std::size_t>(t)] > 0 ? 1 : 0)
                          : gram(s, t) * inverse[static_cast<std::size_t>(s)] * inverse[static_cast<std::size_t>(t)];
  return logs;
}

/// sign(value) · exp(log|value| + log_factor): the product must not overflow where the result does not.
double scaled(double value, double log_factor) {
  return value == 0 ? 0 : std::copysign(std::exp(std::log(std::abs(value)) + log_factor), value);
}

}  // namespace

Geometry weight_geometry(const FeatureMap& map, const Run& run) {
  Geometry geometry{map.gram(run), {}};
  geometry.log_norms = correlate_in_place(geometry.correlations);
  const std::vector<double> amplitudes = map.log_amplitudes();
  for (std::size_t t = 0; t < amplitudes.size(); ++t) geometry.log_norms[t] -= amplitudes[t];
  return geometry;
}

Geometry prediction_geometry(const NormalEquations& equations) {
  Geometry geometry{equations.gram, {}};
  geometry.log_norms = correlate_in_place(geometry.correlations);
  for (double& log : geometry.log_norms) log -= 0.5 * std::log(equations.weight);
  return geometry;
}

UnitWeights to_units(const Geometry& geometry, View<const double> coefficients) {
  UnitWeights units{Matrix(coefficients.cols, coefficients.rows), {}};
  for (Index o = 0; o < coefficients.cols; ++o) {
    double largest = kZero;
    for (Index t = 0; t < coefficients.rows; ++t)
      if (coefficients(t, o) != 0)
        largest =
            std::max(largest, std::log(std::abs(coefficients(t, o))) + geometry.log_norms[static_cast<std::size_t>(t)]);
    units.log_norms.push_back(largest);
    if (largest == kZero) continue;
    for (Index t = 0; t < coefficients.rows; ++t)
      units.shares(o, t) = scaled(coefficients(t, o), geometry.log_norms[static_cast<std::size_t>(t)] - largest);
  }
  const Matrix products = correlate(geometry, units.shares);
  for (Index o = 0; o < units.shares.rows(); ++o) {
    double square = 0;
    for (Index t = 0; t < units.shares.cols(); ++t) square += units.shares(o, t) * products(o, t);
    const double norm = std::sqrt(std::max(0.0, square));
    for (Index t = 0; t < units.shares.cols(); ++t) units.shares(o, t) = norm > 0 ? units.shares(o, t) / norm : 0;
    units.log_norms[static_cast<std::size_t>(o)] += norm > 0 ? std::log(norm) : kZero;
  }
  return units;
}

Matrix from_units(const Geometry& geometry, View<const double> shares, const std::vector<double>& output_log_norms) {
  Matrix coefficients(shares.cols, shares.rows);
  for (Index o = 0; o < shares.rows; ++o)
    for (Index t = 0; t < shares.cols; ++t)
      coefficients(t, o) = scaled(shares(o, t), output_log_norms[static_cast<std::size_t>(o)] -
                                                    geometry.log_norms[static_cast<std::size_t>(t)]);
  return coefficients;
}

std::vector<double> norms(const Geometry& geometry, View<const double> coefficients) {
  std::vector<double> result = to_units(geometry, coefficients).log_norms;
  for (double& norm : result) norm = std::exp(norm);
  return result;
}

Matrix difference(const Matrix& a, const Matrix& b) {
  Matrix result = a;
  for (Index t = 0; t < a.rows(); ++t)
    for (Index o = 0; o < a.cols(); ++o) result(t, o) -= b(t, o);
  return result;
}

Matrix correlate(const Geometry& geometry, View<const double> shares) {
  const SerialBlas serial;
  Matrix products(shares.rows, shares.cols);
  for (Index o = 0; o < shares.rows; ++o)
    for (Index t = 0; t < shares.cols; ++t)
      if (shares(o, t) != 0) cpu().add_scaled(shares.cols, shares(o, t), geometry.correlations.row(t), products.row(o));
  return products;
}

}  // namespace weft::detail
