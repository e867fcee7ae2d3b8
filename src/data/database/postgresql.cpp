#include <weft/database.hpp>
#include <weft/error.hpp>

#include "data/database/client_library.hpp"
#include "data/database/database.hpp"
#include "data/text.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>

#include <fmt/format.h>

struct pg_conn;
struct pg_result;

namespace weft::detail {

namespace {

// libpq's own numbers, of libpq-fe.h: they are part of its stable interface.
constexpr int kConnectionOk = 0;
constexpr int kCommandOk = 1, kTuplesOk = 2, kCopyIn = 4;
constexpr int kMessageField = 'M', kDetailField = 'D', kContextField = 'W', kHintField = 'H';
constexpr unsigned kBooleanType = 16, kPaddedType = 1042;
constexpr std::array<const char*, 3> kPostgresqlTypes = {"text", "double precision", "bigint"};

struct PostgresqlLibrary {
  pg_conn* (*connect)(const char* const* keywords, const char* const* values, int expand_dbname);
  void (*finish)(pg_conn*);
  int (*status)(const pg_conn*);
  char* (*error_message)(const pg_conn*);
  pg_result* (*exec)(pg_conn*, const char* sql);
  pg_result* (*exec_params)(pg_conn*, const char* sql, int count, const unsigned* types, const char* const* values,
                            const int* lengths, const int* formats, int result_format);
  int (*result_status)(const pg_result*);
  char* (*result_error_field)(const pg_result*, int field);
  void (*clear)(pg_result*);
  int (*ntuples)(const pg_result*);
  int (*nfields)(const pg_result*);
  char* (*fname)(const pg_result*, int column);
  unsigned (*ftype)(const pg_result*, int column);
  int (*getisnull)(const pg_result*, int row, int column);
  char* (*getvalue)(const pg_result*, int row, int column);
  int (*getlength)(const pg_result*, int row, int column);
  int (*put_copy_data)(pg_conn*, const char* bytes, int size);
  int (*put_copy_end)(pg_conn*, const char* error);
  pg_result* (*get_result)(pg_conn*);
  void (*(*set_notice_processor)(pg_conn*, void (*)(void*, const char*), void*))(void*, const char*);
  int (*lib_version)();
};

PostgresqlLibrary load_libpq() {
  const ClientLibrary library("libpq.so.5", "WEFT_LIBPQ", "PostgreSQL", "libpq5");
  PostgresqlLibrary f{};
  library.find("PQconnectdbParams", f.connect);
  library.find("PQfinish", f.finish);
  library.find("PQstatus", f.status);
  library.find("PQerrorMessage", f.error_message);
  library.find("PQexec", f.exec);
  library.find("PQexecParams", f.exec_params);
  library.find("PQresultStatus", f.result_status);
  library.find("PQresultErrorField", f.result_error_field);
  library.find("PQclear", f.clear);
  library.find("PQntuples", f.ntuples);
  library.find("PQnfields", f.nfields);
  library.find("PQfname", f.fname);
  library.find("PQftype", f.ftype);
  library.find("PQgetisnull", f.getisnull);
  library.find("PQgetvalue", f.getvalue);
  library.find("PQgetlength", f.getlength);
  library.find("PQputCopyData", f.put_copy_data);
  library.find("PQputCopyEnd", f.put_copy_end);
  library.find("PQgetResult", f.get_result);
  library.find("PQsetNoticeProcessor", f.set_notice_processor);
  library.find("PQlibVersion", f.lib_version);
  return f;
}

const PostgresqlLibrary& libpq() {
  static const PostgresqlLibrary functions = load_libpq();
  return functions;
}

struct ClearResult {
  void operator()(pg_result* result) const { libpq().clear(result); }
};
using Result = std::unique_ptr<pg_result, ClearResult>;

// libpq's texts have several lines.
std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool space = std::string_view(" \t\r\n").find(c) != std::string_view::npos;
    if (!space || (!line.empty() && line.back() != ' ')) line += space ? ' ' : c;
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
}

class PostgresqlDatabase : public Database, public std::enable_shared_from_this<PostgresqlDatabase> {
 public:
  explicit PostgresqlDatabase(const DatabasePath& path) : path_(path) { connect(); }
  ~PostgresqlDatabase() override { libpq().finish(connection_); }
  PostgresqlDatabase(const PostgresqlDatabase&) = delete;
  PostgresqlDatabase& operator=(const PostgresqlDatabase&) = delete;

