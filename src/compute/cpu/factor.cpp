// Cholesky is written out in tiles because the last bits of LAPACK's dpotrf depend on how many threads OpenBLAS runs;
// here every tile is one serial BLAS call, in an order fixed by the size alone.
#include "compute/cpu/blas.hpp"
#include "compute/cpu/cpu_device.hpp"
#include "compute/device_matrix.hpp"
#include "core/parallel.hpp"
#include "core/tiles.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace weft::detail {

namespace {

constexpr Index kTile = 192;
constexpr Index kSolvedTogether = 64;  // right-hand sides that one thread solves together

template <class Real>
bool factor_tile(View<Real> a) {
  if (!factor_lower(a)) return false;
  for (Index i = 0; i < a.rows; ++i)  // NaN passes through dpotrf's comparison with zero
    if (!std::isfinite(a(i, i))) return false;
  return true;
}

template <class Real>
bool factor_tiles(View<Real> a, int threads) {
  assert(a.rows == a.cols);
  const SerialBlas serial_blas;
  const Index n = a.rows;
  const Index count = tile_count(n, kTile);
  for (Index k = 0; k < count; ++k) {
    const Tile pivot = tile(k, n, kTile);
    const View<Real> diagonal = block(a, pivot, pivot);
    if (!factor_tile(diagonal)) return false;
    parallel_for(count - k - 1, threads,
                 [&](Index piece) { divide_by_transpose(diagonal, block(a, tile(k + 1 + piece, n, kTile), pivot)); });
    const auto pairs = triangle_tiles(k + 1, count);
    parallel_for(static_cast<Index>(pairs.size()), threads, [&](Index piece) {
      const Tile rows = tile(pairs[static_cast<std::size_t>(piece)].row, n, kTile);
      const Tile cols = tile(pairs[static_cast<std::size_t>(piece)].col, n, kTile);
      if (rows.first == cols.first)
        syrk(Real{-1}, block(a, rows, pivot), Real{1}, block(a, rows, cols));
      else
        gemm(false, true, pivot.count, Real{-1}, block(a, rows, pivot), block(a, cols, pivot), Real{1},
             block(a, rows, cols));
    });
  }
  return true;
}

template <class Real>
void solve_columns(View<const Real> lower, bool transposed, View<Real> rhs, int threads) {
  assert(lower.rows == rhs.rows);
  parallel_for(tile_count(rhs.cols, kSolvedTogether), threads, [&](Index piece) {
    const Tile part = tile(piece, rhs.cols, kSolvedTogether);
    solve_triangle(lower, transposed, rhs.col_range(part.first, part.count));
  });
}

}  // namespace

bool CpuDevice::factor(View<double> a, int threads) const {
  return factor_tiles(a, threads);
}

bool CpuDevice::factor(View<float> a, int threads) const {
  return factor_tiles(a, threads);
}

void CpuDevice::solve_lower(View<const double> lower, bool transposed, View<double> rhs, int threads) const {
  solve_columns(lower, transposed, rhs, threads);
}

void CpuDevice::solve_lower(View<const float> lower, bool transposed, View<float> rhs, int threads) const {
  solve_columns(lower, transposed, rhs, threads);
}

std::vector<double> CpuDevice::inverse_diagonal(View<const double> lower, int threads) const {
  const Index n = lower.rows;
  std::vector<double> diagonal(static_cast<std::size_t>(n));
  parallel_for(tile_count(n, kSolvedTogether), threads, [&](Index piece) {
    const Tile part = tile(piece, n, kSolvedTogether);
    const Tile below{part.first, n - part.first};  // column j of L⁻¹ is zero above row j
    Matrix columns(below.count, part.count);
    for (Index j = 0; j < part.count; ++j) columns(j, j) = 1;
    solve_lower(block(lower, below, below), false, columns, 1);
    for (Index i = 0; i < columns.rows(); ++i)
      for (Index j = 0; j < part.count; ++j)
        diagonal[static_cast<std::size_t>(part.first + j)] += columns(i, j) * columns(i, j);
  });
  return diagonal;
}

