#include "data/database/client_library.hpp"
#include "data/database/database.hpp"

#include <weft/error.hpp>
#include <weft/write.hpp>

#include <charconv>
#include <filesystem>
#include <mutex>

#include <fmt/format.h>

struct sqlite3;
struct sqlite3_stmt;

namespace weft::detail {

namespace {

// SQLite's own numbers, of sqlite3.h: they are part of its stable interface.
constexpr int kSqliteBusy = 5, kSqliteLocked = 6, kSqliteReadOnly = 8, kSqliteFull = 13, kSqliteNotDatabase = 26;
constexpr int kSqliteRow = 100, kSqliteDone = 101;
constexpr int kOpenReadOnly = 1, kOpenReadWrite = 2, kOpenCreate = 4, kOpenFullMutex = 0x10000;
constexpr int kSqliteInteger = 1, kSqliteFloat = 2, kSqliteBlob = 4, kSqliteNull = 5;

constexpr std::array<const char*, 3> kSqliteTypes = {"text", "real", "integer"};

struct SqliteLibrary {
  int (*open)(const char* file, sqlite3** connection, int flags, const char* vfs);
  int (*close)(sqlite3*);
  const char* (*errmsg)(sqlite3*);
  int (*errcode)(sqlite3*);
  int (*busy_timeout)(sqlite3*, int milliseconds);
  int (*prepare)(sqlite3*, const char* sql, int bytes, sqlite3_stmt** statement, const char** tail);
  int (*step)(sqlite3_stmt*);
  int (*reset)(sqlite3_stmt*);
  int (*finalize)(sqlite3_stmt*);
  int (*stmt_readonly)(sqlite3_stmt*);
  int (*column_count)(sqlite3_stmt*);
  const char* (*column_name)(sqlite3_stmt*, int);
  int (*column_type)(sqlite3_stmt*, int);
  double (*column_double)(sqlite3_stmt*, int);
  const unsigned char* (*column_text)(sqlite3_stmt*, int);
  int (*column_bytes)(sqlite3_stmt*, int);
  int (*bind_int64)(sqlite3_stmt*, int, long long);
  int (*bind_double)(sqlite3_stmt*, int, double);
  int (*bind_text)(sqlite3_stmt*, int, const char* text, int bytes, void (*release)(void*));
  int (*bind_null)(sqlite3_stmt*, int);
  const char* (*libversion)();
};

SqliteLibrary load_sqlite() {
  const ClientLibrary library("libsqlite3.so.0", "WEFT_SQLITE", "SQLite", "libsqlite3-0");
  SqliteLibrary f{};
  library.find("sqlite3_open_v2", f.open);
  library.find("sqlite3_close_v2", f.close);
  library.find("sqlite3_errmsg", f.errmsg);
  library.find("sqlite3_errcode", f.errcode);
  library.find("sqlite3_busy_timeout", f.busy_timeout);
  library.find("sqlite3_prepare_v2", f.prepare);
  library.find("sqlite3_step", f.step);
  library.find("sqlite3_reset", f.reset);
  library.find("sqlite3_finalize", f.finalize);
  library.find("sqlite3_stmt_readonly", f.stmt_readonly);
  library.find("sqlite3_column_count", f.column_count);
  library.find("sqlite3_column_name", f.column_name);
  library.find("sqlite3_column_type", f.column_type);
  library.find("sqlite3_column_double", f.column_double);
  library.find("sqlite3_column_text", f.column_text);
  library.find("sqlite3_column_bytes", f.column_bytes);
  library.find("sqlite3_bind_int64", f.bind_int64);
  library.find("sqlite3_bind_double", f.bind_double);
  library.find("sqlite3_bind_text", f.bind_text);
  library.find("sqlite3_bind_null", f.bind_null);
  library.find("sqlite3_libversion", f.libversion);
  return f;
}

const SqliteLibrary& sqlite() {
  static const SqliteLibrary functions = load_sqlite();
  return functions;
}

class SqliteStatement {
 public:
  explicit SqliteStatement(sqlite3_stmt* statement) : statement_(statement) {}
  ~SqliteStatement() { sqlite().finalize(statement_); }
  SqliteStatement(const SqliteStatement&) = delete;
  SqliteStatement& operator=(const SqliteStatement&) = delete;

