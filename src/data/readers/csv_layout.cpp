#include "data/readers/csv_layout.hpp"

#include "data/readers/csv_record.hpp"
#include "data/readers/na_values.hpp"
#include "data/text.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr std::size_t kSampleBytes = std::size_t{1} << 20;
constexpr std::size_t kLargestSample = std::size_t{1} << 26;
constexpr std::size_t kSampleRows = 1000;

using Row = std::vector<std::string>;

// The start of the text, cut at a line end unless it is all of it.
std::string_view take_sample(ByteSource& source, Index skip_lines, const std::string& name, bool& whole) {
  for (std::size_t size = kSampleBytes;; size *= 2) {
    std::string_view sample = source.peek(size);
    whole = sample.size() < size;
    if (whole) return sample;
    const auto lines = static_cast<Index>(std::count(sample.begin(), sample.end(), '\n')) - skip_lines;
    const std::size_t last = sample.rfind('\n');
    if (lines >= 2 || (size >= kLargestSample && last != std::string_view::npos)) return sample.substr(0, last + 1);
    if (size >= kLargestSample)
      throw Error(ErrorKind::data, "a line is longer than 64 MiB", name + ":1:1",
                  "check that this is a text file with line ends");
  }
}

std::vector<Row> sample_rows(std::string_view sample, bool whole, const CsvDialect& dialect, const std::string& name,
                             Index& first_record) {
  CsvRecordReader records(LineReader(memory_bytes(sample), name), dialect);
  CsvRecord record;
  std::vector<Row> rows;
  std::string scratch;
  std::vector<std::string_view> cells;
  while (rows.size() <= kSampleRows && records.next(record)) {
    if (record.open_cell >= 0) {
      // The cut of the sample may have opened it; in a file seen to its end it is the user's.
      if (whole) throw_open_quote(record, name);
      break;
    }
    if (rows.empty()) first_record = record.line;
    split_cells(record.text, dialect.delimiter, scratch, cells);
    rows.emplace_back(cells.begin(), cells.end());
  }
  return rows;
}

bool looks_like_header(const std::vector<Row>& rows, char decimal) {
  const Row& first = rows.front();
  const auto kind_of = [&](const std::string& cell) {
    double value = 0;
    return parse_cell(cell, value, decimal);
  };
  const auto is_number = [&](const std::string& cell) {
    return kind_of(cell) == CellKind::number || kind_of(cell) == CellKind::infinite;
  };
  const auto is_text = [&](const std::string& cell) { return kind_of(cell) == CellKind::text; };
  // A line of nothing but missing markers names nothing.
  if (std::none_of(first.begin(), first.end(), is_number)) return std::any_of(first.begin(), first.end(), is_text);
  if (rows.size() < 2) return false;
  for (std::size_t c = 0; c < std::min(first.size(), rows[1].size()); ++c)
    if (is_text(first[c]) && is_number(rows[1][c])) return true;
  return false;
}

/// `line`: its place.
std::vector<Column> name_columns(const Row& first, bool header, const std::string& line) {
  if (static_cast<Index>(first.size()) > kMaxColumns)
    throw Error(ErrorKind::data, fmt::format("{} columns are more than weft supports ({})", first.size(), kMaxColumns),
                line + ":1", "check the delimiter and the line ends");
  std::vector<Column> columns;
  std::unordered_set<std::string> seen;
  for (std::size_t c = 0; c < first.size(); ++c) {
    columns.push_back({header && !first[c].empty() ? first[c] : fmt::format("x{}", c), false});
    if (!seen.insert(columns.back().name).second)
      throw Error(ErrorKind::data, fmt::format("two columns are named {}", shown(columns.back().name)),
                  fmt::format("{}:{}", line, c + 1),
                  header ? "rename one, or read the first line as data with ‹header› no" : "");
  }
  return columns;
}

std::vector<CellCounts> count_cells(const std::vector<Row>& rows, bool header, const NaValues& missing, char decimal) {
  std::vector<CellCounts> counts(rows.front().size());
  for (std::size_t r = header ? 1 : 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < std::min(rows[r].size(), counts.size()); ++c) {
      double value = 0;
      const CellKind kind = missing.parse(rows[r][c], value, decimal);
      counts[c].numbers += kind == CellKind::number || kind == CellKind::infinite;
      counts[c].texts += kind == CellKind::text;
    }
  return counts;
}

}  // namespace

std::string text_among_numbers(const std::string& column, const CellCounts& counts, bool all, std::string_view cell,
                               const std::string& where) {
  return fmt::format("column {}: {} of {}{} cells are numbers, {} ({}) is not", shown(column), counts.numbers,
                     all ? "" : "the first ", counts.all(), shown(cell), where);
}

std::string remedy_of_text(const std::string& column, std::string_view cell) {
  constexpr std::size_t kShort = 12;
  return fmt::format("fix the cell, call it missing with ‹na_values›{}, or use ‹categorical› {}",
                     cell.size() <= kShort ? " " + shown(cell) : "", column);
}

CsvLayout find_csv_layout(ByteSource& source, const std::string& name, const ReadOptions& options, bool tabs) {
  bool whole = false;
  const std::string_view sample = take_sample(source, options.skip_rows, name, whole);
  CsvLayout layout;
  layout.dialect = find_csv_dialect(sample, options, tabs);
  const std::vector<Row> rows = sample_rows(sample, whole, layout.dialect, name, layout.first_record);
  if (rows.empty())
    throw Error(ErrorKind::data, options.skip_rows > 0 ? "no line is left" : "the file is empty", name + ":1:1",
                options.skip_rows > 0 ? "give a smaller ‹skip_rows›" : "give a file with rows of data");
  layout.dialect.decimal = find_decimal_mark(rows, layout.dialect.delimiter, options.decimal);
  layout.header = options.header == HeaderLine::yes ||
                  (options.header == HeaderLine::automatic && looks_like_header(rows, layout.dialect.decimal));
  if (!layout.header) layout.first_line = rows.front();
  layout.columns = name_columns(rows.front(), layout.header, fmt::format("{}:{}", name, layout.first_record));
  if (layout.header && rows.size() == 1 && whole)
    throw Error(
        ErrorKind::data, "there is a header but no row of data", fmt::format("{}:{}:1", name, layout.first_record + 1),
        options.header == HeaderLine::yes ? "add rows" : "add rows, or read the first line as data with ‹header› no");
  layout.counts = count_cells(rows, layout.header, NaValues(options.na_values), layout.dialect.decimal);
  for (std::size_t c = 0; c < layout.columns.size(); ++c) layout.columns[c].text = !layout.counts[c].nearly_numbers();
  layout.all_rows = whole && rows.size() <= kSampleRows;
  return layout;
}

}  // namespace weft::detail
