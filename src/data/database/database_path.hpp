// "sqlite:FILE?table=NAME" and "postgresql://[USER[:PASSWORD]@][HOST][:PORT][/DATABASE]?table=NAME"; ?query=… in place
// of the table, and for tables that are written &mode=append or &mode=replace.
#pragma once

#include <string>

namespace weft::detail {

struct DatabasePath {
  bool postgresql = false;
  std::string connection;  ///< the file, or a URL for libpq, which may hold a password
  std::string password;    ///< of that URL, as written there
  std::string table;
  std::string query;
  std::string mode;   ///< "", "append" or "replace"
  std::string shown;  ///< for messages: neither password nor query
};

/// Throws ErrorKind::option; its texts never show what may be a part of a password.
DatabasePath parse_database_path(const std::string& path);

/// A name as SQL has it: "schema"."table".
std::string quoted_name(const std::string& column);
std::string quoted_table(const std::string& table);

}  // namespace weft::detail
