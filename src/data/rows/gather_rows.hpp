// Copies of some rows, which need not lie side by side.
#pragma once

#include "data/rows/block_source.hpp"

#include <span>
#include <vector>

namespace weft::detail {

struct GatheredRows {
  Matrix x;                     ///< inputs × rows
  Matrix y;                     ///< outputs × rows
  std::vector<double> weights;  ///< empty: all 1

  /// Replaces what is held by these columns of a block, in their order.
  void take(const TrainingBlock& from, std::span<const Index> columns);
  /// Memory for so many rows of blocks like this one; no weights.
  void allot(const TrainingBlock& like, Index rows);
  /// Copies these columns of a block to the rows from `first` on. Weights are appended.
  void put(const TrainingBlock& from, std::span<const Index> columns, Index first);
  TrainingBlock block(Index first_row = 0) const;
  /// The rows of all of them, which are alike or empty, one after the other.
  static GatheredRows joined(std::span<const GatheredRows> pieces);
};

/// The rows at these positions, which ascend. Collective where the rows are shared out.
GatheredRows gather_rows(const BlockSource& rows, std::span<const Index> positions);

}  // namespace weft::detail
