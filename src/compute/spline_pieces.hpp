// Learned activations on B-splines as polynomials, one per cell between knots.
#pragma once

#include <weft/learned_activation.hpp>

#include <utility>

namespace weft::detail {

inline double first_knot(const ActivationBasis& basis) {
  return basis.first - 0.5 * static_cast<double>(basis.degree + 1) * basis.step;
}

/// Values at u ∈ [0, 1) of the degree + 1 B-splines that are not zero on one cell, the rightmost first: as polynomials
/// in u.
inline Matrix cell_polynomials(Index degree) {
  // N_{k,m}(u) on knots …, −1, 0, 1, …: piece j is that of the spline whose support starts j cells to the left.
  Matrix pieces(1, 1);
  pieces(0, 0) = 1;
  for (Index m = 1; m <= degree; ++m) {
    Matrix next(m + 1, m + 1);
    for (Index j = 0; j <= m; ++j)
      for (Index power = 0; power < m; ++power) {
        const auto rise = static_cast<double>(j);          // (u + j)/m times the piece of lower degree
        const auto fall = static_cast<double>(m + 1 - j);  // (m + 1 − j − u)/m times its right neighbour's
        const double left = j < m ? pieces(j, power) / static_cast<double>(m) : 0;
        const double right = j > 0 ? pieces(j - 1, power) / static_cast<double>(m) : 0;
        next(j, power) += rise * left + fall * right;
        next(j, power + 1) += left - right;
      }
    pieces = std::move(next);
  }
  return pieces;
}

/// Σ a_i B_i on every cell: coefficients of a polynomial in u ∈ [0, 1), highest power first.
inline Matrix spline_pieces(const ActivationBasis& basis, const std::vector<double>& coefficients) {
  const Index degree = basis.degree;
  const Matrix cell = cell_polynomials(degree);
  Matrix pieces(basis.count + degree, degree + 1);
  for (Index k = 0; k < pieces.rows(); ++k)  // cell k holds the splines k − degree … k
    for (Index j = 0; j <= degree; ++j)
      if (const Index i = k - j; i >= 0 && i < basis.count)
        for (Index power = 0; power <= degree; ++power)
          pieces(k, degree - power) += coefficients[static_cast<std::size_t>(i)] * cell(j, power);
  return pieces;
}

}  // namespace weft::detail
