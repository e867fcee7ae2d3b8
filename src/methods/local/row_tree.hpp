// A tree over rows: split at the median of the input that varies most, until a leaf is small enough. In inputs scaled
// by relevance that is the direction in which the function varies most.
#pragma once

#include <weft/member.hpp>

#include <cstdint>

namespace weft::detail {

struct RowTree {
  std::vector<Split> splits;
  std::vector<std::vector<Index>> leaves;  ///< rows of each, ascending

  /// Rows of z (inputs × rows) by the leaf that they reach.
  std::vector<std::vector<Index>> route(View<const double> z) const;
};

/// z: inputs × rows. Leaves have at most `leaf` rows, unless rows agree in every input. `variant` 0 splits at medians;
/// others split at other inputs and near the median, so that averages of several trees have other borders.
RowTree grow_tree(View<const double> z, Index leaf, Index variant, std::uint64_t seed);

}  // namespace weft::detail
