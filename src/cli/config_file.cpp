#include "cli/config_file.hpp"

#include <weft/error.hpp>

#include <algorithm>
#include <cctype>
#include <fstream>

#include <fmt/ranges.h>

namespace weft::cli {

namespace {

/// What is left of one line.
class ConfigLine {
 public:
  ConfigLine(std::string text, std::string place) : text_(std::move(text)), place_(std::move(place)) {}

  /// The next character that is not blank; 0 at the end of the line or before a comment.
  char peek() {
    at_ = std::min(text_.find_first_not_of(" \t\r", at_), text_.size());
    return at_ == text_.size() || text_[at_] == '#' ? '\0' : text_[at_];
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) refuse(fmt::format("'{}' is missing", c));
  }
  void end() {
    if (peek() != '\0') refuse(fmt::format("cannot read '{}'", text_.substr(at_)));
  }

  std::vector<std::string> values() {
    if (!take('[')) return {scalar()};
    std::vector<std::string> all;
    while (!take(']')) {
      all.push_back(scalar());
      if (peek() != ']') expect(',');
    }
    return all;
  }

  std::string scalar() {
    const char quote = peek();
    if (quote != '"' && quote != '\'') return word();
    std::string text;
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_)
      text += quote == '"' && text_[at_] == '\\' ? escaped() : text_[at_];
    if (at_ == text_.size()) refuse("a string has no end");
    ++at_;
    return text;
  }

  /// A key, a number, true or false.
  std::string word() {
    peek();
    const std::size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                  std::string_view("+-_.").find(text_[at_]) != std::string_view::npos))
      ++at_;
    if (at_ == start) refuse("a key or a value is missing");
    return text_.substr(start, at_ - start);
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorKind::data, what, place_, "write lines such as target = \"price\", holdout = 0.25 or auto = true");
  }

 private:
  char escaped() {
    if (++at_ == text_.size()) refuse("a string has no end");
    switch (text_[at_]) {
      case '"':
      case '\\':
        return text_[at_];
      case 'n':
        return '\n';
      case 't':
        return '\t';
      case 'r':
        return '\r';
      default:
        refuse(fmt::format("'\\{}' is not known in a string", text_[at_]));
    }
  }

  std::string text_;
  std::string place_;
  std::size_t at_ = 0;
};

/// Numbers of TOML are written as they are; anything else is a string.
bool is_toml_number(const std::string& text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t start = at;
    while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0) ++at;
    return at - start;
  };
  const bool zero = at < text.size() && text[at] == '0';
  const std::size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) return false;
  if (at < text.size() && text[at] == '.' && (++at, digits() == 0)) return false;
  if (at < text.size() && text[at] == 'e') {
    ++at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    if (digits() == 0) return false;
  }
  return at == text.size();
}

std::string toml_value(const std::string& value) {
  if (value == "true" || value == "false" || is_toml_number(value)) return value;
  std::string text = "\"";
  for (const char c : value) {
    const std::size_t known = std::string_view("\"\\\n\t\r").find(c);
    text += known == std::string_view::npos ? std::string(1, c) : std::string("\\") + "\"\\ntr"[known];
  }
  return text + '"';
}

}  // namespace

std::vector<ConfigEntry> read_config(const std::string& path) {
  std::ifstream file(path);
  if (!file || file.peek() == std::ifstream::traits_type::eof())
    throw Error(ErrorKind::file, "cannot be read or is empty", path, "weft train --print-config writes such a file");
  std::vector<ConfigEntry> entries;
  std::string section;
  std::string text;
  for (int number = 1; std::getline(file, text); ++number) {
    ConfigEntry entry{section, {}, {}, fmt::format("{}:{}", path, number)};
    ConfigLine line(text, entry.place);
    if (line.peek() == '\0') continue;
    if (line.take('[')) {
      section = line.word();
      line.expect(']');
      line.end();
      continue;
    }
    entry.key = line.word();
    std::replace(entry.key.begin(), entry.key.end(), '_', '-');
    line.expect('=');
    entry.values = line.values();
    line.end();
    for (const ConfigEntry& other : entries)
      if (other.section == section && other.key == entry.key)
        line.refuse(fmt::format("'{}' was given before ({})", entry.key, other.place));
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::string config_line(const std::string& key, const std::vector<std::string>& values) {
  std::vector<std::string> texts;
  for (const std::string& value : values) texts.push_back(toml_value(value));
  return values.size() == 1 ? fmt::format("{} = {}\n", key, texts.front())
                            : fmt::format("{} = [{}]\n", key, fmt::join(texts, ", "));
}

}  // namespace weft::cli
