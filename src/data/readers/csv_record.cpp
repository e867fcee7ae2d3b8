#include "data/readers/csv_record.hpp"

#include <weft/error.hpp>

#include "data/text.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace weft::detail {

namespace {

// A quote that is still open after this many bytes was never closed.
constexpr std::size_t kLongestQuotedRecord = std::size_t{1} << 24;

bool is_blank_line(std::string_view line, char delimiter) {
  const bool cells = delimiter == '\t';  // a line of tabs has empty cells
  return std::all_of(line.begin(), line.end(), [&](char c) { return is_blank(c) && !(cells && c == delimiter); });
}

// Where the quotes of a record open and close; scan() resumes where it stopped, so long records cost linear time.
struct QuoteScan {
  char delimiter;
  std::size_t at = 0;
  Index cell = 0;
  Index line = 0;  // relative to the record's first
  Index open_line = 0;
  bool inside = false;
  bool at_cell_start = true;

  void scan(std::string_view text) {
    for (; at < text.size(); ++at) {
      const char c = text[at];
      if (inside) {
        skip_quoted(text);
      } else if (c == delimiter || (delimiter == kBlanks && c == '\t')) {
        cell += delimiter == kBlanks && at_cell_start ? 0 : 1;
        at_cell_start = true;
      } else if (c == '"' && at_cell_start) {
        inside = true;
        at_cell_start = false;
        open_line = line;
      } else if (!is_blank(c)) {
        at_cell_start = false;
      }
    }
    ++line;
  }

  void skip_quoted(std::string_view text) {
    if (text[at] != '"') return;
    if (at + 1 < text.size() && text[at + 1] == '"')
      ++at;
    else
      inside = false;
  }
};

// Reads the quoted cell whose opening quote is text[at]; leaves `at` behind the closing one.
std::string_view unquote(std::string_view text, std::size_t& at, std::string& scratch) {
  const std::size_t first = scratch.size();
  for (++at; at < text.size(); ++at) {
    if (text[at] == '"') {
      if (at + 1 >= text.size() || text[at + 1] != '"') break;
      ++at;
    }
    scratch += text[at];
  }
  ++at;
  return std::string_view(scratch).substr(first);
}

}  // namespace

void throw_open_quote(const CsvRecord& record, const std::string& name) {
  throw Error(ErrorKind::data, "a quote is opened but never closed",
              fmt::format("{}:{}:{}", name, record.open_line, record.open_cell + 1),
              "close it, or double quotes that are part of the text");
}

bool CsvRecordReader::next(CsvRecord& record) {
  do {
    if (!lines_.next(record.text)) return false;
  } while (lines_.line_number() <= dialect_.skip_lines || is_blank_line(record.text, dialect_.delimiter) ||
           is_comment(record.text, dialect_.comment));
  record.line = lines_.line_number();
  record.open_cell = -1;
  record.quoted = std::memchr(record.text.data(), '"', record.text.size()) != nullptr;
  if (record.quoted) finish_quoted(record);
  if (dialect_.delimiter == kBlanks) record.text = single_blanks_ = with_single_blanks(record.text);
  return true;
}

void CsvRecordReader::finish_quoted(CsvRecord& record) {
  QuoteScan scan{.delimiter = dialect_.delimiter};
  scan.scan(record.text);
  while (scan.inside) {
    if (record.text.size() > kLongestQuotedRecord || !lines_.extend(record.text)) {
      record.open_cell = scan.cell;
      record.open_line = record.line + scan.open_line;
      return;
    }
    scan.scan(record.text);
  }
}

std::string with_single_blanks(std::string_view text) {
  std::string result;
  bool inside = false;
  for (const char c : trim(text)) {
    if (c == '"') inside = !inside;
    if (inside || !is_blank(c))
      result += c;
    else if (result.back() != ' ')
      result += ' ';
  }
  return result;
}

Index split_cells(std::string_view text, char delimiter, std::string& scratch, std::vector<std::string_view>& cells) {
  cells.clear();
  scratch.clear();
  scratch.reserve(text.size());  // no reallocation: the cells point into it
  Index bad_cell = -1;
  std::size_t at = 0;
  for (;;) {
    std::size_t begin = at;
    while (begin < text.size() && is_blank(text[begin]) && text[begin] != delimiter) ++begin;
    std::string_view cell;
    if (begin < text.size() && text[begin] == '"') {
      cell = unquote(text, begin, scratch);
      at = std::min(text.find(delimiter, std::min(begin, text.size())), text.size());
      const std::string_view behind = text.substr(std::min(begin, at), at - std::min(begin, at));
      if (bad_cell < 0 && !trim(behind).empty()) bad_cell = static_cast<Index>(cells.size());
    } else {
      at = std::min(text.find(delimiter, begin), text.size());
      cell = trim(text.substr(begin, at - begin));
    }
    cells.push_back(cell);
    if (at == text.size()) return bad_cell;
    ++at;
  }
}

}  // namespace weft::detail
