// Counter-based randomness (Philox 4x32-10): a number is a pure function of (seed, stream, i, j). No state is carried,
// so the same seed gives the same draws on any thread count, block size, rank or device, and in any order.
#pragma once

#include <weft/matrix.hpp>

#include <cstdint>
#include <vector>

namespace weft::detail {

/// Independent random streams of one seed. Append only: changing a value changes the draws of every seed.
enum class RandomStream : std::uint32_t {
  centres = 1,
  phases = 2,
  subsets = 3,
  subset_choice = 4,
  split = 5,
  generator = 6,
  noise = 7,
  fit = 8,
  reservoir = 9,
  search = 10,
  quasi_shift = 20,
  structured = 21,
  sampling_rows = 22,
  resampling = 23,
  labels = 24,
  pivots = 25,
  tree = 26,
  level_folds = 27,
};

class Random {
 public:
  Random(std::uint64_t seed, RandomStream stream) : seed_(seed), stream_(static_cast<std::uint32_t>(stream)) {}

  std::uint64_t bits(std::uint64_t i, std::uint32_t j = 0) const;
  double uniform(std::uint64_t i, std::uint32_t j = 0) const;            ///< in [0, 1), 53 bits
  double normal(std::uint64_t i, std::uint32_t j = 0) const;             ///< standard normal
  double cauchy(std::uint64_t i, std::uint32_t j = 0) const;             ///< standard Cauchy
  Index below(Index bound, std::uint64_t i, std::uint32_t j = 0) const;  ///< uniform on 0 … bound-1

  /// A permutation of 0 … count-1 (Fisher–Yates on draws i = 0 … count-1).
  std::vector<Index> permutation(Index count) const;

 private:
  std::uint64_t seed_;
  std::uint32_t stream_;
};

}  // namespace weft::detail
