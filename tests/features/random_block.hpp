// What tests of feature families share: normal inputs, and names of parametrised tests.
#pragma once

#include <weft/matrix.hpp>

#include "core/random.hpp"

#include <cctype>
#include <string>

namespace weft::testing {

inline Matrix random_block(Index inputs, Index rows, std::uint64_t seed) {
  const detail::Random random(seed, detail::RandomStream::noise);
  Matrix x(inputs, rows);
  for (Index j = 0; j < inputs; ++j)
    for (Index i = 0; i < rows; ++i)
      x(j, i) = random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(j));
  return x;
}

inline std::string test_name(std::string name) {
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

}  // namespace weft::testing
