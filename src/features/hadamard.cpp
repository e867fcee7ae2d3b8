#include "features/hadamard.hpp"

#include "core/random.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <boost/math/special_functions/gamma.hpp>

namespace weft::detail {

namespace {

// Columns transformed at a time: N × 64 numbers stay in the second-level cache for N in the thousands.
constexpr Index kColumns = 64;

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
  for (Index first = 0; first < x.cols; first += kColumns) {
    const Index count = std::min(kColumns, x.cols - first);
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

Index hadamard_size(Index inputs) {
  return static_cast<Index>(std::bit_ceil(static_cast<std::uint64_t>(inputs)));
}

Matrix draw_hadamard(Index count, Index inputs, double sigma, std::uint64_t seed) {
  const Index size = hadamard_size(inputs);
  const Index blocks = (count + size - 1) / size;
  const Random random(seed, Stream::structured);
  Matrix diagonals(4 * blocks, size);
  for (Index b = 0; b < blocks; ++b) {
    double square = 0;
    for (Index r = 0; r < size; ++r) {
      const auto draw = static_cast<std::uint64_t>(b * size + r);
      const std::uint64_t bits = random.bits(draw, 0);
      diagonals(4 * b, r) = (bits >> 63) != 0 ? 1 : -1;
      diagonals(4 * b + 1, r) = (bits >> 62 & 1) != 0 ? 1 : -1;
      const double g = diagonals(4 * b + 2, r) = random.normal(draw, 2);
      square += g * g;
    }
    // ‖row of H·G·H·D·H·D'‖ = N‖G‖; a χ² number of N degrees is twice a Γ(N/2) one.
    const double length = sigma / (static_cast<double>(size) * std::sqrt(square));
    for (Index r = 0; r < size; ++r) {
      const double u = random.uniform(static_cast<std::uint64_t>(b * size + r), 4);
      diagonals(4 * b + 3, r) =
          length * std::sqrt(2 * boost::math::gamma_p_inv(0.5 * static_cast<double>(size), std::max(u, 0x1p-54)));
    }
  }
  return diagonals;
}

void project_hadamard(View<const double> diagonals, double factor, View<const double> x, View<double> out) {
  project(diagonals, factor, x, out);
}
void project_hadamard(View<const double> diagonals, float factor, View<const float> x, View<float> out) {
  project(diagonals, factor, x, out);
}

Matrix hadamard_weights(View<const double> diagonals, Index count, Index inputs) {
  const Index size = diagonals.cols;
  Matrix identity(inputs, inputs);
  for (Index j = 0; j < inputs; ++j) identity(j, j) = 1;
  Matrix weights(count, inputs);
  Matrix block(size, inputs);
  for (Index first = 0; first < count; first += size) {
    project_hadamard(diagonals.row_range(4 * (first / size), 4), 1.0, identity, block);
    std::copy_n(block.data(), std::min(size, count - first) * inputs, weights.row(first));
  }
  return weights;
}

}  // namespace weft::detail
