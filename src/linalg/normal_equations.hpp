// From sums over rows to the equations of a fit, and from coefficients back to errors, without looking at a row again.
#pragma once

#include <weft/matrix.hpp>

#include "linalg/accumulator.hpp"

#include <vector>

namespace weft::detail {

/// Sums as a solver needs them: about the means where there is an intercept, as they are where there is none.
struct NormalEquations {
  Matrix gram;                        ///< T × T
  Matrix cross;                       ///< T × outputs
  std::vector<double> yy;             ///< outputs
  double weight = 0;                  ///< Σ w
  std::vector<double> feature_means;  ///< empty without an intercept
  std::vector<double> target_means;

  /// The intercepts that belong to these coefficients (T × outputs); zeros without an intercept.
  std::vector<double> intercepts(View<const double> coefficients) const;
};

NormalEquations normal_equations(const Accumulator& sums, bool intercept, int threads = 1);

/// Σ w (y − intercept − bᵀφ)² / Σ w of one output over the rows of `sums`.
double squared_error(const Accumulator& sums, View<const double> coefficients, const std::vector<double>& intercepts,
                     Index output);
/// The same where bᵀΦᵀWΦb is known.
double squared_error(const Accumulator& sums, View<const double> coefficients, const std::vector<double>& intercepts,
                     Index output, double quadratic);

/// Weighted variance of one target over the rows of `sums`.
double total_variance(const Accumulator& sums, Index output);

}  // namespace weft::detail
