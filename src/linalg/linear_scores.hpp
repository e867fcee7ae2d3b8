// The scores of a linear model for rows whose features are known.
#pragma once

#include <weft/matrix.hpp>

#include <vector>

namespace weft::detail {

/// scores (A × rows) = coefficientsᵀ · Φ + intercepts; phi is features × rows.
void linear_scores(const Matrix& coefficients, const std::vector<double>& intercepts, View<const double> phi,
                   View<double> scores, int threads);

/// scores (rows × A) += Φᵀ · coefficients, on the calling thread.
void add_row_scores(const Matrix& coefficients, View<const double> phi, View<double> scores);

}  // namespace weft::detail
