#include "data/database/database.hpp"

#include <weft/error.hpp>

#include "data/text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft::detail {

std::shared_ptr<Database> open_database(const DatabasePath& path, bool write) {
  return path.postgresql ? open_postgresql(path) : open_sqlite(path, write);
}

void check_mode(const DatabasePath& path, bool exists) {
  if (exists && path.mode.empty())
    throw Error(ErrorKind::option, fmt::format("the table {} exists", shown(path.table)), path.shown,
                "add &mode=append to add rows to it, &mode=replace to replace its rows, or name another table");
}

void check_stored_columns(const std::vector<std::string>& names, const std::vector<std::string>& there,
                          const std::string& place) {
  for (const std::string& name : names)
    if (std::find(there.begin(), there.end(), name) == there.end())
      throw Error(ErrorKind::option, fmt::format("the table has no column {}", shown(name)), place,
                  fmt::format("its columns are {}; add the column, or name another table", fmt::join(there, ", ")));
}

std::string tables_hint(const std::vector<std::string>& tables) {
  constexpr std::size_t kMost = 20;
  if (tables.empty()) return "the database has no tables";
  const bool all = tables.size() <= kMost;
  return fmt::format(
      "the tables are {}{}",
      fmt::join(tables.begin(), tables.begin() + static_cast<Index>(std::min(kMost, tables.size())), ", "),
      all ? "" : fmt::format(" and {} more", tables.size() - kMost));
}

std::string column_list(const StoredTable& table, const std::array<const char*, 3>* types) {
  std::string list;
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    list += (c == 0 ? "" : ", ") + quoted_name(table.names[c]);
    if (types != nullptr) list += fmt::format(" {}", (*types)[static_cast<std::size_t>(table.types[c])]);
  }
  return "(" + list + ")";
}

}  // namespace weft::detail
