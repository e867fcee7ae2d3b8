// The rows of a query or a table of a database, cells understood as those of a CSV file are.
#pragma once

#include "data/database/database_path.hpp"
#include "data/readers/table_reader.hpp"

#include <functional>
#include <memory>

namespace weft::detail {

/// Executes the query and looks at its first 1000 rows, which decide what is a number and what is text. What the query
/// returns is kept for further passes, up to `in_memory` bytes in memory and the rest in a temporary file; where that
/// is not possible, they execute the query again.
std::function<std::unique_ptr<TableReader>()> open_query(const DatabasePath& path, const ReadOptions& options,
                                                         std::size_t in_memory = std::size_t{1} << 24);

}  // namespace weft::detail
