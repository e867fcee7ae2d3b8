// What the first rows of a CSV or TSV file tell about it: delimiter, header, column names and types.
#pragma once

#include <weft/data.hpp>

#include "data/readers/byte_source.hpp"

#include <string>
#include <vector>

namespace weft::detail {

struct CsvLayout {
  char delimiter = ',';
  bool header = false;
  std::vector<Column> columns;  ///< of the file, in its order
};

/// Looks at the first 1000 rows or the first MiB, whichever ends sooner (two lines at least), and consumes nothing.
///
/// Header: the first line is one when it has text and none of its cells is a number, or when it has text where the
/// second line has a number. Types: a column is text when one of those rows has a cell that is neither a number nor a
/// missing marker.
CsvLayout find_csv_layout(ByteSource& source, const std::string& name, const ReadOptions& options, bool tabs);

}  // namespace weft::detail
