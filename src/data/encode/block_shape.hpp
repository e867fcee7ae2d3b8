// The memory of a block of encoded rows: how many rows it has place for, and how it grows and is cut.
#pragma once

#include <weft/encoder.hpp>

namespace weft::detail {

struct BlockShape {
  Index inputs = 0;  ///< columns
  bool bias = false;
  Index targets = 0;
  Index many = 0;  ///< variables with many categories
  bool weighted = false;

  /// Place for `rows` rows; the bias is written.
  void allot(Block& block, Index rows) const;
  /// Rows to begin a block of up to `rows` rows with. A wide one begins with those that are known to be there: a table
  /// of few rows must not take the memory of many.
  Index first_rows(Index rows, Index known) const;
  /// Makes place for more rows behind those that are filled.
  void widen(Block& block, Index filled, Index rows) const;
  /// Keeps the first rows: the last block of a table may have fewer.
  void cut(Block& block, Index rows) const;
};

}  // namespace weft::detail
