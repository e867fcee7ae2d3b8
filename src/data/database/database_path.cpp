#include "data/database/database_path.hpp"

#include <weft/database.hpp>
#include <weft/error.hpp>

#include "data/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace weft {

using namespace detail;

namespace {

constexpr std::string_view kSqlite = "sqlite:";
constexpr std::array<std::string_view, 2> kPostgresql = {"postgresql://", "postgres://"};

// The length of the scheme of a PostgreSQL URL that starts here; 0: none does.
std::size_t postgresql_scheme(std::string_view text) {
  for (const std::string_view scheme : kPostgresql)
    if (text.starts_with(scheme)) return scheme.size();
  return 0;
}

bool is_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

[[noreturn]] void throw_address(const std::string& what) {
  throw Error(
      ErrorKind::option, what, "the address of the database",
      "write postgresql://USER@HOST/DATABASE?table=NAME; in it @ is %40, : is %3A, / is %2F, ? is %3F, # is %23, "
      "& is %26 and % is %25");
}

std::string unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    int code = 0;
    const std::string_view digits = text.substr(i + 1, 2);
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (digits.size() != 2 || parsed.ptr != digits.data() + 2 || code == 0)
      throw_address("a % is not followed by the two digits of a character");
    result += static_cast<char>(code);
    i += 2;
  }
  return result;
}

// What libpq would misread, with a part of the password as host, port or database that its messages show.
void check_authority(std::string_view base, std::string& password) {
  const std::size_t slash = std::min(base.find('/'), base.size());
  const std::size_t at = base.find('@');
  if (at != std::string_view::npos && (at > slash || base.rfind('@') != at))
    throw_address("a special character in it is not escaped");
  const std::string_view user = at == std::string_view::npos ? std::string_view{} : base.substr(0, at);
  static_cast<void>(unescaped(user));
  if (const std::size_t colon = user.find(':'); colon != std::string_view::npos) password = user.substr(colon + 1);
  std::string_view hosts = base.substr(user.empty() ? 0 : at + 1, slash - (user.empty() ? 0 : at + 1));
  while (!hosts.empty()) {
    std::string_view host = hosts.substr(0, hosts.find(','));
    hosts.remove_prefix(std::min(hosts.size(), host.size() + 1));
    if (const std::size_t bracket = host.find(']'); bracket != std::string_view::npos) host.remove_prefix(bracket + 1);
    const std::size_t colon = host.find(':');
    if (colon != std::string_view::npos && !is_digits(host.substr(colon + 1)))
      throw_address("the port in it is not a number, or a special character is not escaped");
  }
}

struct Parameter {
  std::string key;
  std::string value;  // as written
};

std::vector<Parameter> split_parameters(std::string_view text) {
  std::vector<Parameter> parameters;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos) throw_address("a parameter in it has no =");
    parameters.push_back({std::string(one.substr(0, equals)), std::string(one.substr(equals + 1))});
  }
  return parameters;
}

// Takes the parameters that are weft's; the others are libpq's.
bool take_parameter(const Parameter& parameter, DatabasePath& path) {
  std::string* const to = parameter.key == "table"   ? &path.table
                          : parameter.key == "query" ? &path.query
                          : parameter.key == "mode"  ? &path.mode
                                                     : nullptr;
  if (to == nullptr) return false;
  *to = unescaped(parameter.value);
  if (to->empty()) throw_address(fmt::format("the parameter {} in it is empty", parameter.key));
  return true;
}

void append_parameter(std::string& url, const std::string& key, const std::string& value) {
  url += fmt::format("{}{}={}", url.find('?') == std::string::npos ? '?' : '&', key, value);
}

bool is_secret(const std::string& key) {
  return key.find("password") != std::string::npos;
}

// Where the password that starts behind a colon ends: at the @ before the host. npos: this is a port.
std::size_t end_of_password(std::string_view text, std::size_t from) {
  const std::size_t token = std::min(text.find_first_of("? \t\n\"'`", from), text.size());
  const std::size_t at = text.rfind('@', token);
  if (at != std::string_view::npos && at >= from) return at;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789", from), text.size());
  if (digits == token || text[digits] == '/' || text[digits] == ',') return std::string_view::npos;
  // Characters that should have been escaped: as much as may belong to it.
  const std::size_t line = std::min(text.find('\n', from), text.size());
  const std::size_t last = text.rfind('@', line);
  if (last != std::string_view::npos && last >= from) return last;
  return token < text.size() && text[token - 1] == ';' ? token - 1 : token;  // the remedy of a message follows
}

