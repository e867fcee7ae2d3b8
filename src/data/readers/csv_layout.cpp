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
std::string_view take_sample(ByteSource& source, bool& whole) {
  for (std::size_t size = kSampleBytes;; size *= 2) {
    std::string_view sample = source.peek(size);
    whole = sample.size() < size;
    if (whole) return sample;
    const std::size_t lines = static_cast<std::size_t>(std::count(sample.begin(), sample.end(), '\n'));
    if (lines >= 2 || size >= kLargestSample) return sample.substr(0, sample.rfind('\n') + 1);
  }
}

// How often each candidate occurs outside quotes in one line.
using Counts = std::array<Index, 3>;
constexpr std::array<char, 3> kDelimiters = {',', ';', '\t'};

Counts count_delimiters(std::string_view line) {
  Counts counts = {};
  bool inside = false;
  for (const char c : line) {
    if (c == '"') inside = !inside;
    for (std::size_t d = 0; d < kDelimiters.size() && !inside; ++d) counts[d] += c == kDelimiters[d];
  }
  return counts;
}

// The most frequent candidate among those that occur equally often in each of the first lines; where none does, the
// most frequent in the first line.
char find_delimiter(std::string_view sample) {
  LineReader lines(memory_bytes(sample), "");
  Counts first = {};
  std::array<bool, 3> steady = {true, true, true};
  std::string_view line;
  for (int seen = 0; seen < 20 && lines.next(line);) {
    if (line.empty()) continue;
    const Counts counts = count_delimiters(line);
    if (seen++ == 0) first = counts;
    for (std::size_t d = 0; d < counts.size(); ++d) steady[d] = steady[d] && counts[d] == first[d];
  }
  std::size_t best = 0;
  const auto rank = [&](std::size_t d) { return std::pair(steady[d] && first[d] > 0, first[d]); };
  for (std::size_t d = 1; d < first.size(); ++d)
    if (rank(d) > rank(best)) best = d;
  return kDelimiters[best];
}

std::vector<Row> sample_rows(std::string_view sample, bool whole, char delimiter, const std::string& name) {
  CsvRecordReader records(LineReader(memory_bytes(sample), name), delimiter);
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
    split_cells(record.text, delimiter, scratch, cells);
    rows.emplace_back(cells.begin(), cells.end());
  }
  return rows;
}

CellKind kind_of(const std::string& cell) {
  double value = 0;
  return parse_cell(cell, value);
}

bool looks_like_header(const std::vector<Row>& rows) {
  const Row& first = rows.front();
  const auto is_number = [](const std::string& cell) {
    return kind_of(cell) == CellKind::number || kind_of(cell) == CellKind::infinite;
  };
  const auto is_text = [](const std::string& cell) { return kind_of(cell) == CellKind::text; };
  // A line of nothing but missing markers names nothing.
  if (std::none_of(first.begin(), first.end(), is_number)) return std::any_of(first.begin(), first.end(), is_text);
  if (rows.size() < 2) return false;
  for (std::size_t c = 0; c < std::min(first.size(), rows[1].size()); ++c)
    if (is_text(first[c]) && is_number(rows[1][c])) return true;
  return false;
}

std::vector<Column> name_columns(const Row& first, bool header, const std::string& name) {
  if (static_cast<Index>(first.size()) > kMaxColumns)
    throw Error(ErrorKind::data, fmt::format("{} columns are more than weft supports ({})", first.size(), kMaxColumns),
                name + ":1:1", "check the delimiter and the line ends");
  std::vector<Column> columns;
  std::unordered_set<std::string> seen;
  for (std::size_t c = 0; c < first.size(); ++c) {
    columns.push_back({header && !first[c].empty() ? first[c] : fmt::format("x{}", c), false});
    if (!seen.insert(columns.back().name).second)
      throw Error(ErrorKind::data, fmt::format("two columns are named {}", shown(columns.back().name)),
                  fmt::format("{}:1:{}", name, c + 1),
                  header ? "rename one, or read the first line as data with ‹header› no" : "");
  }
  return columns;
}

std::vector<CellCounts> count_cells(const std::vector<Row>& rows, bool header, const NaValues& missing) {
  std::vector<CellCounts> counts(rows.front().size());
  for (std::size_t r = header ? 1 : 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < std::min(rows[r].size(), counts.size()); ++c) {
      double value = 0;
      const CellKind kind = missing.parse(rows[r][c], value);
      counts[c].numbers += kind == CellKind::number || kind == CellKind::infinite;
      counts[c].texts += kind == CellKind::text;
    }
  return counts;
}

}  // namespace

CsvLayout find_csv_layout(ByteSource& source, const std::string& name, const ReadOptions& options, bool tabs) {
  bool whole = false;
  const std::string_view sample = take_sample(source, whole);
  CsvLayout layout;
  layout.delimiter = tabs ? '\t' : find_delimiter(sample);
  const std::vector<Row> rows = sample_rows(sample, whole, layout.delimiter, name);
  if (rows.empty()) throw Error(ErrorKind::data, "the file is empty", name + ":1:1", "give a file with rows of data");
  layout.header =
      options.header == HeaderLine::yes || (options.header == HeaderLine::automatic && looks_like_header(rows));
  if (!layout.header) layout.first_line = rows.front();
  layout.columns = name_columns(rows.front(), layout.header, name);
  if (layout.header && rows.size() == 1 && whole)
    throw Error(
        ErrorKind::data, "there is a header but no row of data", name + ":2:1",
        options.header == HeaderLine::yes ? "add rows" : "add rows, or read the first line as data with ‹header› no");
  layout.counts = count_cells(rows, layout.header, NaValues(options.na_values));
  for (std::size_t c = 0; c < layout.columns.size(); ++c) layout.columns[c].text = !layout.counts[c].nearly_numbers();
  layout.all_rows = whole && rows.size() <= kSampleRows;
  return layout;
}

}  // namespace weft::detail
