// Random least-squares problems of the kinds that break solvers: features × rows and targets × rows, their sums in
// double as weft makes them, and the entries themselves for the truth in quadruple precision.
#pragma once

#include "linalg/accumulator.hpp"
#include "properties/for_all.hpp"
#include "properties/quad.hpp"

#include <weft/matrix.hpp>

#include <cfloat>
#include <string>

namespace weft::test {

enum class DesignKind { normal, powers, duplicates, collinear, graded, steps };
inline constexpr auto kDesignKinds = {DesignKind::normal,    DesignKind::powers, DesignKind::duplicates,
                                      DesignKind::collinear, DesignKind::graded, DesignKind::steps};

struct Design {
  Matrix phi;  // T × rows
  Matrix y;    // k × rows
};

/// powers: x^t on [0, 1], whose Gram matrix is like Hilbert's. duplicates: of columns and rows. collinear: a common
/// column and a share of noise down to 1e-9. graded: columns in units from 1e-60 to 1e60. steps: 0 and 1, hence of low
/// rank.
inline Design draw_design(Draw& draw, Index features, Index rows, Index targets, DesignKind kind) {
  Design design{Matrix(features, rows), Matrix(targets, rows)};
  const double noise = draw.power_of_ten(-9, -3);
  std::vector<double> x(static_cast<std::size_t>(rows));
  for (double& value : x) value = draw.uniform();
  for (Index t = 0; t < features; ++t) {
    const double unit = kind == DesignKind::graded ? draw.power_of_ten(-60, 60) : 1;
    const bool repeats = kind == DesignKind::duplicates && t > 0 && draw.flip();
    const Index other = repeats ? draw.below(t) : 0;
    const double step = draw.uniform();
    for (Index i = 0; i < rows; ++i) {
      const double at = x[static_cast<std::size_t>(i)];
      double& entry = design.phi(t, i);
      if (kind == DesignKind::powers)
        entry = std::pow(at, static_cast<double>(t));
      else if (kind == DesignKind::collinear)
        entry = at + noise * draw.normal();
      else if (kind == DesignKind::steps)
        entry = at > step ? 1 : 0;
      else
        entry = repeats ? design.phi(other, i) : unit * draw.normal();
    }
  }
  for (Index c = 0; c < targets; ++c)
    for (Index i = 0; i < rows; ++i)
      design.y(c, i) = std::sin(5 * x[static_cast<std::size_t>(i)]) + 0.1 * draw.normal();
  for (Index i = 1; i < rows && kind == DesignKind::duplicates; ++i)
    if (draw.flip())
      for (Index t = 0; t < features; ++t) design.phi(t, i) = design.phi(t, i - 1);
  return design;
}

inline Design draw_design(Draw& draw, Index most_features, Index most_rows, Index targets = 1) {
  const Index features = draw.count(1, most_features);
  const Index rows = draw.count(1, most_rows);
  return draw_design(draw, features, rows, targets, draw.one_of(kDesignKinds));
}

inline Accumulator sums_of(const Design& design) {
  Accumulator sums(design.phi.rows(), design.y.rows());
  sums.add(design.phi.view(), design.y, nullptr, 1);
  return sums;
}

inline Matrix scaled(const Matrix& a, double factor) {
  Matrix out = a;
  for (Index i = 0; i < out.rows() * out.cols(); ++i) out.data()[i] *= factor;
  return out;
}

/// D A D and D B for D = diag(A)^(−1/2), as the ridge solver scales.
inline std::vector<Quad> unit_scale(const QuadMatrix& a) {
  std::vector<Quad> scale;
  for (Index i = 0; i < a.rows; ++i) scale.push_back(a(i, i) > 0 ? 1 / square_root(a(i, i)) : Quad(0));
  return scale;
}

inline QuadMatrix rows_scaled(QuadMatrix a, const std::vector<Quad>& scale) {
  for (Index i = 0; i < a.rows; ++i)
    for (Index j = 0; j < a.cols; ++j) a(i, j) *= scale[static_cast<std::size_t>(i)];
  return a;
}

inline std::vector<Quad> inverses(std::vector<Quad> scale) {
  for (Quad& value : scale) value = value > 0 ? 1 / value : Quad(0);
  return scale;
}

inline double ratio(Quad above, Quad below) {
  return above == 0 ? 0 : static_cast<double>(above / below);
}

}  // namespace weft::test
