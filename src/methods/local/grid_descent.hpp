// The smallest value on a grid of two numbers, by walking from neighbour to neighbour.
#pragma once

#include <weft/matrix.hpp>

#include <functional>
#include <map>
#include <utility>

namespace weft::detail {

struct GridPoint {
  Index first = 0, second = 0;
  bool operator==(const GridPoint&) const = default;
  bool operator<(const GridPoint& other) const {
    return std::pair(first, second) < std::pair(other.first, other.second);
  }
};

/// Factors of the bandwidth and λ that relevance found on fewer rows, for fits of more; a descent begins where both are
/// 1.
inline constexpr double kBandwidthFactors[] = {0.25, 0.5, 1, 2, 4, 8};
inline constexpr double kLambdaFactors[] = {0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30};
inline constexpr GridPoint kUnchanged{2, 4};

/// Walks from `start` over first × second points to a point none of whose six neighbours is better: one coordinate more
/// or less, or one more and the other less, for a wide bandwidth σ makes a Laplace kernel 1 − d/σ, so that σ and λ can
/// be exchanged and errors have a valley along σλ = constant. `value` is called once per point; NaN is worse than any
/// number.
GridPoint descend(GridPoint start, Index firsts, Index seconds, const std::function<double(GridPoint)>& value);

}  // namespace weft::detail
