// What the first rows of a CSV or TSV file tell about it: dialect, header, column names and types.
#pragma once

#include <weft/data.hpp>

#include "data/readers/byte_source.hpp"
#include "data/readers/csv_dialect.hpp"

#include <string>
#include <vector>

namespace weft::detail {

/// Of the cells of a column that are not missing.
struct CellCounts {
  Index numbers = 0;
  Index texts = 0;
  Index all() const { return numbers + texts; }
  /// Texts among so few of them are mistakes, or a marker for missing cells that the user has to name.
  bool nearly_numbers() const { return 10 * numbers >= 9 * all(); }
};

/// What is wrong with a text in a column whose cells are nearly all numbers. `where`: its line or row; `all`: no other
/// cells than those were counted.
std::string text_among_numbers(const std::string& column, const CellCounts& counts, bool all, std::string_view cell,
                               const std::string& where);
std::string remedy_of_text(const std::string& column, std::string_view cell);

struct CsvLayout {
  CsvDialect dialect;
  Index first_record = 1;  ///< its line
  bool header = false;
  std::vector<std::string> first_line;  ///< its cells, where it is not the header
  std::vector<Column> columns;          ///< of the file, in its order
  std::vector<CellCounts> counts;       ///< of each column, in the rows looked at
  bool all_rows = false;                ///< there are no other rows
};

/// Looks at the first 1000 rows or the first MiB, whichever ends sooner (two lines at least), and consumes nothing.
///
/// Header: the first line is one when it has text and none of its cells is a number, or when it has text where the
/// second line has a number. Types: a column is text when more than a tenth of its cells in those rows are neither
/// numbers nor missing.
CsvLayout find_csv_layout(ByteSource& source, const std::string& name, const ReadOptions& options, bool tabs);

}  // namespace weft::detail