  std::unique_ptr<Cursor> execute(const std::string& query) override;
  std::vector<std::string> tables() override;
  void check_writable() override;
  void store(const StoredTable& table) override;

  std::mutex& mutex() { return mutex_; }
  /// Of one statement; throws where it fails. `values`: its parameters.
  Result run(const std::string& sql, const char* remedy, const std::vector<const char*>& values = {}, int expected = 0);
  void close(const std::string& cursor);

 private:
  void connect();
  void begin_reading();
  bool has_table(bool& writable);
  void copy(const StoredTable& table);
  [[noreturn]] void fail(const pg_result* result, const char* remedy) const;
  /// A text of libpq or the server, without secrets.
  std::string clean(std::string text) const;

  DatabasePath path_;
  pg_conn* connection_ = nullptr;
  std::mutex mutex_;
  bool reading_ = false;  // in the transaction that all queries share
  int cursors_ = 0;
};

class PostgresqlCursor : public Cursor {
 public:
  PostgresqlCursor(std::shared_ptr<PostgresqlDatabase> database, std::string name)
      : database_(std::move(database)), name_(std::move(name)) {
    constexpr Index kFirst = 1000;
    read(kFirst);
    const int columns = libpq().nfields(ready_.get());
    for (int c = 0; c < columns; ++c) {
      names_.emplace_back(libpq().fname(ready_.get(), c));
      types_.push_back(libpq().ftype(ready_.get(), c));
    }
  }
  ~PostgresqlCursor() override { database_->close(name_); }

  const std::vector<std::string>& names() const override { return names_; }
  bool fetch(TextRows& rows) override {
    const std::lock_guard lock(database_->mutex());
    rows.clear();
    if (ready_ == nullptr) {
      constexpr Index kMostRows = 10'000;
      constexpr Index kCells = 200'000;
      read(std::clamp<Index>(kCells / std::max<Index>(1, static_cast<Index>(names_.size())), 100, kMostRows));
    }
    const Result result = std::move(ready_);
    const int count = libpq().ntuples(result.get());
    for (int r = 0; r < count; ++r)
      for (std::size_t c = 0; c < names_.size(); ++c) add_cell(result.get(), r, c, rows);
    return count > 0;
  }

 private:
  void read(Index rows) {
    ready_ = database_->run(fmt::format("fetch forward {} from {}", rows, name_), "check the query", {}, kTuplesOk);
  }
  void add_cell(const pg_result* result, int row, std::size_t c, TextRows& rows) const {
    const int column = static_cast<int>(c);
    if (libpq().getisnull(result, row, column) != 0) return rows.add_null();
    std::string_view cell(libpq().getvalue(result, row, column),
                          static_cast<std::size_t>(libpq().getlength(result, row, column)));
    if (types_[c] == kBooleanType) cell = cell == "t" ? "true" : "false";
    while (types_[c] == kPaddedType && cell.ends_with(' '))
      cell.remove_suffix(1);  // char(n): the blanks are not its own
    rows.add(cell);
  }

