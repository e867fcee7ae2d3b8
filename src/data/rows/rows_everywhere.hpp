// Rows that are shared out, delivered to every process.
#pragma once

#include "data/rows/block_source.hpp"

namespace weft::detail {

/// Calls consume(block) on every process for all rows in their order: each process sends its own to the others.
/// Collective.
void for_each_everywhere(const BlockSource& shared, const std::function<void(const TrainingBlock&)>& consume);

}  // namespace weft::detail
