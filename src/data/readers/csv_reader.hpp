// CSV and TSV files.
#pragma once

#include "data/readers/csv_layout.hpp"
#include "data/readers/line_reader.hpp"
#include "data/readers/table_reader.hpp"

#include <memory>
#include <string>

namespace weft::detail {

/// Cells that are missing: options.na_values, in numeric columns the markers of parse_cell, in text columns the empty
/// cell. A place is name:line:cell, all counted from 1. `tabs`: the delimiter is the tab, else it is found.
std::unique_ptr<TableReader> read_csv(std::unique_ptr<ByteSource> source, const std::string& name,
                                      const ReadOptions& options, bool tabs, std::size_t chunk_size = kChunkSize);

}  // namespace weft::detail
