// What a database must offer to be read from and written to.
#pragma once

#include <weft/matrix.hpp>
#include <weft/write.hpp>

#include "data/database/database_path.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::detail {

/// Some rows of a result, cells as texts that numbers can be read back from exactly.
class TextRows {
 public:
  void clear() {
    bytes_.clear();
    cells_.clear();
  }
  void add(std::string_view cell) {
    cells_.push_back({bytes_.size(), static_cast<std::uint32_t>(cell.size()), 0});
    bytes_ += cell;
  }
  void add_null() { cells_.push_back({0, 0, 1}); }
  std::size_t cells() const { return cells_.size(); }
  /// Cells are counted row after row; nullopt: NULL.
  std::optional<std::string_view> cell(std::size_t position) const {
    const Cell& cell = cells_[position];
    if (cell.null != 0) return std::nullopt;
    return std::string_view(bytes_).substr(cell.start, cell.size);
  }
  std::string to_bytes() const {
    const std::uint64_t count = cells_.size();
    std::string bytes;
    bytes.reserve(sizeof count + count * sizeof(Cell) + bytes_.size());
    bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
    bytes.append(reinterpret_cast<const char*>(cells_.data()), count * sizeof(Cell));
    return bytes += bytes_;
  }
  void from_bytes(std::string_view bytes) {
    std::uint64_t count = 0;
    std::memcpy(&count, bytes.data(), sizeof count);
    cells_.resize(count);
    std::memcpy(cells_.data(), bytes.data() + sizeof count, count * sizeof(Cell));
    bytes_ = bytes.substr(sizeof count + count * sizeof(Cell));
  }

 private:
  struct Cell {
    std::uint64_t start;
    std::uint32_t size;
    std::uint32_t null;
  };
  std::string bytes_;
  std::vector<Cell> cells_;
};

/// One execution of a query.
class Cursor {
 public:
  virtual ~Cursor() = default;
  virtual const std::vector<std::string>& names() const = 0;
  /// Replaces `rows` by the next ones, 1000 at first and thousands after that; false at the end.
  virtual bool fetch(TextRows& rows) = 0;
};

/// The rows of a table to be written.
struct StoredTable {
  std::vector<std::string> names;
  std::vector<CellType> types;
  /// Pieces of whole rows as PostgreSQL's COPY reads them: tabs between cells, \N for NULL, backslashes escape.
  /// False at the end.
  std::function<bool(std::string&)> next;
};

/// A connection to what a path names. Its calls may come from several threads.
class Database {
 public:
  virtual ~Database() = default;
  virtual std::unique_ptr<Cursor> execute(const std::string& query) = 0;
  virtual std::vector<std::string> tables() = 0;
  /// Throws where the table cannot be written, or exists and the mode does not say what to do then. Changes nothing.
  virtual void check_writable() = 0;
  /// All rows or none, into the table that the path names.
  virtual void store(const StoredTable& table) = 0;
};

std::shared_ptr<Database> open_sqlite(const DatabasePath& path, bool write);
std::shared_ptr<Database> open_postgresql(const DatabasePath& path);
std::shared_ptr<Database> open_database(const DatabasePath& path, bool write);

/// Throws that the table exists, unless the mode says what to do.
void check_mode(const DatabasePath& path, bool exists);
/// Throws unless all names are columns of an existing table.
void check_stored_columns(const std::vector<std::string>& names, const std::vector<std::string>& there,
                          const std::string& place);
/// "the tables are a, b"; for a database without any, that it has none.
std::string tables_hint(const std::vector<std::string>& tables);
/// (NAME, …), or with the names of the types, by CellType, (NAME TYPE, …).
std::string column_list(const StoredTable& table, const std::array<const char*, 3>* types = nullptr);

}  // namespace weft::detail
