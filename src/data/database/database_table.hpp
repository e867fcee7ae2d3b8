// A table that is written to a database: held in a temporary file until it is complete, then stored in one transaction.
#pragma once

#include <weft/write.hpp>

#include "core/nameless_file.hpp"
#include "data/database/database_path.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace weft::detail {

/// Throws where such a table cannot be written: a check before long jobs, which changes nothing.
void check_database_table(const std::string& path);

class DatabaseTable {
 public:
  DatabaseTable(const std::string& path, std::vector<std::string> columns, const std::vector<CellType>& types);

  void add_row(const std::vector<std::string>& cells);
  /// Numbers of one row, one call each, with end_row() behind them.
  void add(double value);
  void end_row();
  void commit();

 private:
  struct TableColumn {
    std::string name;
    CellType type;
    // Of texts: whether all of them so far, and any, are such.
    bool integers = true;
    bool numbers = true;
    bool any = false;
    CellType stored_type() const;
  };

  void add_text(TableColumn& column, std::string_view cell);
  void flush();

  DatabasePath path_;
  std::vector<TableColumn> columns_;
  std::string buffer_;  // rows as PostgreSQL's COPY has them
  NamelessFile file_;
  std::vector<std::size_t> pieces_;  // their sizes in the file
};

}  // namespace weft::detail
