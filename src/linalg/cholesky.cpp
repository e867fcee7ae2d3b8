#include "linalg/cholesky.hpp"

#include "compute/device.hpp"
#include "core/parallel.hpp"
#include "core/tiles.hpp"

namespace weft::detail {

namespace {

constexpr Index kColumns = 64;  // columns of L⁻¹ that one thread computes together

}  // namespace

bool cholesky_factor(View<double> a, int threads) {
  return cpu().factor(a, threads);
}

void solve_lower(View<const double> lower, View<double> rhs, int threads) {
  cpu().solve_lower(lower, false, rhs, threads);
}

void solve_lower_transposed(View<const double> lower, View<double> rhs, int threads) {
  cpu().solve_lower(lower, true, rhs, threads);
}

void solve_cholesky(View<const double> lower, View<double> rhs, int threads) {
  solve_lower(lower, rhs, threads);
  solve_lower_transposed(lower, rhs, threads);
}

double symmetric_one_norm(View<const double> lower) {
  return cpu().symmetric_one_norm(lower);
}

double reciprocal_condition(View<const double> lower, double one_norm) {
  return cpu().reciprocal_condition(lower, one_norm);
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
  cpu().add_symmetric_product(alpha, lower, x, out, threads);
}

}  // namespace weft::detail
