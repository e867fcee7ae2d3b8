#include "features/hadamard.hpp"

#include "compute/cpu/hadamard.hpp"
#include "core/random.hpp"
#include "core/special_functions.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace weft::detail {

Index hadamard_size(Index inputs) {
  return static_cast<Index>(std::bit_ceil(static_cast<std::uint64_t>(inputs)));
}

Matrix draw_hadamard(Index count, Index inputs, double sigma, std::uint64_t seed) {
  const Index size = hadamard_size(inputs);
  const Index blocks = (count + size - 1) / size;
  const Random random(seed, RandomStream::structured);
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
          length * std::sqrt(2 * gamma_quantile(0.5 * static_cast<double>(size), std::max(u, 0x1p-54)));
    }
  }
  return diagonals;
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
