#include "linalg/conjugate_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace weft::detail {

namespace {

std::vector<double> column_dots(const Matrix& a, const Matrix& b) {
  std::vector<double> dots(static_cast<std::size_t>(a.cols()));
  for (Index i = 0; i < a.rows(); ++i)
    for (Index c = 0; c < a.cols(); ++c) dots[static_cast<std::size_t>(c)] += a(i, c) * b(i, c);
  return dots;
}

/// y ← y + sign · factor_c · x, column by column.
void add_scaled(double sign, const std::vector<double>& factor, const Matrix& x, Matrix& y) {
  for (Index i = 0; i < x.rows(); ++i)
    for (Index c = 0; c < x.cols(); ++c) y(i, c) += sign * factor[static_cast<std::size_t>(c)] * x(i, c);
}

/// Where the systems stand: X, B − A X and the next directions.
struct State {
  Matrix x;
  Matrix residual;
  Matrix direction = residual;
  std::vector<double> squares = column_dots(residual, residual);

  /// `product` is A · direction. A column that is done, or has no curvature left to rounding, stays where it is.
  void step(const Matrix& product) {
    const std::vector<double> curvature = column_dots(direction, product);
    std::vector<double> length(squares.size(), 0.0);
    for (std::size_t c = 0; c < squares.size(); ++c)
      if (curvature[c] > 0) length[c] = squares[c] / curvature[c];
    add_scaled(1, length, direction, x);
    add_scaled(-1, length, product, residual);
    const std::vector<double> before = std::exchange(squares, column_dots(residual, residual));
    for (Index i = 0; i < direction.rows(); ++i)
      for (Index c = 0; c < direction.cols(); ++c) {
        const auto at = static_cast<std::size_t>(c);
        direction(i, c) = residual(i, c) + (before[at] > 0 ? squares[at] / before[at] : 0) * direction(i, c);
      }
  }

  double relative_residual(const std::vector<double>& units) const {
    double largest = 0;
    for (std::size_t c = 0; c < squares.size(); ++c)
      if (squares[c] > 0) largest = std::max(largest, std::sqrt(squares[c] / units[c]));
    return largest;
  }
};

}  // namespace

ConjugateGradientResult conjugate_gradient(const LinearOperator& apply, const Matrix& rhs, const Matrix& start,
                                           const ConjugateGradientOptions& options) {
  const std::vector<double> units = column_dots(rhs, rhs);
  ConjugateGradientResult result{.x = Matrix(rhs.rows(), rhs.cols())};
  Matrix product(rhs.rows(), rhs.cols());
  Matrix residual = rhs;
  if (start.rows() > 0) {
    for (Index i = 0; i < start.rows(); ++i)
      for (Index c = 0; c < start.cols(); ++c)  // a right-hand side of zeros has the solution zero, whatever the start
        result.x(i, c) = units[static_cast<std::size_t>(c)] > 0 ? start(i, c) : 0;
    if (!apply(result.x, product)) {
      result.stopped = true;
      result.relative_residual = std::numeric_limits<double>::infinity();
      return result;
    }
    add_scaled(-1, std::vector<double>(units.size(), 1), product, residual);
  }
  State state{.x = std::move(result.x), .residual = std::move(residual)};
  result.relative_residual = state.relative_residual(units);
  while (result.relative_residual > options.tolerance && result.iterations < options.max_iterations) {
    if (!apply(state.direction, product)) {
      result.stopped = true;
      break;
    }
    state.step(product);
    result.relative_residual = state.relative_residual(units);
    ++result.iterations;
  }
  result.converged = result.relative_residual <= options.tolerance;
  result.x = std::move(state.x);
  return result;
}

}  // namespace weft::detail
