#include "linalg/cholesky.hpp"

#include "compute/device.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

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

double symmetric_one_norm(View<const double> lower, const Device& device) {
  double largest = 0;
  for (const double sum : device.absolute_sums(lower)) {
    if (!std::isfinite(sum)) return sum;
    largest = std::max(largest, sum);
  }
  return largest;
}

double symmetric_one_norm(View<const double> lower) {
  return symmetric_one_norm(lower, cpu());
}

double reciprocal_condition(View<const double> lower, double one_norm) {
  return cpu().reciprocal_condition(lower, one_norm);
}

std::vector<double> inverse_diagonal(View<const double> lower, int threads) {
  return cpu().inverse_diagonal(lower, threads);
}

void add_symmetric_product(double alpha, View<const double> lower, View<const double> x, View<double> out,
                           int threads) {
  cpu().add_symmetric_product(alpha, lower, x, out, threads);
}

}  // namespace weft::detail
