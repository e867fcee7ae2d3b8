#include "data/readers/libsvm_reader.hpp"

#include "core/at.hpp"
#include "data/text.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_set>

#include <fmt/format.h>

namespace weft::detail {

namespace {

std::string_view without_comment(std::string_view line) {
  return trim(line.substr(0, line.find('#')));
}

// Takes the next blank-separated token off the front of `rest`; empty at the end.
std::string_view take_token(std::string_view& rest) {
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
  std::size_t size = 0;
  while (size < rest.size() && !is_blank(rest[size])) ++size;
  const std::string_view token = rest.substr(0, size);
  rest.remove_prefix(size);
  return token;
}

bool parse_index(std::string_view text, Index& index) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), index);
  return result.ec == std::errc{} && result.ptr == text.data() + text.size() && index >= 0;
}

bool is_query(std::string_view token) {
  return token.substr(0, 4) == "qid:";
}

class LibsvmReader : public RowReader {
 public:
  LibsvmReader(std::unique_ptr<ByteSource> source, const std::string& name, const LibsvmShape& shape,
               std::size_t chunk_size)
      : lines_(std::move(source), name, chunk_size), shape_(shape) {
    for (Index j = 0; j < shape.inputs; ++j)
      columns_.push_back({fmt::format("x{}", shape.indices.empty() ? j + shape.first_index : shape.indices[at(j)])});
    if (!shape.indices.empty()) column_of_.resize(at(shape.indices.back() + 1), -1);
    for (std::size_t j = 0; j < shape.indices.size(); ++j) column_of_[at(shape.indices[j])] = static_cast<Index>(j);
    for (Index t = 0; t < shape.targets; ++t)
      columns_.push_back({shape.targets == 1 ? "target" : fmt::format("target{}", t), false});
  }

  const std::vector<Column>& columns() const override { return columns_; }
  const std::vector<std::string>& dictionary(Index) const override { return no_texts_; }
  bool next(RawBlock& block, Index max_rows) override;
  std::string place(Index row, Index column) const override {
    return fmt::format("{}:{}: column {}", lines_.name(), line_of_row_[static_cast<std::size_t>(row)],
                       columns_[static_cast<std::size_t>(column)].name);
  }
  bool absent_is_zero(const std::string& column) const override {
    Index index = 0;
    return column.starts_with('x') && parse_index(std::string_view(column).substr(1), index);
  }
  void need_only(const std::vector<std::string>& columns) override {
    const std::unordered_set<std::string_view> names(columns.begin(), columns.end());
    needed_.emplace();
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (names.contains(columns_[c].name)) needed_->push_back(static_cast<Index>(c));
  }
  double fraction() const override { return lines_.source().fraction(); }

 private:
  Index column_of(Index index) const {
    if (shape_.indices.empty()) return index - shape_.first_index;
    return index < static_cast<Index>(column_of_.size()) ? column_of_[at(index)] : -1;
  }
  void clear();
  void parse(std::string_view line, Index row);
  void parse_labels(std::string_view token, Index row);
  void parse_value(std::string_view token, Index& last, Index row);
  double number(std::string_view text, std::string_view token) const;
  // `token` must lie in the current line.
  [[noreturn]] void fail(std::string_view token, const std::string& message, const std::string& hint) const {
    throw Error(ErrorKind::data, message,
                fmt::format("{}:{}:{}", lines_.name(), lines_.line_number(), token.data() - line_start_ + 1), hint);
  }

  LineReader lines_;
  LibsvmShape shape_;
  std::vector<Column> columns_;
  std::vector<Index> column_of_;  // by index, -1: none; of a wide file
  std::optional<std::vector<Index>> needed_;
  std::vector<std::string> no_texts_;
  Matrix cells_;
  std::vector<Index> line_of_row_;
  const char* line_start_ = nullptr;
  Index rows_read_ = 0;
};

bool LibsvmReader::next(RawBlock& block, Index max_rows) {
  const auto columns = static_cast<Index>(columns_.size());
  cells_.reshape(columns, block_rows(max_rows, columns));
  clear();
  line_of_row_.resize(static_cast<std::size_t>(cells_.cols()));
  Index count = 0;
  std::string_view line;
  while (count < cells_.cols() && lines_.next(line)) {
    line_start_ = line.data();
    line = without_comment(line);
    if (line.empty()) continue;
    parse(line, count);
    line_of_row_[static_cast<std::size_t>(count++)] = lines_.line_number();
  }
  block.columns = cells_.view().col_range(0, count);
  block.first_row = rows_read_;
  rows_read_ += count;
  return count > 0;
}

/// Most cells of a wide file are of columns that nobody needs: those of the block before stay in them.
void LibsvmReader::clear() {
  if (!needed_) return void(std::fill_n(cells_.data(), cells_.rows() * cells_.cols(), 0.0));
  for (const Index column : *needed_) std::fill_n(cells_.row(column), cells_.cols(), 0.0);
}

void LibsvmReader::parse(std::string_view line, Index row) {
  parse_labels(take_token(line), row);
  Index last = -1;
  for (std::string_view token = take_token(line); !token.empty(); token = take_token(line))
    if (!is_query(token)) parse_value(token, last, row);
}

