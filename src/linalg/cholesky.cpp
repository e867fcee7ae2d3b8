#include "linalg/cholesky.hpp"

#include "core/parallel.hpp"
#include "linalg/blas.hpp"
#include "linalg/tiles.hpp"

#include <lapacke.h>
#include <algorithm>
#include <cassert>
#include <cmath>

namespace weft::detail {

namespace {

constexpr Index kTile = 192;
constexpr Index kColumns = 64;  // right-hand sides that one thread solves together

using blas::narrow;

// A row-major lower triangle is LAPACK's column-major upper one.
bool factor_tile(View<double> a) {
  if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', narrow(a.rows), a.data, narrow(a.stride)) != 0) return false;
  for (Index i = 0; i < a.rows; ++i)  // NaN passes through dpotrf's comparison with zero
    if (!std::isfinite(a(i, i))) return false;
  return true;
}

void triangular_solve(CBLAS_TRANSPOSE transpose, View<const double> lower, View<double> rhs, int threads) {
  assert(lower.rows == rhs.rows);
  parallel_for(tile_count(rhs.cols, kColumns), threads, [&](Index piece) {
    const Tile part = tile(piece, rhs.cols, kColumns);
    double* columns = rhs.data + part.first;
    if (part.count == 1)
      cblas_dtrsv(CblasRowMajor, CblasLower, transpose, CblasNonUnit, narrow(lower.rows), lower.data,
                  narrow(lower.stride), columns, narrow(rhs.stride));
    else
      cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, transpose, CblasNonUnit, narrow(lower.rows), narrow(part.count),
                  1.0, lower.data, narrow(lower.stride), columns, narrow(rhs.stride));
  });
}

}  // namespace

bool cholesky_factor(View<double> a, int threads) {
  assert(a.rows == a.cols);
  const SerialBlas serial_blas;
  const Index n = a.rows;
  const Index count = tile_count(n, kTile);
  for (Index k = 0; k < count; ++k) {
    const Tile pivot = tile(k, n, kTile);
    const View<double> diagonal = block(a, pivot, pivot);
    if (!factor_tile(diagonal)) return false;
    parallel_for(count - k - 1, threads, [&](Index piece) {
      const View<double> panel = block(a, tile(k + 1 + piece, n, kTile), pivot);
      cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, narrow(panel.rows),
                  narrow(panel.cols), 1.0, diagonal.data, narrow(a.stride), panel.data, narrow(a.stride));
    });
    const auto pairs = triangle_tiles(k + 1, count);
    parallel_for(static_cast<Index>(pairs.size()), threads, [&](Index piece) {
      const Tile rows = tile(pairs[static_cast<std::size_t>(piece)].row, n, kTile);
      const Tile cols = tile(pairs[static_cast<std::size_t>(piece)].col, n, kTile);
      if (rows.first == cols.first)
        blas::add_square(-1, block(a, rows, pivot), block(a, rows, cols));
      else
        blas::add_outer(-1, block(a, rows, pivot), block(a, cols, pivot), block(a, rows, cols));
    });
  }
  return true;
}

void solve_lower(View<const double> lower, View<double> rhs, int threads) {
  triangular_solve(CblasNoTrans, lower, rhs, threads);
}

void solve_lower_transposed(View<const double> lower, View<double> rhs, int threads) {
  triangular_solve(CblasTrans, lower, rhs, threads);
}

void solve_cholesky(View<const double> lower, View<double> rhs, int threads) {
  solve_lower(lower, rhs, threads);
  solve_lower_transposed(lower, rhs, threads);
}

double symmetric_one_norm(View<const double> lower) {
  std::vector<double> sums(static_cast<std::size_t>(lower.rows));
  for (Index i = 0; i < lower.rows; ++i) {
    double sum = 0;
    for (Index j = 0; j < i; ++j) {
      sum += std::abs(lower(i, j));
      sums[static_cast<std::size_t>(j)] += std::abs(lower(i, j));
    }
    sums[static_cast<std::size_t>(i)] += sum + std::abs(lower(i, i));
  }
  return sums.empty() ? 0.0 : *std::max_element(sums.begin(), sums.end());
}

double reciprocal_condition(View<const double> lower, double one_norm) {
  const SerialBlas serial_blas;
  const auto n = static_cast<std::size_t>(lower.rows);
  std::vector<double> work(3 * n);
  std::vector<lapack_int> integer_work(n);
  double rcond = 0;
  LAPACKE_dpocon_work(LAPACK_COL_MAJOR, 'U', narrow(lower.rows), lower.data, narrow(lower.stride), one_norm, &rcond,
                      work.data(), integer_work.data());
  return rcond;
}

std::vector<double> inverse_diagonal(View<const double> lower, int threads) {
  const Index n = lower.rows;
  std::vector<double> diagonal(static_cast<std::size_t>(n));
  parallel_for(tile_count(n, kColumns), threads, [&](Index piece) {
    const Tile part = tile(piece, n, kColumns);
    const Tile below{part.first, n - part.first};  // column j of L⁻¹ is zero above row j
    Matrix columns(below.count, part.count);
    for (Index j = 0; j < part.count; ++j) columns(j, j) = 1;
    solve_lower(block(lower, below, below), columns, 1);
    for (Index i = 0; i < columns.rows(); ++i)
      for (Index j = 0; j < part.count; ++j)
        diagonal[static_cast<std::size_t>(part.first + j)] += columns(i, j) * columns(i, j);
  });
  return diagonal;
}

void add_symmetric_product(double alpha, View<const double> lower, View<const double> x, View<double> out,
                           int threads) {
  parallel_for(tile_count(x.cols, kColumns), threads, [&](Index piece) {
    const Tile part = tile(piece, x.cols, kColumns);
    const double* from = x.data + part.first;
    double* to = out.data + part.first;
    if (part.count == 1)
      cblas_dsymv(CblasRowMajor, CblasLower, narrow(lower.rows), alpha, lower.data, narrow(lower.stride), from,
                  narrow(x.stride), 1.0, to, narrow(out.stride));
    else
      cblas_dsymm(CblasRowMajor, CblasLeft, CblasLower, narrow(lower.rows), narrow(part.count), alpha, lower.data,
                  narrow(lower.stride), from, narrow(x.stride), 1.0, to, narrow(out.stride));
  });
}

}  // namespace weft::detail
