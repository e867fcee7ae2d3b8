// Counter-based random numbers (Philox 4x32-10), a pure function of (seed, stream, i, j): the same draws on any number
// of threads and in any order of the cells.
#pragma once

#include <weft/matrix.hpp>

#include <cstdint>
#include <vector>

namespace weft::papers {

/// Independent sources under one seed. The numbers are those that the published results were drawn with.
enum class Draws : std::uint32_t { landmarks = 1, rows = 5, fit = 8, resampling = 23 };

class Random {
 public:
  Random(std::uint64_t seed, Draws draws) : seed_(seed), draws_(static_cast<std::uint32_t>(draws)) {}

  double uniform(std::uint64_t i) const;                  ///< in [0, 1), 53 bits
  double normal(std::uint64_t i, std::uint32_t j) const;  ///< standard normal
  std::vector<Index> permutation(Index count) const;      ///< of 0 … count-1 (Fisher–Yates)

 private:
  std::uint64_t seed_;
  std::uint32_t draws_;
};

}  // namespace weft::papers
