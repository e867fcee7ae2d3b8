#include "data/readers/csv_reader.hpp"

#include "data/readers/csv_record.hpp"
#include "data/readers/na_values.hpp"
#include "data/readers/written_cells.hpp"
#include "data/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <unordered_set>
#include <utility>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr Index kTileRows = 64;

class CsvReader : public TableReader {
 public:
  CsvReader(std::unique_ptr<ByteSource> source, const std::string& name, const ReadOptions& options,
            const CsvLayout& layout, std::size_t chunk_size)
      : layout_(layout),
        na_values_(options.na_values),
        delimiter_(layout.dialect.delimiter),
        number_format_(fast_float::chars_format::general, layout.dialect.decimal),
        header_pending_(layout.header),
        choice_(choose_columns(layout.columns, options, name)),
        plans_(layout.columns.size()),
        dictionaries_(choice_.columns.size()),
        records_(LineReader(std::move(source), name, chunk_size), layout.dialect) {
    for (std::size_t c = 0; c < choice_.columns.size(); ++c)
      plans_[static_cast<std::size_t>(choice_.file_position[c])] = {
          choice_.columns[c].text ? Action::code : Action::number, static_cast<Index>(c)};
  }

  const std::vector<Column>& file_columns() const override { return choice_.file_columns; }
  bool in_first_line(const std::string& name) const override {
    return std::find(layout_.first_line.begin(), layout_.first_line.end(), name) != layout_.first_line.end();
  }
  void resolve_dialect(ReadOptions& options) const override { describe_dialect(layout_.dialect, options); }
  const std::vector<Column>& columns() const override { return choice_.columns; }
  const std::vector<std::string>& dictionary(Index column) const override {
    return dictionaries_[static_cast<std::size_t>(column)].texts();
  }
  bool next(RawBlock& block, Index max_rows) override;
  std::string place(Index row, Index column) const override {
    return place_at(line_of_row_[static_cast<std::size_t>(row)],
                    choice_.file_position[static_cast<std::size_t>(column)]);
  }
  void read_as_text(const std::vector<std::string>& columns) override {
    const std::unordered_set<std::string_view> texts(columns.begin(), columns.end());
    for (std::size_t c = 0; c < choice_.columns.size(); ++c) {
      if (!texts.contains(choice_.columns[c].name)) continue;
      choice_.columns[c].text = true;
      plans_[static_cast<std::size_t>(choice_.file_position[c])].action = Action::code;
    }
  }
  void need_only(const std::vector<std::string>& columns) override {
    const std::unordered_set<std::string_view> needed(columns.begin(), columns.end());
    for (std::size_t c = 0; c < choice_.columns.size(); ++c) {
      if (needed.contains(choice_.columns[c].name)) continue;
      plans_[static_cast<std::size_t>(choice_.file_position[c])].action = Action::skip;
      all_needed_ = false;
    }
  }
  void keep_written(const std::vector<std::string>& columns) override { written_.keep(choice_.file_columns, columns); }
  const std::vector<std::string>* written(const std::string& column) const override { return written_.of(column); }
  double fraction() const override { return records_.lines().source().fraction(); }

 private:
  enum class Action : unsigned char { skip, number, code };
  struct Plan {
    Action action = Action::skip;
    Index slot = 0;  // the delivered column
  };

  Index parse_tile(Index rows);
  void keep_cells();
  void parse_plain(std::string_view line, double* out);
  void parse_quoted(std::string_view record, double* out);
  double value(std::size_t c, std::string_view cell);
  double number(std::size_t c, std::string_view cell) const;
  double code(std::size_t c, std::string_view cell);

  std::string place_at(Index line, Index cell) const {
    return fmt::format("{}:{}:{}", records_.lines().name(), line, cell + 1);
  }
  [[noreturn]] void throw_text(std::size_t c, std::string_view cell) const;
  [[noreturn]] void throw_ragged(Index cells) const;

