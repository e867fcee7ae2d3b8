// A tree over rows: split near the median of the input that varies most, until a leaf is small enough. In inputs scaled
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

struct TreeOptions {
  /// 0 splits such that leaves are equally full; others split at other inputs and quantiles, so that averages of
  /// several trees have other borders.
  Index variant = 0;
  double overlap = 0;  ///< rows of neighbouring leaves near its borders that a leaf has, as a share of its own
  std::uint64_t seed = 1;
};

/// z: inputs × rows. Leaves have at most `leaf` rows, with an overlap about as many, unless rows agree in every input.
RowTree grow_tree(View<const double> z, Index leaf, const TreeOptions& options);

}  // namespace weft::detail
