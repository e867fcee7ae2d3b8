// Sums within a block file: { "rows", "targets", "weight", "single_precision" }, and the blocks gram (the lower
// triangle, row after row), moments, squares, target_sums and shift.
#pragma once

#include "core/block_file.hpp"
#include "linalg/accumulator.hpp"

namespace weft::detail {

struct AccumulatorBlocks {
  /// Adds the blocks, whose names begin with `prefix`, to a file; the sums must outlive the writing.
  static Json store(const Accumulator& sums, const std::string& prefix, BlockFileWriter& file);
  /// Throws Error(model) where they do not fit together.
  static Accumulator read(const Json& json, const std::string& prefix, const BlockFileReader& file);
};

}  // namespace weft::detail
