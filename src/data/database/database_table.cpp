#include "data/database/database_table.hpp"

#include <weft/error.hpp>

#include "data/database/database.hpp"
#include "data/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

namespace weft::detail {

namespace {

DatabasePath parse_table_path(const std::string& path) {
  DatabasePath result = parse_database_path(path);
  if (result.table.empty() || !result.query.empty())
    throw Error(ErrorKind::option, "no table is named", result.shown, "add ?table=NAME, without a query");
  return result;
}

// Zeros and signs in front, which a number loses, are a part of a name.
bool is_plain_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const bool zeros = text.size() > 1 && text[0] == '0' && text[1] != '.';
  return !zeros && !text.empty() && text[0] >= '0' && text[0] <= '9';
}

bool is_plain_integer(std::string_view text) {
  long long value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc{} && result.ptr == text.data() + text.size();
}

bool is_finite_number(std::string_view text) {
  double value = 0;
  return parse_cell(text, value) == CellKind::number;
}

}  // namespace

void check_database_table(const std::string& path) {
  const DatabasePath parsed = parse_table_path(path);
  // SQLite would make the file.
  if (!parsed.postgresql && !std::filesystem::exists(parsed.connection)) return check_writable(parsed.connection);
  open_database(parsed, true)->check_writable();
}

CellType DatabaseTable::TableColumn::stored_type() const {
  if (type != CellType::text || !any) return type;
  return integers ? CellType::integer : numbers ? CellType::number : CellType::text;
}

DatabaseTable::DatabaseTable(const std::string& path, std::vector<std::string> columns,
                             const std::vector<CellType>& types)
    : path_(parse_table_path(path)) {
  for (std::size_t c = 0; c < columns.size(); ++c)
    columns_.push_back({std::move(columns[c]), types.empty() ? CellType::number : types[c]});
}

void DatabaseTable::add_row(const std::vector<std::string>& cells) {
  for (std::size_t c = 0; c < cells.size(); ++c) {
    add_text(columns_[c], cells[c]);
    buffer_ += '\t';
  }
  end_row();
}

void DatabaseTable::add(double value) {
  fmt::format_to(std::back_inserter(buffer_), "{}\t", value);
}

void DatabaseTable::end_row() {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  buffer_.back() = '\n';
  if (buffer_.size() >= kPiece) flush();
}

// An empty text is a missing one, as everywhere.
void DatabaseTable::add_text(TableColumn& column, std::string_view cell) {
  if (cell.empty()) {
    buffer_ += "\\N";
    return;
  }
  column.any = true;
  column.numbers = column.numbers && is_plain_number(cell) && is_finite_number(cell);
  column.integers = column.integers && column.numbers && is_plain_integer(cell);
  for (const char c : cell) {
    const std::size_t special = std::string_view("\\\t\n\r").find(c);
    if (special == std::string_view::npos)
      buffer_ += c;
    else
      (buffer_ += '\\') += "\\tnr"[special];
  }
}

void DatabaseTable::flush() {
  if (buffer_.empty()) return;
  if (!file_.append(buffer_))
    throw Error(ErrorKind::file, "there is no space for the temporary file that a table of a database needs", "‹out›",
                "set TMPDIR to a folder with more");
  pieces_.push_back(buffer_.size());
  buffer_.clear();
}

void DatabaseTable::commit() {
  flush();
  StoredTable table;
  for (const TableColumn& column : columns_) {
    table.names.push_back(column.name);
    table.types.push_back(column.stored_type());
  }
  std::size_t piece = 0;
  std::uint64_t offset = 0;
  table.next = [&](std::string& rows) {
    if (piece == pieces_.size()) return false;
    rows = file_.read(offset, pieces_[piece]);
    offset += pieces_[piece++];
    return true;
  };
  open_database(path_, true)->store(table);
}

}  // namespace weft::detail
