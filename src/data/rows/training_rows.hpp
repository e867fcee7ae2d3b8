// The rows of a table as a fit sees them: encoded, targets coded, weights multiplied out.
#pragma once

#include "data/rows/block_source.hpp"

#include <weft/encoder.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace weft::detail {

/// Outputs of a fit: one per target for regression, one for two classes, else one per class.
Index output_count(const TargetInfo& target);

/// Class position `k` as the code of output `o`: +1 or −1 (binary: the second class is +1).
inline double class_code(Index k, Index o, Index outputs) {
  return (outputs == 1 ? k == 1 : k == o) ? 1 : -1;
}

/// Holds the encoded rows in memory when they take at most `left` bytes and what MemoryPlan has for rows, and streams
/// them from the source otherwise; they are read when somebody first needs them. Their rule is the one that the data's
/// options name. `rows`: how many the data have, where they are not those that the encoder was fitted on; `first_row`:
/// the number of the first among those (Encoder::open_training).
std::unique_ptr<BlockSource> training_rows(const Encoder& encoder, const Data& data, ClassWeighting class_weights,
                                           double left, const Run& run, std::optional<Index> rows = std::nullopt,
                                           Index first_row = 0);

/// The rows of this process, where they are shared out: classes are balanced over those of all processes.
std::unique_ptr<BlockSource> training_rows(const Encoder& encoder, const Data& data, ClassWeighting class_weights,
                                           double left, const Run& run, const RowShare& share, Index first_row);

/// The same, streamed, with a factor per class (none: 1) instead of ‹class_weights›, and without a rule.
std::unique_ptr<BlockSource> streamed_rows(const Encoder& encoder, const Data& data, std::vector<double> class_factors,
                                           const Run& run, Index rows, Index first_row);

/// The rows of a table without its target, streamed; outputs() is 0. `encoder` must be fitted on this table.
std::unique_ptr<BlockSource> input_rows(const Encoder& encoder, const Data& data, const Run& run);

}  // namespace weft::detail
