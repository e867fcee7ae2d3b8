// Records of a CSV or TSV text (RFC 4180, with blanks around cells allowed): a record is a line, or several when a
// quoted cell holds line ends. A quote means something only at the start of a cell.
#pragma once

#include "data/readers/csv_dialect.hpp"
#include "data/readers/line_reader.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace weft::detail {

struct CsvRecord {
  std::string_view text;
  Index line = 0;        ///< 1-based, where the record starts
  bool quoted = false;   ///< has a quote somewhere: its cells need split_cells
  Index open_cell = -1;  ///< the 0-based cell whose quote is still open when the input ends, else -1
  Index open_line = 0;   ///< and the line where that cell starts
};

[[noreturn]] void throw_open_quote(const CsvRecord& record, const std::string& name);

class CsvRecordReader {
 public:
  CsvRecordReader(LineReader lines, CsvDialect dialect) : lines_(std::move(lines)), dialect_(std::move(dialect)) {}

  /// The next record that is neither blank nor skipped; false when there is none left. Its text is valid until the next
  /// call; where blanks separate cells, it has one between them and none around them.
  bool next(CsvRecord& record);

  const LineReader& lines() const { return lines_; }

 private:
  void finish_quoted(CsvRecord& record);

  LineReader lines_;
  CsvDialect dialect_;
  std::string single_blanks_;
};

/// The text with one blank where it has several, and none around it; quoted cells stay as they are.
std::string with_single_blanks(std::string_view text);

/// Splits a record into trimmed cells; quoted ones lose their quotes. The cells point into `text` or `scratch`.
/// Returns the 0-based cell with text after its closing quote, or -1 when all is well.
Index split_cells(std::string_view text, char delimiter, std::string& scratch, std::vector<std::string_view>& cells);

}  // namespace weft::detail
