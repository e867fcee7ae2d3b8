#include "data/readers/csv_dialect.hpp"

#include "data/readers/csv_record.hpp"
#include "data/text.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace weft::detail {

namespace {

using Cells = std::vector<std::string>;

struct Line {
  Index number;
  std::string text;
};

Cells cells_of_line(std::string_view line, char delimiter) {
  const std::string single = delimiter == kBlanks ? with_single_blanks(line) : std::string(line);
  std::string scratch;
  std::vector<std::string_view> cells;
  split_cells(single, delimiter, scratch, cells);
  return {cells.begin(), cells.end()};
}

bool is_number(const std::string& cell, char decimal) {
  double value = 0;
  return parse_cell(cell, value, decimal) == CellKind::number;
}

constexpr std::array<char, 4> kDelimiters = {',', ';', '\t', '|'};
using Counts = std::array<Index, kDelimiters.size()>;

// How often each candidate occurs outside quotes in one line.
Counts count_delimiters(std::string_view line) {
  Counts counts = {};
  bool inside = false;
  for (const char c : line) {
    if (c == '"') inside = !inside;
    for (std::size_t d = 0; d < kDelimiters.size() && !inside; ++d) counts[d] += c == kDelimiters[d];
  }
  return counts;
}

// Whether every comma is in a number, if the cells are separated by `delimiter`.
bool commas_are_decimal(const std::vector<Line>& lines, char delimiter) {
  for (const Line& line : lines)
    for (const std::string& cell : cells_of_line(line.text, delimiter))
      if (cell.find(',') != std::string::npos && !is_number(cell, ',')) return false;
  return true;
}

bool blanks_separate_numbers(const std::vector<Line>& lines) {
  Index numbers = 0;
  Index all = 0;
  const std::size_t cells = lines.empty() ? 0 : cells_of_line(lines.front().text, kBlanks).size();
  for (const Line& line : lines) {
    const Cells own = cells_of_line(line.text, kBlanks);
    if (own.size() != cells) return false;
    all += static_cast<Index>(cells);
    numbers += std::count_if(own.begin(), own.end(), [](const std::string& cell) { return is_number(cell, '.'); });
  }
  return cells > 1 && lines.size() > 1 && 2 * numbers > all;
}

char find_delimiter(const std::vector<Line>& lines, DecimalMark decimal) {
  Counts first = {};
  std::array<bool, kDelimiters.size()> steady = {};
  steady.fill(true);
  for (std::size_t l = 0; l < lines.size(); ++l) {
    const Counts counts = count_delimiters(lines[l].text);
    if (l == 0) first = counts;
    for (std::size_t d = 0; d < counts.size(); ++d) steady[d] = steady[d] && counts[d] == first[d];
  }
  const auto rank = [&](std::size_t d) { return std::pair(steady[d] && first[d] > 0, first[d]); };
  const auto best_from = [&](std::size_t best) {
    for (std::size_t d = best + 1; d < first.size(); ++d)
      if (rank(d) > rank(best)) best = d;
    return best;
  };
  std::size_t best = best_from(0);
  // Decimal commas may be more frequent than what separates the numbers.
  if (const std::size_t other = best_from(1);
      best == 0 && first[other] > 0 &&
      (decimal == DecimalMark::comma || (steady[other] && commas_are_decimal(lines, kDelimiters[other]))))
    best = other;
  const bool none = first == Counts{} && std::all_of(steady.begin(), steady.end(), [](bool s) { return s; });
  return none && blanks_separate_numbers(lines) ? kBlanks : kDelimiters[best];
}

char given_delimiter(const std::string& text) {
  if (text == "tab" || text == "\\t") return '\t';
  if (text == "space") return kBlanks;
  if (text.size() == 1 && text != "\"") return text.front();
  throw Error(ErrorKind::option, fmt::format("{} cannot separate cells", shown(text)), "‹delimiter›",
              "give one character that is not a quote, tab, or space for any number of blanks");
}

std::string delimiter_text(char delimiter) {
  if (delimiter == '\t') return "tab";
  return delimiter == kBlanks ? "space" : std::string(1, delimiter);
}

// In 1,234 the comma may separate thousands.
bool shows_decimal_comma(const std::string& cell) {
  const std::size_t comma = cell.find(',');
  if (comma == std::string::npos || !is_number(cell, ',')) return false;
  const std::string before = cell.substr(0, comma);
  const std::size_t first_digit = before.find_first_of("0123456789");
  return cell.size() - comma != 4 || first_digit == std::string::npos || before[first_digit] == '0';
}

}  // namespace