  std::shared_ptr<PostgresqlDatabase> database_;
  std::string name_;
  Result ready_;  // fetched, not delivered
  std::vector<std::string> names_;
  std::vector<unsigned> types_;
};

void PostgresqlDatabase::connect() {
  // What stands before the URL is a default, what stands behind it is not.
  const bool patience_given = std::getenv("PGCONNECT_TIMEOUT") != nullptr;
  std::vector<const char*> keywords = {"fallback_application_name", "dbname", "client_encoding"};
  std::vector<const char*> values = {"weft", path_.connection.c_str(), "UTF8"};
  if (!patience_given) {
    keywords.insert(keywords.begin(), "connect_timeout");
    values.insert(values.begin(), "15");
  }
  keywords.push_back(nullptr);
  values.push_back(nullptr);
  connection_ = libpq().connect(keywords.data(), values.data(), 1);
  if (connection_ == nullptr) throw std::bad_alloc();
  if (libpq().status(connection_) != kConnectionOk) {
    const std::string reason = clean(libpq().error_message(connection_));
    libpq().finish(connection_);
    throw Error(ErrorKind::file, "no connection: " + reason, path_.shown,
                "check host, port, database and user; a password may stand in ~/.pgpass or PGPASSWORD");
  }
  libpq().set_notice_processor(
      connection_, [](void*, const char*) {}, nullptr);
}

std::string PostgresqlDatabase::clean(std::string text) const {
  constexpr std::size_t kShort = 4;  // a shorter one would blacken every text, and libpq does not quote it
  text = one_line(text);
  replace_all(text, path_.connection, path_.shown);
  if (path_.password.size() >= kShort) replace_all(text, path_.password, "***");
  return without_passwords(text);
}

void PostgresqlDatabase::fail(const pg_result* result, const char* remedy) const {
  std::string text;
  std::string hint = remedy;
  for (const int field : {kMessageField, kDetailField, kContextField})
    if (const char* part = result == nullptr ? nullptr : libpq().result_error_field(result, field))
      text += fmt::format("{}{}", text.empty() ? "" : ", ", part);
  if (const char* part = result == nullptr ? nullptr : libpq().result_error_field(result, kHintField))
    hint = fmt::format("{} ({})", hint, part);
  if (text.empty()) text = libpq().error_message(connection_);
  throw Error(ErrorKind::data, "PostgreSQL: " + clean(text), path_.shown, clean(hint));
}

// By the extended protocol, which takes a single statement.
Result PostgresqlDatabase::run(const std::string& sql, const char* remedy, const std::vector<const char*>& values,
                               int expected) {
  Result result(libpq().exec_params(connection_, sql.c_str(), static_cast<int>(values.size()), nullptr, values.data(),
                                    nullptr, nullptr, 0));
  const int status = libpq().result_status(result.get());
  if (status != (expected == 0 ? kCommandOk : expected)) fail(result.get(), remedy);
  return result;
}

void PostgresqlDatabase::close(const std::string& cursor) {
  const std::lock_guard lock(mutex_);
  const Result ignored(libpq().exec(connection_, ("close " + cursor).c_str()));
}

// One snapshot for all queries, and texts that do not depend on settings of the server or the user.
void PostgresqlDatabase::begin_reading() {
  if (std::exchange(reading_, true)) return;
  run("begin isolation level repeatable read, read only", "try again");
  for (const char* setting : {"datestyle = 'ISO, YMD'", "timezone = 'UTC'", "extra_float_digits = 3",
                              "bytea_output = 'hex'", "synchronize_seqscans = off", "cursor_tuple_fraction = 1"})
    run(fmt::format("set local {}", setting), "check the version of the server");
}

std::unique_ptr<Cursor> PostgresqlDatabase::execute(const std::string& query) {
  const std::lock_guard lock(mutex_);
  begin_reading();
  const std::string name = fmt::format("weft_{}", ++cursors_);
  run(fmt::format("declare {} no scroll cursor for {}", name, query), "check the query, a SELECT");
  return std::make_unique<PostgresqlCursor>(shared_from_this(), name);
}

std::vector<std::string> PostgresqlDatabase::tables() {
  const std::lock_guard lock(mutex_);
  const Result rolled_back(libpq().exec(connection_, "rollback"));  // the query that failed
  reading_ = false;
  const Result found =
      run("select case when pg_table_is_visible(c.oid) then relname else nspname || '.' || relname end from pg_class c "
          "join "
          "pg_namespace n on n.oid = relnamespace where relkind in ('r', 'p', 'v', 'm', 'f') and nspname not like "
          "'pg\\_%' and "
          "nspname <> 'information_schema' order by 1",
          "try again", {}, kTuplesOk);
  std::vector<std::string> names;
  for (int r = 0; r < libpq().ntuples(found.get()); ++r) names.emplace_back(libpq().getvalue(found.get(), r, 0));
  return names;
}

bool PostgresqlDatabase::has_table(bool& writable) {
  const std::string name = quoted_table(path_.table);
  const Result found =
      run("select to_regclass($1) is not null, coalesce(has_table_privilege(to_regclass($1), 'insert'), false)",
          "check the name of the table", {name.c_str()}, kTuplesOk);
  writable = *libpq().getvalue(found.get(), 0, 1) == 't';
  return *libpq().getvalue(found.get(), 0, 0) == 't';
}

void PostgresqlDatabase::check_writable() {
  const std::lock_guard lock(mutex_);
  run("begin", "try again");
  bool writable = true;
  const bool exists = has_table(writable);
  check_mode(path_, exists);
  if (exists && !writable)
    throw Error(ErrorKind::file, "this user may not insert rows into the table", path_.shown,
                "grant INSERT on it, or connect as another user");
  if (!exists) run("create table " + quoted_table(path_.table) + " ()", "connect as a user who may create tables");
  run("rollback", "try again");
}

void PostgresqlDatabase::store(const StoredTable& table) {
  const std::lock_guard lock(mutex_);
  const std::string name = quoted_table(path_.table);
  run("begin", "try again");
  bool writable = true;
  const bool exists = has_table(writable);
  check_mode(path_, exists);
  if (!exists) run(fmt::format("create table {} {}", name, column_list(table, &kPostgresqlTypes)), "check the table");
  const Result columns = run(fmt::format("select * from {} limit 0", name), "check the table", {}, kTuplesOk);
  std::vector<std::string> there;
  for (int c = 0; c < libpq().nfields(columns.get()); ++c) there.emplace_back(libpq().fname(columns.get(), c));
  check_stored_columns(table.names, there, path_.shown);
  if (path_.mode == "replace") run("delete from " + name, "check the table");
  copy(table);
  run("commit", "nothing was written; try again");
}

void PostgresqlDatabase::copy(const StoredTable& table) {
  const std::string sql = fmt::format("copy {} {} from stdin", quoted_table(path_.table), column_list(table));
  const Result started(libpq().exec(connection_, sql.c_str()));
  if (libpq().result_status(started.get()) != kCopyIn) fail(started.get(), "check the table");
  std::string rows;
  bool sent = true;
  while (sent && table.next(rows))
    sent = libpq().put_copy_data(connection_, rows.data(), static_cast<int>(rows.size())) == 1;
  if (!sent || libpq().put_copy_end(connection_, nullptr) != 1) fail(nullptr, "nothing was written; try again");
  const Result ended(libpq().get_result(connection_));
  if (libpq().result_status(ended.get()) != kCommandOk) fail(ended.get(), "nothing was written; check the table");
  while (const Result rest{libpq().get_result(connection_)}) continue;
}

}  // namespace

std::string postgresql_library() {
  const int version = libpq().lib_version();
  return fmt::format("{}.{}, {}", version / 10000, version % 10000, ClientLibrary::file_of(libpq().lib_version));
}

std::shared_ptr<Database> open_postgresql(const DatabasePath& path) {
  return std::make_shared<PostgresqlDatabase>(path);
}

}  // namespace weft::detail
