// Positions are signed in weft and unsigned in the standard library.
#pragma once

#include <weft/matrix.hpp>

#include <cstddef>

namespace weft::detail {

/// Position i of a standard container.
inline std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

}  // namespace weft::detail