  CsvLayout layout_;
  NaValues na_values_;
  char delimiter_;
  fast_float::parse_options number_format_;
  bool header_pending_;
  bool all_needed_ = true;
  ColumnChoice choice_;
  std::vector<Plan> plans_;  // one per column of the file
  std::vector<Dictionary> dictionaries_;
  CsvRecordReader records_;
  CsvRecord record_;
  Matrix cells_;  // columns × rows
  Matrix tile_;   // some rows × columns: cells are parsed row by row
  std::vector<Index> line_of_row_;
  std::string scratch_;
  std::vector<std::string_view> quoted_cells_;
  WrittenCells written_;
  Index rows_read_ = 0;
};

bool CsvReader::next(RawBlock& block, Index max_rows) {
  const auto columns = static_cast<Index>(choice_.columns.size());
  cells_.reshape(columns, block_rows(max_rows, columns));
  line_of_row_.clear();
  written_.start_block();
  Index count = 0;
  while (count < cells_.cols()) {
    const Index parsed = parse_tile(std::min(kTileRows, cells_.cols() - count));
    if (parsed == 0) break;
    transpose(tile_.view().row_range(0, parsed), cells_.view().col_range(count, parsed));
    count += parsed;
  }
  block.columns = cells_.view().col_range(0, count);
  block.first_row = rows_read_;
  rows_read_ += count;
  return count > 0;
}

// Up to `rows` rows into tile_; fewer only at the end.
Index CsvReader::parse_tile(Index rows) {
  tile_.reshape(rows, cells_.rows());
  if (!all_needed_) std::fill_n(tile_.data(), rows * tile_.cols(), std::numeric_limits<double>::quiet_NaN());
  Index count = 0;
  while (count < rows && records_.next(record_)) {
    if (record_.open_cell >= 0) throw_open_quote(record_, records_.lines().name());
    if (std::exchange(header_pending_, false)) continue;
    if (record_.quoted || delimiter_ == layout_.dialect.decimal)
      parse_quoted(record_.text, tile_.row(count++));
    else
      parse_plain(record_.text, tile_.row(count++));
    line_of_row_.push_back(record_.line);
    if (!written_.empty()) keep_cells();
  }
  return count;
}

// Of a row that was parsed: split once more, so that other tables need not look.
void CsvReader::keep_cells() {
  split_cells(record_.text, delimiter_, scratch_, quoted_cells_);
  written_.add_row([&](std::size_t column) { return quoted_cells_[column]; });
}

// Most of the time of reading is spent here. A number is parsed where it stands and must end at a delimiter; whatever
// does not (markers, plus signs, mistakes) takes the slow way through value().
void CsvReader::parse_plain(std::string_view line, double* out) {
  const char* at = line.data();
  const char* const end = at + line.size();
  const std::size_t columns = plans_.size();
  for (std::size_t c = 0; c < columns; ++c) {
    const Plan plan = plans_[c];
    const char* after = nullptr;
    if (plan.action == Action::number) {
      while (at != end && *at == ' ') ++at;
      double parsed = 0;
      const auto result = fast_float::from_chars_advanced(at, end, parsed, number_format_);
      if (result.ec == std::errc{} && (result.ptr == end || *result.ptr == delimiter_) && std::isfinite(parsed)) {
        out[plan.slot] = na_values_.hold(parsed) ? std::numeric_limits<double>::quiet_NaN() : parsed;
        after = result.ptr;
      }
    }
    if (after == nullptr) {
      after = static_cast<const char*>(std::memchr(at, delimiter_, static_cast<std::size_t>(end - at)));
      if (after == nullptr) after = end;
      if (plan.action != Action::skip) out[plan.slot] = value(c, trim({at, static_cast<std::size_t>(after - at)}));
    }
    if (after == end) {
      if (c + 1 < columns) throw_ragged(static_cast<Index>(c) + 1);
      return;
    }
    at = after + 1;
  }
  throw_ragged(static_cast<Index>(columns) + 1 + std::count(at, end, delimiter_));
}

