// The smallest value on a grid of two numbers, by walking from neighbour to neighbour.
#pragma once

#include <weft/matrix.hpp>

#include <functional>
#include <map>
#include <utility>

namespace weft::detail {

struct GridPoint {
  Index first = 0, second = 0;
  auto operator<=>(const GridPoint&) const = default;
};

/// Walks from `start` over first × second points, one coordinate at a time, to a point none of whose four neighbours is
/// better. `value` is called once per point; NaN is worse than any number.
GridPoint descend(GridPoint start, Index firsts, Index seconds, const std::function<double(GridPoint)>& value);

}  // namespace weft::detail