double CpuDevice::reciprocal_condition(View<const double> lower, double one_norm) const {
  const SerialBlas serial_blas;
  const int n = narrow(lower.rows);
  const int stride = narrow(lower.stride);
  // Aligned: kernels that begin at a multiple of 32 bytes (dasum for Haswell) would add in another order from run to
  // run.
  AlignedVector<double> work(3 * static_cast<std::size_t>(n));
  std::vector<int> integer_work(static_cast<std::size_t>(n));
  double rcond = 0;
  int info = 0;
  blas().dpocon("U", &n, lower.data, &stride, &one_norm, &rcond, work.data(), integer_work.data(), &info, 1);
  return rcond;
}

bool CpuDevice::eigen(View<double> a, std::vector<double>& values) const {
  const SerialBlas serial_blas;
  const int n = narrow(a.rows);
  const int stride = narrow(a.stride);
  values.resize(static_cast<std::size_t>(n));
  int info = 0;
  const auto decompose = [&](double* work, int size, int* integers, int integer_size) {
    blas().dsyevd("V", "L", &n, a.data, &stride, values.data(), work, &size, integers, &integer_size, &info, 1, 1);
  };
  double size = 0;
  int integer_size = 0;
  decompose(&size, -1, &integer_size, -1);
  AlignedVector<double> work(static_cast<std::size_t>(size));
  std::vector<int> integers(static_cast<std::size_t>(integer_size));
  decompose(work.data(), static_cast<int>(work.size()), integers.data(), integer_size);
  return info == 0;
}

/// Half the cost of two triangular solves. Row-major L is LAPACK's upper factor Lᵀ.
void CpuDevice::divide_both_sides(View<const double> lower, View<double> a) const {
  const SerialBlas serial_blas;
  const int type = 1;
  const int n = narrow(a.rows);
  const int stride = narrow(a.stride);
  const int lower_stride = narrow(lower.stride);
  int info = 0;
  blas().dsygst(&type, "U", &n, a.data, &stride, lower.data, &lower_stride, &info, 1);
  for (Index i = 0; i < a.rows; ++i)
    for (Index j = 0; j < i; ++j) a(j, i) = a(i, j);
}

void CpuDevice::tridiagonalise(Tridiagonal& a) const {
  const SerialBlas serial_blas;
  const int n = narrow(a.reflectors.rows());
  for (std::vector<double>* numbers : {&a.diagonal, &a.off, &a.tau}) numbers->resize(static_cast<std::size_t>(n));
  AlignedVector<double> work(64 * static_cast<std::size_t>(n));
  const int size = narrow(static_cast<Index>(work.size()));
  int info = 0;
  blas().dsytrd("L", &n, a.reflectors.view().data, &n, a.diagonal.data(), a.off.data(), a.tau.data(), work.data(),
                &size, &info, 1);
}

void CpuDevice::rotate(Tridiagonal& a, bool transposed, View<double> vectors) const {
  const SerialBlas serial_blas;
  const int n = narrow(a.reflectors.rows());
  const int count = narrow(vectors.rows);
  AlignedVector<double> work(64 * static_cast<std::size_t>(std::max(1, count)));
  const int size = narrow(static_cast<Index>(work.size()));
  int info = 0;
  blas().dormtr("L", "L", transposed ? "T" : "N", &n, &count, a.reflectors.view().data, &n, a.tau.data(), vectors.data,
                &n, work.data(), &size, &info, 1, 1, 1);
}

bool CpuDevice::solve_tridiagonal(const Tridiagonal& a, double shift, View<double> vectors, double& rcond) const {
  std::vector<double> d = a.diagonal;
  std::vector<double> e = a.off;
  for (double& value : d) value += shift;
  double norm = 0;
  for (std::size_t i = 0; i < d.size(); ++i)
    norm = std::max(norm, std::abs(d[i]) + (i > 0 ? std::abs(e[i - 1]) : 0) + (i + 1 < d.size() ? std::abs(e[i]) : 0));
  const int n = narrow(static_cast<Index>(d.size()));
  const int columns = narrow(vectors.rows);
  int info = 0;
  blas().dpttrf(&n, d.data(), e.data(), &info);
  if (info != 0) return false;
  blas().dpttrs(&n, &columns, d.data(), e.data(), vectors.data, &n, &info);
  AlignedVector<double> work(d.size());
  blas().dptcon(&n, d.data(), e.data(), &norm, &rcond, work.data(), &info);
  return true;
}

}  // namespace weft::detail
