#include "data/rows/selected_rows.hpp"

#include <algorithm>

namespace weft::detail {

// A block of the table becomes a block of the selection, so that place() can ask the reader.
bool SelectedRows::next(RawBlock& block, Index max_rows) {
  origin_.clear();
  while (origin_.empty()) {
    if (!inner().next(block, max_rows)) {
      block = {};  // of the blocks before, none of whose rows are kept
      finish();
      return false;
    }
    for (Index i = 0; i < block.rows(); ++i)
      if (keeps(block, i)) origin_.push_back(i);
    left_out_ += block.rows() - static_cast<Index>(origin_.size());
  }
  if (static_cast<Index>(origin_.size()) < block.rows()) {
    cells_.reshape(block.columns.rows, static_cast<Index>(origin_.size()));
    for (Index c = 0; c < cells_.rows(); ++c) {
      const double* const from = block.columns.row(c);
      std::transform(origin_.begin(), origin_.end(), cells_.row(c), [from](Index i) { return from[i]; });
    }
    block.columns = cells_;
  }
  block.first_row = delivered_;
  delivered_ += block.rows();
  return true;
}

}  // namespace weft::detail
