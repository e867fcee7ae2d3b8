// Tables in databases: "sqlite:shop.db?table=customers", "postgresql://ann@server/shop?table=customers". read() takes
// such paths, with a query in ReadOptions::query or as ?query= in place of the table, and TableWriter writes to them.
#pragma once

#include <weft/visibility.hpp>

#include <string>

namespace WEFT_PUBLIC weft {

bool is_database(const std::string& path);

/// The file that a path leads to: that of an SQLite database, none ("") for PostgreSQL, else the path itself.
std::string table_file(const std::string& path);

/// Whether both paths name the same table of the same database.
bool same_database_table(const std::string& one, const std::string& other);

/// A text without the passwords of the connections that it names: "postgresql://ann:secret@…", "password=secret".
std::string without_passwords(const std::string& text);

/// The client libraries, which are loaded when a database is first used: version and file, or how to get them.
struct DatabaseInfo {
  std::string sqlite;
  std::string postgresql;
};
DatabaseInfo database_info();

}  // namespace weft
