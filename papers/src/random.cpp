#include "random.hpp"

#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include <Random123/philox.h>

namespace weft::papers {

namespace {

using Words = std::pair<std::uint64_t, std::uint64_t>;

Words philox(std::uint64_t seed, std::uint32_t draws, std::uint64_t i, std::uint32_t j) {
  const r123::Philox4x32::ctr_type counter = {
      {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i >> 32), j, draws}};
  const r123::Philox4x32::key_type key = {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  const auto r = r123::Philox4x32{}(counter, key);
  return {(static_cast<std::uint64_t>(r[1]) << 32) | r[0], (static_cast<std::uint64_t>(r[3]) << 32) | r[2]};
}

double unit(std::uint64_t word) {
  return static_cast<double>(word >> 11) * 0x1p-53;
}

// In (0, 1): for the logarithm.
double open_unit(std::uint64_t word) {
  return (static_cast<double>(word >> 12) + 0.5) * 0x1p-52;
}

}  // namespace

double Random::uniform(std::uint64_t i) const {
  return unit(philox(seed_, draws_, i, 0).first);
}

double Random::normal(std::uint64_t i, std::uint32_t j) const {
  // Box–Muller: numbers 2k and 2k+1 are cosine and sine of one pair.
  const Words words = philox(seed_, draws_, i, j / 2);
  const double radius = std::sqrt(-2 * std::log(open_unit(words.first)));
  const double angle = 2 * std::numbers::pi * unit(words.second);
  return j % 2 == 0 ? radius * std::cos(angle) : radius * std::sin(angle);
}

std::vector<Index> Random::permutation(Index count) const {
  std::vector<Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), Index{0});
  __extension__ using Wide = unsigned __int128;  // multiply-shift (Lemire): the bias is below count / 2^64
  for (Index k = count - 1; k > 0; --k) {
    const std::uint64_t bits = philox(seed_, draws_, static_cast<std::uint64_t>(k), 0).first;
    const auto other = static_cast<std::size_t>((static_cast<Wide>(bits) * static_cast<std::uint64_t>(k + 1)) >> 64);
    std::swap(order[static_cast<std::size_t>(k)], order[other]);
  }
  return order;
}

}  // namespace weft::papers
