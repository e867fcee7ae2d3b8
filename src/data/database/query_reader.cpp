#include "data/database/query_reader.hpp"

#include "core/nameless_file.hpp"
#include "data/database/database.hpp"
#include "data/readers/csv_layout.hpp"
#include "data/readers/na_values.hpp"
#include "data/readers/written_cells.hpp"
#include "data/text.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <unordered_set>

#include <fmt/format.h>

namespace weft::detail {

namespace {

std::string sql_of(const DatabasePath& path, const std::string& query, Database& database) {
  const int given = (path.table.empty() ? 0 : 1) + (path.query.empty() ? 0 : 1) + (query.empty() ? 0 : 1);
  if (given > 1)
    throw Error(ErrorKind::option, "more than one table or query is named", path.shown,
                "give one of ?table=NAME, ?query=SELECT… and ‹query›");
  if (given == 0)
    throw Error(ErrorKind::option, "neither a table nor a query is named", path.shown,
                fmt::format("add ?table=NAME or ‹query› \"select …\"; {}", tables_hint(database.tables())));
  if (!path.mode.empty())
    throw Error(ErrorKind::option, "mode is for tables that are written", path.shown, "leave it out");
  if (!path.table.empty()) return "select * from " + quoted_table(path.table);
  return path.query.empty() ? query : path.query;
}

std::vector<Column> columns_of(const std::vector<std::string>& names, const std::string& place) {
  if (names.empty()) throw Error(ErrorKind::data, "there are no columns", place, "select some");
  std::vector<Column> columns;
  std::unordered_set<std::string> seen;
  for (const std::string& name : names) {
    columns.push_back({name, false});
    if (!seen.insert(name).second)
      throw Error(ErrorKind::data, fmt::format("two columns are named {}", shown(name)), place,
                  "name one of them differently in the query (… AS other)");
  }
  return columns;
}

/// The result of one execution, for all passes of all readers: what a query returns the next time may be something else
/// ("… order by random() limit 1000").
class Query {
 public:
  Query(const DatabasePath& path, const ReadOptions& options, std::size_t in_memory)
      : path_(path),
        na_values_(options.na_values),
        in_memory_(in_memory),
        database_(open_database(path, false)),
        sql_(sql_of(path, options.query, *database_)),
        cursor_(execute()) {
    std::vector<Column> columns = columns_of(cursor_->names(), path_.shown);
    TextRows rows;
    Pass first;
    if (!read(first, rows))
      throw Error(ErrorKind::data, "there are no rows", path_.shown, "check the conditions of the query");
    counts_.resize(columns.size());
    for (std::size_t k = 0; k < rows.cells(); ++k) count(counts_[k % columns.size()], rows.cell(k));
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].text = !counts_[c].nearly_numbers();
    choice_ = choose_columns(std::move(columns), options, path_.shown);
  }

  const std::string& name() const { return path_.shown; }
  const NaValues& na_values() const { return na_values_; }
  const ColumnChoice& choice() const { return choice_; }
  const CellCounts& counts(std::size_t column) const { return counts_[column]; }

  /// How far somebody has read.
  struct Pass {
    std::size_t number = 0;            // of the next piece
    std::unique_ptr<Cursor> own = {};  // where pieces could not be kept
  };
  /// The next rows; false at the end.
  bool read(Pass& pass, TextRows& rows);

 private:
  struct Piece {
    std::string bytes;  // empty: in the file
    std::uint64_t offset;
    std::size_t size;
  };

  std::unique_ptr<Cursor> execute() const {
    try {
      return database_->execute(sql_);
    } catch (const Error& error) {
      if (path_.table.empty()) throw;
      throw Error(error.kind(), error.message(), error.place(), tables_hint(database_->tables()));
    }
  }
  bool fetch(TextRows& rows);
  bool keep(const TextRows& rows);

  void count(CellCounts& counts, const std::optional<std::string_view>& cell) const {
    double value = 0;
    const CellKind kind = cell ? na_values_.parse(trim(*cell), value) : CellKind::missing;
    counts.numbers += kind == CellKind::number || kind == CellKind::infinite;
    counts.texts += kind == CellKind::text;
  }

  const DatabasePath path_;
  const NaValues na_values_;
  const std::size_t in_memory_;
  std::mutex mutex_;
  std::shared_ptr<Database> database_;  // null when all is kept: nobody waits for locks of a long job
  const std::string sql_;
  std::unique_ptr<Cursor> cursor_;  // null at the end
  bool kept_ = true;                // all pieces that were read
  std::vector<Piece> pieces_;
  NamelessFile file_;
  std::size_t held_ = 0;            // bytes in memory
  std::vector<CellCounts> counts_;  // of the columns, in the first rows
  ColumnChoice choice_;
};

bool Query::read(Pass& pass, TextRows& rows) {
  if (pass.own != nullptr) return pass.own->fetch(rows);
  const std::lock_guard lock(mutex_);
  if (pass.number < pieces_.size()) {
    const Piece& piece = pieces_[pass.number++];
    rows.from_bytes(piece.bytes.empty() ? file_.read(piece.offset, piece.size) : piece.bytes);
    return true;
  }
  if (cursor_ != nullptr) {
    if (!fetch(rows)) return false;
    if (keep(rows))
      ++pass.number;
    else
      pass.own = std::move(cursor_);
    return true;
  }
  if (kept_) return false;
  pass.own = execute();
  for (std::size_t k = 0; k < pass.number; ++k) pass.own->fetch(rows);
  return pass.own->fetch(rows);
}

bool Query::fetch(TextRows& rows) {
  try {
    if (cursor_->fetch(rows)) return true;
  } catch (...) {
    kept_ = false;  // whoever comes next meets the error again
    cursor_ = nullptr;
    throw;
  }
  cursor_ = nullptr;
  database_ = nullptr;
  return false;
}

bool Query::keep(const TextRows& rows) {
  std::string bytes = rows.to_bytes();
  Piece piece{{}, file_.size(), bytes.size()};
  if (held_ + piece.size <= in_memory_) {
    held_ += piece.size;
    piece.bytes = std::move(bytes);
  } else {
    kept_ = file_.append(bytes);
  }
  if (kept_) pieces_.push_back(std::move(piece));
  return kept_;
}

class QueryReader : public TableReader {
 public:
  explicit QueryReader(std::shared_ptr<Query> query)
      : query_(std::move(query)), choice_(query_->choice()), needed_(choice_.columns.size(), true) {
    dictionaries_.resize(choice_.columns.size());
  }