std::string without_url_passwords(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t scheme = postgresql_scheme(text);
    std::size_t colon = scheme == 0 ? std::string_view::npos : text.find_first_of(":/?@ \t\n\"'[", scheme);
    while (colon != std::string_view::npos && text[colon] == '@')
      colon = text.find_first_of(":/?@ \t\n\"'[", colon + 1);
    if (colon != std::string_view::npos && text[colon] == '[') colon = text.find(':', text.find(']', colon));
    const bool found = colon != std::string_view::npos && text[colon] == ':';
    const std::size_t end = found ? end_of_password(text, colon + 1) : std::string_view::npos;
    result += text.substr(0, end == std::string_view::npos ? 1 : colon);
    text.remove_prefix(end == std::string_view::npos ? 1 : end);
  }
  return result;
}

std::string without_password_settings(const std::string& text) {
  constexpr std::string_view kWord = "password";
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  std::string result;
  for (auto at = text.begin();;) {
    const auto found = std::search(at, text.end(), kWord.begin(), kWord.end(), same);
    if (found == text.end()) return result.append(at, text.end());
    auto value = std::find_if(found + kWord.size(), text.end(), [](char c) { return c != ' '; });
    if (value == text.end() || *value != '=') {
      result.append(at, found + kWord.size());
      at = found + kWord.size();
      continue;
    }
    value = std::find_if(value + 1, text.end(), [](char c) { return c != ' '; });
    result.append(at, value).append("***");
    const bool quoted = value != text.end() && *value == '\'';
    const std::string_view ends = quoted ? "'" : "& \t\n\"'";
    at = std::find_first_of(value + (quoted ? 1 : 0), text.end(), ends.begin(), ends.end());
    if (quoted && at != text.end()) ++at;
  }
}

}  // namespace

bool is_database(const std::string& path) {
  return path.starts_with(kSqlite) || postgresql_scheme(path) > 0;
}

std::string without_passwords(const std::string& text) {
  return without_password_settings(without_url_passwords(text));
}

std::string table_file(const std::string& path) {
  if (!is_database(path)) return path;
  const DatabasePath parsed = parse_database_path(path);
  return parsed.postgresql ? "" : parsed.connection;
}

bool same_database_table(const std::string& one, const std::string& other) {
  const DatabasePath a = parse_database_path(one);
  const DatabasePath b = parse_database_path(other);
  if (a.postgresql != b.postgresql || a.table.empty() || a.table != b.table) return false;
  std::error_code unknown;
  return a.connection == b.connection ||
         (!a.postgresql && std::filesystem::equivalent(a.connection, b.connection, unknown));
}

namespace detail {

DatabasePath parse_database_path(const std::string& path) {
  DatabasePath result;
  const std::size_t scheme = postgresql_scheme(path);
  result.postgresql = scheme > 0;
  const std::size_t start = result.postgresql ? scheme : kSqlite.size();
  const std::size_t mark = std::min(path.find('?', start), path.size());
  const std::string base = path.substr(start, mark - start);
  if (result.postgresql) check_authority(base, result.password);
  if (!result.postgresql && base.empty())
    throw Error(ErrorKind::option, "no file is named", path, "write sqlite:FILE?table=NAME");
  result.connection = result.postgresql ? path.substr(0, mark) : base;
  result.shown = without_passwords(path.substr(0, mark));
  for (const Parameter& parameter : split_parameters(std::string_view(path).substr(std::min(path.size(), mark + 1)))) {
    const bool own = take_parameter(parameter, result);
    if (!own && !result.postgresql)
      throw Error(ErrorKind::option, fmt::format("there is no parameter {}", shown(parameter.key)), result.shown,
                  "the parameters are table, query and, for a table that is written, mode");
    if (!own) append_parameter(result.connection, parameter.key, parameter.value);
    if (!own && is_secret(parameter.key)) result.password = parameter.value;
    if ((!own && !is_secret(parameter.key)) || parameter.key == "table")
      append_parameter(result.shown, parameter.key, parameter.value);
  }
  if (!result.mode.empty() && result.mode != "append" && result.mode != "replace")
    throw Error(ErrorKind::option, fmt::format("there is no mode {}", shown(result.mode)), result.shown,
                "the modes are append and replace");
  return result;
}

std::string quoted_name(const std::string& column) {
  std::string result = "\"";
  for (const char c : column) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

std::string quoted_table(const std::string& table) {
  const std::size_t dot = table.find('.');
  if (dot == std::string::npos) return quoted_name(table);
  return quoted_name(table.substr(0, dot)) + "." + quoted_name(table.substr(dot + 1));
}

}  // namespace detail

}  // namespace weft
