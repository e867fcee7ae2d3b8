// Some of the rows: the training part of a fold, or a sample.
#pragma once

#include "data/rows/block_source.hpp"

#include <memory>
#include <span>
#include <vector>

namespace weft::detail {

/// The rows of `source` whose mark is set, renumbered from 0, with the source's rule for them. Held in memory where the
/// source is, else streamed from it, in the same blocks of kBlockRows, and shared out as the source is; the source must
/// outlive the result.
std::unique_ptr<BlockSource> filter_rows(const BlockSource& source, std::vector<bool> keep);

/// The rows at these positions of rows in memory, in the order of the positions: copied. Without a rule.
std::unique_ptr<BlockSource> sample_rows(const TrainingBlock& all, std::span<const Index> positions);

}  // namespace weft::detail
