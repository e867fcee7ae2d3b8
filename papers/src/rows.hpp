// Encoded rows of a table, all of them in memory.
#pragma once

#include <weft/encoder.hpp>

#include <vector>

namespace weft::papers {

struct Rows {
  Matrix x;  ///< inputs × rows
  /// Outputs × rows: numbers, or codes of the classes: one row, +1 for the second of two; of more classes one row each,
  /// +1 for that class and −1 for the others.
  Matrix y;

  Index count() const { return x.cols(); }
};

Rows load_rows(const Encoder& encoder, const Data& data, const Run& run);

/// Those at these positions, in their order.
Rows take_rows(const Rows& rows, const std::vector<Index>& positions);

}  // namespace weft::papers