bool is_comment(std::string_view line, std::string_view comment) {
  return !comment.empty() && trim(line).starts_with(comment);
}

CsvDialect find_csv_dialect(std::string_view sample, const ReadOptions& options, bool tabs) {
  constexpr std::size_t kLines = 20;
  CsvDialect dialect{.usual_delimiter = tabs ? '\t' : ',', .skip_lines = options.skip_rows, .comment = options.comment};
  std::vector<Line> above, lines;
  LineReader reader(memory_bytes(sample), "");
  for (std::string_view line; lines.size() < kLines && reader.next(line);) {
    if (reader.line_number() <= options.skip_rows || trim(line).empty() || is_comment(line, options.comment)) continue;
    const bool comment = options.comment.empty() && lines.empty() && line.starts_with('#');
    (comment ? above : lines).push_back({reader.line_number(), std::string(line)});
  }
  if (lines.empty()) std::swap(lines, above);
  if (lines.empty()) return dialect;

  const Line& top = lines.front();
  const bool named = top.text.size() == 5 && top.text.starts_with("sep=");
  if (!options.delimiter.empty())
    dialect.delimiter = given_delimiter(options.delimiter);
  else if (named)
    dialect.delimiter = top.text.back();
  else
    dialect.delimiter = tabs ? '\t' : find_delimiter(lines, options.decimal);
  if (named) above.push_back(top);
  // With as many cells as the table it may be its header, or a row.
  const auto cells = [&](const Line& line) { return cells_of_line(line.text, dialect.delimiter).size(); };
  while (!named && !above.empty() && cells(above.back()) == cells(top)) above.pop_back();
  if (!above.empty()) dialect.skip_lines = above.back().number;
  return dialect;
}

char find_decimal_mark(const std::vector<std::vector<std::string>>& rows, char delimiter, DecimalMark given) {
  if (given != DecimalMark::automatic) return given == DecimalMark::comma ? ',' : '.';
  if (delimiter == ',') return '.';
  struct Column {
    Index all = 0, numbers = 0, clear = 0;
  };
  std::vector<Column> columns(rows.front().size());
  for (std::size_t r = rows.size() > 1 ? 1 : 0; r < rows.size(); ++r)  // the first may be the header
    for (std::size_t c = 0; c < std::min(rows[r].size(), columns.size()); ++c) {
      const std::string& cell = rows[r][c];
      if (cell.find('.') != std::string::npos && is_number(cell, '.')) return '.';
      double value = 0;
      const CellKind kind = parse_cell(cell, value, ',');
      columns[c].all += kind != CellKind::missing;
      columns[c].numbers += kind == CellKind::number;
      columns[c].clear += shows_decimal_comma(cell);
    }
  Index clear = 0;
  for (const Column& column : columns) clear += 10 * column.numbers >= 9 * column.all ? column.clear : 0;
  return clear >= 2 ? ',' : '.';
}

void describe_dialect(const CsvDialect& dialect, ReadOptions& options) {
  if (dialect.delimiter != dialect.usual_delimiter) options.delimiter = delimiter_text(dialect.delimiter);
  if (dialect.decimal == ',') options.decimal = DecimalMark::comma;
  options.skip_rows = dialect.skip_lines;
}

}  // namespace weft::detail
