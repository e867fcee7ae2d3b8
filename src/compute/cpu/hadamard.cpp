#include "compute/cpu/hadamard.hpp"

#include <algorithm>

namespace weft::detail {

namespace {

// Columns transformed at a time: N × 64 numbers stay in the second-level cache for N in the thousands.
constexpr Index kTransformedTogether = 64;

/// z ← H z by butterflies over the rows, all columns at once.
template <class Real>
void transform(View<Real> z) {
  for (Index half = 1; half < z.rows; half *= 2)
    for (Index first = 0; first < z.rows; first += 2 * half)
      for (Index r = first; r < first + half; ++r) {
        Real* upper = z.row(r);
        Real* lower = z.row(r + half);
        for (Index i = 0; i < z.cols; ++i) {
          const Real sum = upper[i] + lower[i];
          lower[i] = upper[i] - lower[i];
          upper[i] = sum;
        }
      }
}

template <class Real>
void scale_rows(View<Real> z, const double* diagonal, Real factor) {
  for (Index r = 0; r < z.rows; ++r) {
    const Real d = factor * static_cast<Real>(diagonal[r]);
    for (Index i = 0; i < z.cols; ++i) z(r, i) *= d;
  }
}

template <class Real>
void project(View<const double> diagonals, Real factor, View<const Real> x, View<Real> out) {
  for (Index first = 0; first < x.cols; first += kTransformedTogether) {
    const Index count = std::min(kTransformedTogether, x.cols - first);
    const View<Real> z = out.col_range(first, count);
    for (Index r = 0; r < z.rows; ++r)
      if (r < x.rows)
        std::copy_n(x.row(r) + first, count, z.row(r));
      else
        std::fill_n(z.row(r), count, Real{0});
    for (Index k = 0; k < 4; ++k) {
      scale_rows(z, diagonals.row(k), k == 3 ? factor : Real{1});
      if (k < 3) transform(z);
    }
  }
}

}  // namespace

void project_hadamard(View<const double> diagonals, double factor, View<const double> x, View<double> out) {
  project(diagonals, factor, x, out);
}
void project_hadamard(View<const double> diagonals, float factor, View<const float> x, View<float> out) {
  project(diagonals, factor, x, out);
}

}  // namespace weft::detail