void CsvReader::parse_quoted(std::string_view record, double* out) {
  const Index bad_cell = split_cells(record, delimiter_, scratch_, quoted_cells_);
  if (bad_cell >= 0)
    throw Error(ErrorKind::data, "there is text after a closing quote", place_at(record_.line, bad_cell),
                "double quotes that are part of the text");
  if (quoted_cells_.size() != plans_.size()) throw_ragged(static_cast<Index>(quoted_cells_.size()));
  for (std::size_t c = 0; c < plans_.size(); ++c)
    if (plans_[c].action != Action::skip) out[plans_[c].slot] = value(c, quoted_cells_[c]);
}

double CsvReader::value(std::size_t c, std::string_view cell) {
  return plans_[c].action == Action::code ? code(c, cell) : number(c, cell);
}

double CsvReader::number(std::size_t c, std::string_view cell) const {
  double value = 0;
  const CellKind kind = na_values_.parse(cell, value, layout_.dialect.decimal);
  if (kind == CellKind::number || kind == CellKind::missing) return value;
  if (kind == CellKind::text) throw_text(c, cell);
  throw Error(ErrorKind::data,
              fmt::format("{} in column {} is not finite", shown(cell), shown(choice_.file_columns[c].name)),
              place_at(record_.line, static_cast<Index>(c)), "fix the cell or leave it empty");
}

void CsvReader::throw_text(std::size_t c, std::string_view cell) const {
  const std::string& column = choice_.file_columns[c].name;
  const CellCounts& counts = layout_.counts[c];
  std::string what = fmt::format("{} in column {} is not a number", shown(cell), shown(column));
  if (counts.texts > 0)
    what = text_among_numbers(column, counts, layout_.all_rows, cell, fmt::format("line {}", record_.line));
  std::string remedy = remedy_of_text(column, cell);
  if (double number = 0; parse_cell(cell, number, ',') == CellKind::number)
    remedy = "if the comma is the decimal mark, use ‹decimal› ','; else " + remedy;
  if (record_.line == layout_.first_record)
    remedy = "if the first line names the columns, use ‹header› yes; else " + remedy;
  throw Error(ErrorKind::data, what, place_at(record_.line, static_cast<Index>(c)), remedy);
}

double CsvReader::code(std::size_t c, std::string_view cell) {
  if (cell.empty() || na_values_.hold(cell)) return std::numeric_limits<double>::quiet_NaN();
  const Index code = dictionaries_[static_cast<std::size_t>(plans_[c].slot)].code(cell);
  if (code < 0) throw_too_many_texts(choice_.file_columns[c].name, place_at(record_.line, static_cast<Index>(c)));
  return static_cast<double>(code);
}

void CsvReader::throw_ragged(Index cells) const {
  const auto columns = static_cast<Index>(plans_.size());
  std::string remedy = "add or remove delimiters; a cell that contains one needs quotes";
  if (record_.text.starts_with('#')) remedy = "if the line is a comment, use ‹comment› '#'; else " + remedy;
  if (columns == 1)
    remedy += "; if the table begins below line " + std::to_string(layout_.first_record) +
              ", use ‹skip_rows›, and if its cells are separated otherwise, ‹delimiter›";
  throw Error(ErrorKind::data, fmt::format("the row has {} cells where the first line has {}", cells, columns),
              place_at(record_.line, std::min(cells, columns)), remedy);
}

}  // namespace

std::unique_ptr<TableReader> read_csv(std::unique_ptr<ByteSource> source, const std::string& name,
                                      const ReadOptions& options, bool tabs, std::size_t chunk_size) {
  const CsvLayout layout = find_csv_layout(*source, name, options, tabs);
  return std::make_unique<CsvReader>(std::move(source), name, options, layout, chunk_size);
}

}  // namespace weft::detail