  sqlite3_stmt* get() const { return statement_; }
  std::string text(int column) const {
    const unsigned char* const bytes = sqlite().column_text(statement_, column);
    return bytes == nullptr ? "" : reinterpret_cast<const char*>(bytes);
  }

 private:
  sqlite3_stmt* statement_;
};

const char* sqlite_remedy(int code, const char* otherwise) {
  switch (code) {
    case kSqliteBusy:
    case kSqliteLocked:
      return "another program is using the database; try again when it has finished";
    case kSqliteReadOnly:
      return "check the permissions of the file and its folder";
    case kSqliteFull:
      return "make space on the disk";
    case kSqliteNotDatabase:
      return "name the file of an SQLite database";
    default:
      return otherwise;
  }
}

class SqliteDatabase : public Database, public std::enable_shared_from_this<SqliteDatabase> {
 public:
  SqliteDatabase(const DatabasePath& path, bool write)
      : path_(path), fresh_(!std::filesystem::exists(path.connection)) {
    if (fresh_ && !write) throw Error(ErrorKind::file, "there is no such database file", path_.shown, "check the path");
    const int flags = write ? kOpenReadWrite | kOpenCreate : kOpenReadOnly;
    const int code = sqlite().open(path_.connection.c_str(), &connection_, flags | kOpenFullMutex, nullptr);
    if (code != 0) {
      const std::string reason = sqlite().errmsg(connection_);
      sqlite().close(connection_);
      throw Error(ErrorKind::file, "SQLite: " + reason, path_.shown, sqlite_remedy(code, "check the path"));
    }
    constexpr int kPatience = 10'000;
    sqlite().busy_timeout(connection_, kPatience);
  }
  ~SqliteDatabase() override { sqlite().close(connection_); }
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;

  std::unique_ptr<Cursor> execute(const std::string& query) override;
  std::vector<std::string> tables() override;
  void check_writable() override;
  void store(const StoredTable& table) override;

  const std::string& shown() const { return path_.shown; }
  std::mutex& mutex() { return mutex_; }
  [[noreturn]] void fail(const char* remedy) const {
    const int code = sqlite().errcode(connection_);
    throw Error(ErrorKind::data, fmt::format("SQLite: {}", sqlite().errmsg(connection_)), path_.shown,
                sqlite_remedy(code, remedy));
  }
  /// Whether there is a row.
  bool step(const SqliteStatement& statement, const char* remedy) const {
    const int code = sqlite().step(statement.get());
    if (code != kSqliteRow && code != kSqliteDone) fail(remedy);
    return code == kSqliteRow;
  }

 private:
  std::unique_ptr<SqliteStatement> prepare(const std::string& sql, const char* remedy) const;
  void run(const std::string& sql) const { step(*prepare(sql, "check the table"), "check the table"); }
  bool has_table() const;
  std::vector<std::string> names_of(sqlite3_stmt* statement) const;
  void insert(const StoredTable& table) const;
  void check_unchanged();

  DatabasePath path_;
  bool fresh_;
  sqlite3* connection_ = nullptr;
  std::mutex mutex_;
  std::string version_;  // of the data, when a query was first executed

  friend class SqliteCursor;
};

class SqliteCursor : public Cursor {
 public:
  SqliteCursor(std::shared_ptr<SqliteDatabase> database, std::unique_ptr<SqliteStatement> statement)
      : database_(std::move(database)),
        statement_(std::move(statement)),
        names_(database_->names_of(statement_->get())) {}

  const std::vector<std::string>& names() const override { return names_; }
  bool fetch(TextRows& rows) override {
    const std::lock_guard lock(database_->mutex());
    rows.clear();
    for (Index count = 0; count < kRows && statement_ != nullptr; ++count) {
      if (!database_->step(*statement_, "check the query")) {
        statement_ = nullptr;  // with it goes the lock that keeps others from writing
        break;
      }
      ++row_;
      for (std::size_t c = 0; c < names_.size(); ++c) add_cell(c, rows);
    }
    return rows.cells() > 0;
  }

