// Learned activations (include/weft/learned_activation.hpp) on the device, in the form of the formulas of
// compute/activations: objects, as they have a table.
#pragma once

#include "compute/activations/math.hpp"

namespace weft::detail::cuda {

/// Bumps: their factors, one a row. Splines: a polynomial per cell, its highest power first.
struct LearnedTable {
  const double* values = nullptr;  ///< on the device
  int rows = 0, cols = 0;
  double start = 0;  ///< the first centre or knot
  double step = 1;
  double width = 1;
};

/// Σ a_i exp(−(z − c_i)²/2w²). Smoothed, the bumps are wider and lower.
struct Bumps {
  LearnedTable table;

  template <class V>
  WEFT_HOST_DEVICE formula::Terms<V> terms(V nu) const {
    const V width = static_cast<V>(table.width), wide = width * width + nu * nu;
    return {V(-0.5) / wide, width / formula::sqrt(wide)};
  }
  template <class V>
  WEFT_HOST_DEVICE V smooth(V mu, V p, V q) const {
    V sum = 0;
    for (int i = 0; i < table.rows; ++i) {
      const V far = mu - centre<V>(i);
      sum += static_cast<V>(table.values[i]) * (q * formula::exp(far * far * p));
    }
    return sum;
  }
  template <class V>
  WEFT_HOST_DEVICE V value(V z) const {
    const formula::Terms<V> none = terms(V(0));
    return smooth(z, none.p, none.q);
  }
  WEFT_HOST_DEVICE formula::Slopes<double> slopes(double mu, double nu) const {
    const formula::Terms<double> at = terms(nu);
    formula::Slopes<double> sums{0, 0};
    for (int i = 0; i < table.rows; ++i) {
      const double far = mu - centre<double>(i);
      const double bump = table.values[i] * at.q * formula::exp(at.p * far * far);
      sums.first += 2 * at.p * far * bump;
      sums.second += 2 * at.p * (1 + 2 * at.p * far * far) * bump;
    }
    return sums;
  }

 private:
  template <class V>
  WEFT_HOST_DEVICE V centre(int i) const {
    return static_cast<V>(table.start + table.step * i);
  }
};

/// Polynomials on cells. Smoothed, a cell adds Σ_j c_j M_j, M_j = ∫₀¹ u^j n(u) du with the normal density n, which
/// follow from each other by Stein's identity: M_{j+1} = t·M_j + s²·(j·M_{j−1} − [u^j n]₀¹). t and s count cells.
struct Splines {
  LearnedTable table;

  template <class V>
  WEFT_HOST_DEVICE formula::Terms<V> terms(V nu) const {
    return {static_cast<V>(static_cast<double>(nu) / table.step)};
  }
  template <class V>
  WEFT_HOST_DEVICE V smooth(V mu, V p, V) const {
    return static_cast<V>(derivative(position(mu), static_cast<double>(p), 0));
  }
  template <class V>
  WEFT_HOST_DEVICE V value(V z) const {
    return static_cast<V>(plain(position(z), 0));
  }
  WEFT_HOST_DEVICE formula::Slopes<double> slopes(double mu, double nu) const {
    const double t = position(mu), spread = nu / table.step;
    return {derivative(t, spread, 1) / table.step, derivative(t, spread, 2) / (table.step * table.step)};
  }

 private:
  // As on the CPU (src/features/learned_activation.cpp): the normal law ends after so many deviations; beyond so many
  // cells of spread the recursion subtracts what it added, and five nodes of Gauss and Legendre on a cell are exact.
  static constexpr double kReach = 9;
  static constexpr double kWidestRecursion = 3;

  WEFT_HOST_DEVICE double position(double z) const { return (z - table.start) / table.step; }
  WEFT_HOST_DEVICE int degree() const { return table.cols - 1; }
  /// Coefficient of u^j of the derivative of this order on a cell.
  WEFT_HOST_DEVICE double coefficient(int cell, int j, int order) const {
    double c = table.values[cell * table.cols + degree() - order - j];
    for (int k = 1; k <= order; ++k) c *= j + k;
    return c;
  }
  WEFT_HOST_DEVICE double on_cell(int cell, double u, int order) const {
    double sum = 0;
    for (int j = degree() - order; j >= 0; --j) sum = sum * u + coefficient(cell, j, order);
    return sum;
  }
  WEFT_HOST_DEVICE double plain(double t, int order) const {
    if (!(t >= 0) || !(t < table.rows)) return 0;
    const int cell = static_cast<int>(t);
    return on_cell(cell, t - cell, order);
  }
  WEFT_HOST_DEVICE int cell_at(double t) const {
    return static_cast<int>(t > 0 ? (t < table.rows ? t : table.rows) : 0);
  }

  /// Of the smoothing, in t.
  WEFT_HOST_DEVICE double derivative(double t, double spread, int order) const {
    if (spread == 0 || !(formula::fabs(t) < 1e300)) return order < 2 ? plain(t, order) : 0;
    const int first = cell_at(t - kReach * spread);
    const int reached = cell_at(t + kReach * spread) + 1, end = reached < table.rows ? reached : table.rows;
    return spread > kWidestRecursion ? by_nodes(t, spread, order, first, end)
                                     : by_moments(t, spread, order, first, end);
  }
  WEFT_HOST_DEVICE double by_moments(double t, double spread, int order, int first, int end) const {
    double density = density_at(first - t, spread), mass = formula::erf((first - t) / spread * formula::kSqrtHalf);
    // Straight pieces have a second derivative at the knots alone.
    const bool bends = order == 2 && degree() == 1;
    double sum = 0, slope = first > 0 && bends ? coefficient(first - 1, 0, 1) : 0;
    for (int cell = first; cell < end; ++cell) {
      const double mean = t - cell, next_density = density_at(1 - mean, spread);
      const double next_mass = formula::erf((1 - mean) / spread * formula::kSqrtHalf);
      double before = 0, moment = 0.5 * (next_mass - mass);
      for (int j = 0; j <= degree() - order; ++j) {
        sum += coefficient(cell, j, order) * moment;
        const double ends = next_density - (j == 0 ? density : 0);
        const double after = mean * moment + spread * spread * (j * before - ends);
        before = moment;
        moment = after;
      }
      if (bends) {
        const double next_slope = coefficient(cell, 0, 1);
        sum += (next_slope - slope) * density;
        slope = next_slope;
      }
      density = next_density;
      mass = next_mass;
    }
    return bends && end == table.rows ? sum - slope * density : sum;
  }
  WEFT_HOST_DEVICE double by_nodes(double t, double spread, int order, int first, int end) const {
    constexpr double kNodes[] = {0.046910077030668, 0.23076534494715845, 0.5, 0.76923465505284155, 0.953089922969332};
    constexpr double kWeights[] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444, 0.23931433524968324,
                                   0.11846344252809454};
    double sum = 0;
    for (int cell = first; cell < end; ++cell)
      for (int j = 0; j < 5; ++j) {
        const double far = (cell + kNodes[j] - t) / spread;
        const double factor = order == 0 ? 1 : order == 1 ? far / spread : (far * far - 1) / (spread * spread);
        sum += kWeights[j] * on_cell(cell, kNodes[j], 0) * factor * formula::exp(-0.5 * far * far);
      }
    return sum * formula::kInvSqrt2Pi / spread;
  }
  WEFT_HOST_DEVICE static double density_at(double far, double spread) {
    const double z = far / spread;
    return formula::kInvSqrt2Pi / spread * formula::exp(-0.5 * z * z);
  }
};

}  // namespace weft::detail::cuda
