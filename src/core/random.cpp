#include "core/random.hpp"

#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include <Random123/philox.h>

namespace weft::detail {

namespace {

struct TwoWords {
  std::uint64_t first;
  std::uint64_t second;
};

// One Philox block has 128 bits: two words, enough for one Box–Muller pair.
TwoWords philox(std::uint64_t seed, std::uint32_t stream, std::uint64_t i, std::uint32_t j) {
  const r123::Philox4x32::ctr_type counter = {
      {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i >> 32), j, stream}};
  const r123::Philox4x32::key_type key = {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  const auto r = r123::Philox4x32{}(counter, key);
  return {(static_cast<std::uint64_t>(r[1]) << 32) | r[0], (static_cast<std::uint64_t>(r[3]) << 32) | r[2]};
}

double unit(std::uint64_t word) {
  return static_cast<double>(word >> 11) * 0x1p-53;
}

// In (0, 1): for logarithms and tangents.
double open_unit(std::uint64_t word) {
  return (static_cast<double>(word >> 12) + 0.5) * 0x1p-52;
}

}  // namespace

std::uint64_t Random::bits(std::uint64_t i, std::uint32_t j) const {
  return philox(seed_, stream_, i, j).first;
}

double Random::uniform(std::uint64_t i, std::uint32_t j) const {
  return unit(bits(i, j));
}

double Random::normal(std::uint64_t i, std::uint32_t j) const {
  // Coordinates 2k and 2k+1 share a block: cosine and sine of one Box–Muller pair.
  const TwoWords words = philox(seed_, stream_, i, j / 2);
  const double radius = std::sqrt(-2 * std::log(open_unit(words.first)));
  const double angle = 2 * std::numbers::pi * unit(words.second);
  return j % 2 == 0 ? radius * std::cos(angle) : radius * std::sin(angle);
}

double Random::cauchy(std::uint64_t i, std::uint32_t j) const {
  return std::tan(std::numbers::pi * (open_unit(bits(i, j)) - 0.5));
}

Index Random::below(Index bound, std::uint64_t i, std::uint32_t j) const {
  // Multiply-shift (Lemire) without rejection: the bias is below bound / 2^64.
  __extension__ using Wide = unsigned __int128;
  return static_cast<Index>((static_cast<Wide>(bits(i, j)) * static_cast<std::uint64_t>(bound)) >> 64);
}

std::vector<Index> Random::permutation(Index count) const {
  std::vector<Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), Index{0});
  for (Index k = count - 1; k > 0; --k)
    std::swap(order[static_cast<std::size_t>(k)],
              order[static_cast<std::size_t>(below(k + 1, static_cast<std::uint64_t>(k)))]);
  return order;
}

}  // namespace weft::detail
