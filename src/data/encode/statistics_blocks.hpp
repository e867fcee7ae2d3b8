// EncoderStatistics within a block file.
#pragma once

#include <weft/encoder_statistics.hpp>

#include "core/block_file.hpp"
#include "data/encode/statistics_state.hpp"

namespace weft::detail {

/// Adds the blocks to a file; the statistics must outlive the writing.
Json store_statistics(const EncoderStatistics& statistics, BlockFileWriter& file);
/// Throws Error(model) where they do not fit together.
EncoderStatistics statistics_from(const Json& json, const BlockFileReader& file);

}  // namespace weft::detail
