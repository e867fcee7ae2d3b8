// How a CSV or TSV text is written: what separates its cells, its decimal mark, and lines that are not of the table.
#pragma once

#include <weft/data.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace weft::detail {

/// The delimiter that stands for any number of blanks and tabs.
inline constexpr char kBlanks = ' ';

struct CsvDialect {
  char delimiter = ',';
  char usual_delimiter = ',';  ///< of the format
  char decimal = '.';
  Index skip_lines = 0;      ///< at the start of the file
  std::string comment = {};  ///< records that begin with it are skipped; empty: none
};

bool is_comment(std::string_view line, std::string_view comment);

/// What the options give, and of the rest what the first lines show; the decimal mark is left at the point.
///
/// Delimiter: the most frequent of comma, semicolon, tab and | among those that occur equally often in each of the
/// first 20 lines (else in the first), unless the commas are those of numbers; blanks where none occurs and they
/// separate numbers. Lines above the table: those that begin with # and do not have as many cells as it, and Excel's
/// "sep=;". `tabs`: the delimiter is the tab unless another is given.
CsvDialect find_csv_dialect(std::string_view sample, const ReadOptions& options, bool tabs);

/// The comma, unless another is given, where it does not separate cells, no number has a point, and columns of numbers
/// have two cells at least in which it cannot separate thousands.
char find_decimal_mark(const std::vector<std::vector<std::string>>& rows, char delimiter, DecimalMark given);

/// Sets the options of what is not as usual.
void describe_dialect(const CsvDialect& dialect, ReadOptions& options);

}  // namespace weft::detail
