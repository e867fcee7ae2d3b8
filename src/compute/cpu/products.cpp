#include "compute/cpu/blas.hpp"
#include "compute/cpu/cpu_device.hpp"
#include "core/address_space.hpp"
#include "core/parallel.hpp"
#include "core/tiles.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <exception>

namespace weft::detail {

namespace {

constexpr Index kMultipliedTogether = 64;  // right-hand sides that one thread takes together
constexpr Index kScoreRows = 256;

// A tile of the Gram (512 KiB) stays in the second-level cache while the rows stream by; the row step keeps the two
// panels it multiplies there too, and bounds how many single-precision products are summed in single precision.
constexpr Index kGramTile = 256;
constexpr Index kRowStep = 512;

void add_tile(View<const double> a, View<const double> b, bool diagonal, View<double> sum) {
  if (diagonal)
    syrk(1.0, a, 1.0, sum);
  else
    gemm(false, true, a.cols, 1.0, a, b, 1.0, sum);
}

void add_tile(View<const float> a, View<const float> b, bool diagonal, View<double> sum) {
  BasicMatrix<float> product(sum.rows, sum.cols);
  if (diagonal)
    syrk(1.0F, a, 0.0F, product);
  else
    gemm(false, true, a.cols, 1.0F, a, b, 0.0F, product);
  for (Index i = 0; i < sum.rows; ++i)
    for (Index j = 0; j < (diagonal ? i + 1 : sum.cols); ++j) sum(i, j) += static_cast<double>(product(i, j));
}

template <class Real>
void add_to_sums(View<const Real> rooted, View<const Real> phi, View<const Real> right, View<double> gram,
                 View<double> moments, int threads) {
  const auto pieces = triangle_tiles(0, tile_count(phi.rows, kGramTile));
  parallel_for(static_cast<Index>(pieces.size()), threads, [&](Index p) {
    const auto [i, j] = pieces[static_cast<std::size_t>(p)];
    const Tile rows = tile(i, phi.rows, kGramTile);
    const Tile cols = tile(j, phi.rows, kGramTile);
    for (Index step = 0; step < tile_count(phi.cols, kRowStep); ++step) {
      const Tile some = tile(step, phi.cols, kRowStep);
      add_tile(block(rooted, rows, some), block(rooted, cols, some), i == j, block(gram, rows, cols));
      if (i == j)
        add_tile(block(phi, rows, some), right.col_range(some.first, some.count), false,
                 moments.row_range(rows.first, rows.count));
    }
  });
}

}  // namespace

const Device& cpu() {
  static const CpuDevice device;
  return device;
}

void load_products() noexcept {
  if (std::isfinite(address_space_left())) return;  // where little may be mapped, it may be needed for the model itself
  try {
    blas();
  } catch (const std::exception&) {
  }
}

void CpuDevice::multiply(double alpha, Operand a, Operand b, double beta, View<double> c) const {
  assert(a.rows() == c.rows && b.cols() == c.cols && a.cols() == b.rows());
  const SerialBlas serial;
  gemm(a.transposed, b.transposed, a.cols(), alpha, a.matrix, b.matrix, beta, c);
}

void CpuDevice::multiply_vector(double alpha, Operand a, Strided<const double> x, double beta,
                                Strided<double> y) const {
  const SerialBlas serial;
  blas().dgemv(kRowMajor, blas_transpose(a.transposed), narrow(a.matrix.rows), narrow(a.matrix.cols), alpha,
               a.matrix.data, narrow(a.matrix.stride), x.data, narrow(x.stride), beta, y.data, narrow(y.stride));
}

void CpuDevice::add_symmetric_product(double alpha, View<const double> lower, View<const double> x, View<double> out,
                                      int threads) const {
  parallel_for(tile_count(x.cols, kMultipliedTogether), threads, [&](Index piece) {
    const Tile part = tile(piece, x.cols, kMultipliedTogether);
    const double* from = x.data + part.first;
    double* to = out.data + part.first;
    if (part.count == 1)
      blas().dsymv(kRowMajor, kLower, narrow(lower.rows), alpha, lower.data, narrow(lower.stride), from,
                   narrow(x.stride), 1.0, to, narrow(out.stride));
    else
      blas().dsymm(kRowMajor, kLeft, kLower, narrow(lower.rows), narrow(part.count), alpha, lower.data,
                   narrow(lower.stride), from, narrow(x.stride), 1.0, to, narrow(out.stride));
  });
}

void CpuDevice::multiply_lower_transposed(View<const double> lower, View<double> x) const {
  const SerialBlas serial;
  blas().dtrmm(kRowMajor, kLeft, kLower, kTranspose, kNonUnit, narrow(x.rows), narrow(x.cols), 1.0, lower.data,
               narrow(lower.stride), x.data, narrow(x.stride));
}

void CpuDevice::scores(View<const double> coefficients, const double* intercepts, View<const double> phi,
                       View<double> scores, int threads) const {
  if (scores.rows == 0) return;
  parallel_for(tile_count(phi.cols, kScoreRows), threads, [&](Index p) {
    const Tile part = tile(p, phi.cols, kScoreRows);
    const View<double> some = scores.col_range(part.first, part.count);
    for (Index a = 0; a < some.rows; ++a) std::fill_n(some.row(a), part.count, intercepts[a]);
    gemm(true, false, phi.rows, 1.0, coefficients, phi.col_range(part.first, part.count), 1.0, some);
  });
}

void CpuDevice::add_sums(View<const double> rooted, View<const double> phi, View<const double> right, View<double> gram,
                         View<double> moments, int threads) const {
  add_to_sums(rooted, phi, right, gram, moments, threads);
}

void CpuDevice::add_sums(View<const float> rooted, View<const float> phi, View<const float> right, View<double> gram,
                         View<double> moments, int threads) const {
  add_to_sums(rooted, phi, right, gram, moments, threads);
}

double CpuDevice::dot(Index n, const double* x, const double* y) const {
  return blas().ddot(narrow(n), x, 1, y, 1);
}

double CpuDevice::norm(Index n, const double* x) const {
  return blas().dnrm2(narrow(n), x, 1);
}

void CpuDevice::add_scaled(Index n, double alpha, const double* x, double* y) const {
  blas().daxpy(narrow(n), alpha, x, 1, y, 1);
}

}  // namespace weft::detail