  const std::vector<Column>& file_columns() const override { return choice_.file_columns; }
  const std::vector<Column>& columns() const override { return choice_.columns; }
  const std::vector<std::string>& dictionary(Index column) const override {
    return dictionaries_[static_cast<std::size_t>(column)].texts();
  }
  bool next(RawBlock& block, Index max_rows) override;
  std::string place(Index row, Index column) const override {
    return place_at(block_start_ + row, choice_.columns[static_cast<std::size_t>(column)].name);
  }
  void read_as_text(const std::vector<std::string>& columns) override {
    for (Column& column : choice_.columns)
      if (std::find(columns.begin(), columns.end(), column.name) != columns.end()) column.text = true;
  }
  void need_only(const std::vector<std::string>& columns) override {
    const std::unordered_set<std::string_view> names(columns.begin(), columns.end());
    for (std::size_t c = 0; c < needed_.size(); ++c) needed_[c] = names.contains(choice_.columns[c].name);
  }
  void keep_written(const std::vector<std::string>& columns) override { written_.keep(choice_.file_columns, columns); }
  const std::vector<std::string>* written(const std::string& column) const override { return written_.of(column); }
  double fraction() const override { return -1; }

 private:
  bool fill();
  void take_row(Index to);
  double value(std::size_t c, std::string_view cell);
  double number(std::size_t c, std::string_view cell) const;
  [[noreturn]] void throw_text(std::size_t c, std::string_view cell) const;
  std::string place_at(Index row, const std::string& column) const {
    return fmt::format("{}: row {}, column {}", query_->name(), row + 1, column);
  }

  std::shared_ptr<Query> query_;
  ColumnChoice choice_;
  std::vector<bool> needed_;
  std::vector<Dictionary> dictionaries_;
  WrittenCells written_;
  Query::Pass pass_;
  TextRows rows_;
  std::size_t taken_ = 0;  // cells of them
  Matrix cells_;           // columns × rows
  Index block_start_ = 0;
  Index row_ = 0;  // the next one
};

bool QueryReader::next(RawBlock& block, Index max_rows) {
  const auto columns = static_cast<Index>(choice_.columns.size());
  cells_.reshape(columns, block_rows(max_rows, columns));
  written_.start_block();
  block_start_ = row_;
  Index count = 0;
  while (count < cells_.cols() && fill()) take_row(count++);
  block.columns = cells_.view().col_range(0, count);
  block.first_row = block_start_;
  return count > 0;
}

// Whether there is a row that was not taken.
bool QueryReader::fill() {
  if (taken_ < rows_.cells()) return true;
  taken_ = 0;
  if (query_->read(pass_, rows_)) return true;
  rows_.clear();
  return false;
}

void QueryReader::take_row(Index to) {
  for (std::size_t c = 0; c < choice_.columns.size(); ++c) {
    const auto cell = rows_.cell(taken_ + static_cast<std::size_t>(choice_.file_position[c]));
    cells_(static_cast<Index>(c), to) = cell && needed_[c] ? value(c, *cell) : std::numeric_limits<double>::quiet_NaN();
  }
  written_.add_row([&](std::size_t column) { return rows_.cell(taken_ + column).value_or(""); });
  taken_ += choice_.file_columns.size();
  ++row_;
}

double QueryReader::value(std::size_t c, std::string_view cell) {
  if (!choice_.columns[c].text) return number(c, cell);
  if (cell.empty() || query_->na_values().hold(cell)) return std::numeric_limits<double>::quiet_NaN();
  const Index code = dictionaries_[c].code(cell);
  if (code < 0) throw_too_many_texts(choice_.columns[c].name, place_at(row_, choice_.columns[c].name));
  return static_cast<double>(code);
}

double QueryReader::number(std::size_t c, std::string_view cell) const {
  double value = 0;
  const CellKind kind = query_->na_values().parse(trim(cell), value);
  if (kind == CellKind::number || kind == CellKind::missing) return value;
  if (kind == CellKind::text) throw_text(c, cell);
  const std::string& column = choice_.columns[c].name;
  throw Error(ErrorKind::data, fmt::format("{} in column {} is not finite", shown(cell), shown(column)),
              place_at(row_, column), "fix the cell or make it NULL");
}

void QueryReader::throw_text(std::size_t c, std::string_view cell) const {
  const std::string& column = choice_.columns[c].name;
  const CellCounts& counts = query_->counts(static_cast<std::size_t>(choice_.file_position[c]));
  throw Error(ErrorKind::data, text_among_numbers(column, counts, false, cell, fmt::format("row {}", row_ + 1)),
              place_at(row_, column), remedy_of_text(column, cell));
}

}  // namespace

std::function<std::unique_ptr<TableReader>()> open_query(const DatabasePath& path, const ReadOptions& options,
                                                         std::size_t in_memory) {
  const auto query = std::make_shared<Query>(path, options, in_memory);
  return [query] { return std::make_unique<QueryReader>(query); };
}

}  // namespace weft::detail