 private:
  static constexpr Index kRows = 1000;

  void add_cell(std::size_t c, TextRows& rows) {
    sqlite3_stmt* const statement = statement_->get();
    const int column = static_cast<int>(c);
    const int type = sqlite().column_type(statement, column);
    if (type == kSqliteNull) return rows.add_null();
    // Its own texts of numbers have 15 digits.
    if (type == kSqliteFloat) return rows.add(fmt::format("{}", sqlite().column_double(statement, column)));
    if (type == kSqliteBlob)
      throw Error(ErrorKind::data, "the cell holds binary data",
                  fmt::format("{}: row {}, column {}", database_->shown(), row_, names_[c]),
                  "leave the column out of the query, or convert it there");
    const unsigned char* const text = sqlite().column_text(statement, column);
    if (text == nullptr) throw std::bad_alloc();
    rows.add({reinterpret_cast<const char*>(text), static_cast<std::size_t>(sqlite().column_bytes(statement, column))});
  }

  std::shared_ptr<SqliteDatabase> database_;
  std::unique_ptr<SqliteStatement> statement_;  // null at the end
  std::vector<std::string> names_;
  Index row_ = 0;
};

std::unique_ptr<SqliteStatement> SqliteDatabase::prepare(const std::string& sql, const char* remedy) const {
  sqlite3_stmt* statement = nullptr;
  const char* tail = nullptr;
  if (sqlite().prepare(connection_, sql.c_str(), static_cast<int>(sql.size()), &statement, &tail) != 0) fail(remedy);
  auto result = std::make_unique<SqliteStatement>(statement);
  if (statement == nullptr) throw Error(ErrorKind::option, "the query is empty", path_.shown, "give a SELECT");
  if (std::string_view(tail).find_first_not_of("; \t\r\n") != std::string_view::npos)
    throw Error(ErrorKind::option, "there is something behind the first statement of the query", path_.shown,
                "give one SELECT");
  return result;
}

std::vector<std::string> SqliteDatabase::names_of(sqlite3_stmt* statement) const {
  std::vector<std::string> names;
  for (int c = 0; c < sqlite().column_count(statement); ++c) names.emplace_back(sqlite().column_name(statement, c));
  return names;
}

// Passes after the first read what was kept of it, and execute the query again only where that was not possible.
void SqliteDatabase::check_unchanged() {
  const auto statement = prepare("pragma data_version", "");
  step(*statement, "check the file");
  const std::string version = statement->text(0);
  if (version_.empty()) version_ = version;
  if (version != version_)
    throw Error(ErrorKind::data, "the database was changed while it was read", path_.shown,
                "try again when nobody writes to it, or read a copy");
}

std::unique_ptr<Cursor> SqliteDatabase::execute(const std::string& query) {
  const std::lock_guard lock(mutex_);
  check_unchanged();
  auto statement = prepare(query, "check the query");
  if (sqlite().column_count(statement->get()) == 0 || sqlite().stmt_readonly(statement->get()) == 0)
    throw Error(ErrorKind::option, "the query returns no rows", path_.shown, "give a SELECT");
  return std::make_unique<SqliteCursor>(shared_from_this(), std::move(statement));
}

std::vector<std::string> SqliteDatabase::tables() {
  const std::lock_guard lock(mutex_);
  const auto statement = prepare(
      "select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite\\_%' escape '\\' order "
      "by "
      "name",
      "");
  std::vector<std::string> names;
  while (step(*statement, "check the file")) names.push_back(statement->text(0));
  return names;
}

bool SqliteDatabase::has_table() const {
  sqlite3_stmt* statement = nullptr;
  const std::string sql = "select * from " + quoted_table(path_.table) + " limit 0";
  const bool there = sqlite().prepare(connection_, sql.c_str(), -1, &statement, nullptr) == 0;
  sqlite().finalize(statement);
  return there;
}

void SqliteDatabase::check_writable() {
  const std::lock_guard lock(mutex_);
  run("begin immediate");
  const bool exists = has_table();
  run("rollback");
  check_mode(path_, exists);
}

void SqliteDatabase::store(const StoredTable& table) {
  const std::lock_guard lock(mutex_);
  run("begin immediate");
  try {
    const bool exists = has_table();
    check_mode(path_, exists);
    const std::string name = quoted_table(path_.table);
    if (!exists) run("create table " + name + " " + column_list(table, &kSqliteTypes));
    const auto there = prepare("select * from " + name + " limit 0", "check the table");
    check_stored_columns(table.names, names_of(there->get()), path_.shown);
    if (path_.mode == "replace") run("delete from " + name);
    insert(table);
    run("commit");
  } catch (...) {
    sqlite3_stmt* rollback = nullptr;
    if (sqlite().prepare(connection_, "rollback", -1, &rollback, nullptr) == 0) sqlite().step(rollback);
    sqlite().finalize(rollback);
    if (fresh_) std::filesystem::remove(path_.connection);
    throw;
  }
}

// The cell that starts at `at`, which moves to the tab or the line end behind it; nullopt: NULL.
std::optional<std::string> take_copied_cell(std::string_view rows, std::size_t& at) {
  std::string cell;
  bool null = false;
  for (; rows[at] != '\t' && rows[at] != '\n'; ++at) {
    if (rows[at] != '\\') {
      cell += rows[at];
      continue;
    }
    const char escaped = rows[++at];
    null = null || escaped == 'N';
    cell += escaped == 't' ? '\t' : escaped == 'n' ? '\n' : escaped == 'r' ? '\r' : escaped;
  }
  if (null) return std::nullopt;
  return cell;
}

int bind_cell(sqlite3_stmt* statement, int position, const std::optional<std::string>& cell, CellType type) {
  if (!cell) return sqlite().bind_null(statement, position);
  const char* const begin = cell->data();
  const char* const end = begin + cell->size();
  if (long long integer = 0; type == CellType::integer && std::from_chars(begin, end, integer).ptr == end)
    return sqlite().bind_int64(statement, position, integer);
  if (double number = 0; type == CellType::number && std::from_chars(begin, end, number).ptr == end)
    return sqlite().bind_double(statement, position, number);  // NaN becomes NULL
  const auto copy = reinterpret_cast<void (*)(void*)>(-1);     // SQLITE_TRANSIENT
  return sqlite().bind_text(statement, position, begin, static_cast<int>(cell->size()), copy);
}

void SqliteDatabase::insert(const StoredTable& table) const {
  std::string marks;
  for (std::size_t c = 0; c < table.names.size(); ++c) marks += c == 0 ? "?" : ", ?";
  const auto statement =
      prepare(fmt::format("insert into {} {} values ({})", quoted_table(path_.table), column_list(table), marks),
              "check the table");
  std::string rows;
  Index row = 0;
  while (table.next(rows)) {
    for (std::size_t at = 0; at < rows.size();) {
      ++row;
      for (std::size_t c = 0; c < table.names.size(); ++c, ++at)
        if (bind_cell(statement->get(), static_cast<int>(c) + 1, take_copied_cell(rows, at), table.types[c]) != 0)
          fail("check the table");
      if (sqlite().step(statement->get()) != kSqliteDone)
        throw Error(ErrorKind::data, fmt::format("SQLite: {}", sqlite().errmsg(connection_)),
                    fmt::format("{}: row {}", path_.shown, row),
                    sqlite_remedy(sqlite().errcode(connection_), "check the rules of the table; nothing was written"));
      sqlite().reset(statement->get());
    }
  }
}

}  // namespace

std::string sqlite_library() {
  return fmt::format("{}, {}", sqlite().libversion(), ClientLibrary::file_of(sqlite().libversion));
}

std::shared_ptr<Database> open_sqlite(const DatabasePath& path, bool write) {
  return std::make_shared<SqliteDatabase>(path, write);
}

}  // namespace weft::detail