void LibsvmReader::parse_labels(std::string_view token, Index row) {
  if (token.find(':') != std::string_view::npos)
    fail(token, "the line has no label", "start each line with a label (0 where it is unknown)");
  const auto labels = std::count(token.begin(), token.end(), ',') + 1;
  if (labels != shape_.targets)
    fail(token, fmt::format("the line has {} labels where the first has {}", labels, shape_.targets),
         "give every line the same number of labels");
  Index column = shape_.inputs;
  for (std::string_view rest = token;; ++column) {
    const std::size_t comma = rest.find(',');
    cells_(column, row) = number(rest.substr(0, comma), token);
    if (comma == std::string_view::npos) return;
    rest.remove_prefix(comma + 1);
  }
}

void LibsvmReader::parse_value(std::string_view token, Index& last, Index row) {
  const std::size_t colon = token.find(':');
  Index index = 0;
  if (colon == std::string_view::npos || !parse_index(token.substr(0, colon), index))
    fail(token, fmt::format("{} is not index:value", shown(token)), "fix the line");
  // The shape has the last index of each line: one beyond it is out of order too.
  const Index column = column_of(index);
  if (index <= last || column < 0 || column >= shape_.inputs)
    fail(token, fmt::format("index {} is out of order", index),
         "sort the indices of each line, each once, and do not change the file while it is read");
  last = index;
  cells_(column, row) = number(token.substr(colon + 1), token);
}

double LibsvmReader::number(std::string_view text, std::string_view token) const {
  double value = 0;
  const CellKind kind = parse_cell(text, value);
  if (text.empty() || kind == CellKind::text)
    fail(token, fmt::format("{} is not a number", shown(text)), "fix the line");
  if (kind == CellKind::infinite) fail(token, fmt::format("{} is not finite", shown(text)), "fix the line");
  return value;
}

// The first and last index of a line; false when it has none. Values are not looked at: the reader does that.
bool index_range(std::string_view line, Index& first, Index& last) {
  bool any = false;
  std::string_view rest = line;
  take_token(rest);
  for (std::string_view token = take_token(rest); !token.empty() && !any; token = take_token(rest))
    any = !is_query(token) && parse_index(token.substr(0, token.find(':')), first);
  if (!any) return false;
  const std::size_t start = line.find_last_of(" \t");
  const std::string_view token = line.substr(start == std::string_view::npos ? 0 : start + 1);
  return parse_index(token.substr(0, token.find(':')), last);
}

}  // namespace

LibsvmShape scan_libsvm(std::unique_ptr<ByteSource> source, const std::string& name, std::size_t chunk_size) {
  LineReader lines(std::move(source), name, chunk_size);
  LibsvmShape shape;
  Index largest = -1;
  bool any_line = false;
  std::string_view line;
  while (lines.next(line)) {
    line = without_comment(line);
    if (line.empty()) continue;
    if (!any_line) {
      std::string_view rest = line;
      const std::string_view labels = take_token(rest);
      shape.targets = std::count(labels.begin(), labels.end(), ',') + 1;
    }
    any_line = true;
    Index first = 0;
    Index last = 0;
    if (!index_range(line, first, last)) continue;
    if (first == 0) shape.first_index = 0;
    largest = std::max(largest, last);
    if (largest > kMaxColumns)
      throw Error(ErrorKind::data,
                  fmt::format("index {} is larger than the number of columns weft supports ({})", largest, kMaxColumns),
                  fmt::format("{}:{}:1", name, lines.line_number()), "hash or select the inputs first");
  }
  if (!any_line) throw Error(ErrorKind::data, "the file is empty", name + ":1:1", "give a file with rows of data");
  shape.inputs = largest + 1 - shape.first_index;
  if (largest < 0) shape.inputs = 0;
  return shape;
}

void find_occurring(std::unique_ptr<ByteSource> source, const std::string& name, LibsvmShape& shape,
                    std::size_t chunk_size) {
  std::vector<bool> occurs(static_cast<std::size_t>(shape.first_index + shape.inputs));
  LineReader lines(std::move(source), name, chunk_size);
  std::string_view line;
  while (lines.next(line)) {
    line = without_comment(line);
    take_token(line);
    for (std::string_view token = take_token(line); !token.empty(); token = take_token(line)) {
      Index index = 0;
      // What cannot be read, or is out of order, is an error where the values are.
      if (parse_index(token.substr(0, token.find(':')), index) && index < static_cast<Index>(occurs.size()))
        occurs[static_cast<std::size_t>(index)] = true;
    }
  }
  for (std::size_t index = 0; index < occurs.size(); ++index)
    if (occurs[index]) shape.indices.push_back(static_cast<Index>(index));
  shape.inputs = static_cast<Index>(shape.indices.size());
}

std::unique_ptr<RowReader> read_libsvm(std::unique_ptr<ByteSource> source, const std::string& name,
                                       const LibsvmShape& shape, std::size_t chunk_size) {
  return std::make_unique<LibsvmReader>(std::move(source), name, shape, chunk_size);
}

bool is_libsvm_line(std::string_view line) {
  std::string_view rest = without_comment(line);
  for (const std::string& label : split_list(take_token(rest))) {
    double value = 0;
    if (parse_cell(label, value) != CellKind::number) return false;
  }
  bool any = false;
  for (std::string_view token = take_token(rest); !token.empty(); token = take_token(rest)) {
    Index index = 0;
    const std::size_t colon = token.find(':');
    if (colon == std::string_view::npos || (!is_query(token) && !parse_index(token.substr(0, colon), index)))
      return false;
    any = true;
  }
  return any;
}

}  // namespace weft::detail
