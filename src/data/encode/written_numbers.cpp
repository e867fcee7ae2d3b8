#include "data/encode/written_numbers.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "data/encode/categories.hpp"
#include "data/text.hpp"

namespace weft::detail {

namespace {

constexpr std::array<std::string_view, 9> kMarks = {"$", "€", "£", "¥", "USD", "EUR", "GBP", "CHF", "%"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The position behind the digits that begin there.
std::size_t digits_from(std::string_view text, std::size_t begin) {
  while (begin < text.size() && is_digit(text[begin])) ++begin;
  return begin;
}

/// The position behind groups of three digits, each after the same separator, that begin there.
std::size_t groups_from(std::string_view text, std::size_t at) {
  const char separator = at < text.size() ? text[at] : '\0';
  if (at > 3 || std::string_view(",.' ").find(separator) == std::string_view::npos) return at;
  while (at < text.size() && text[at] == separator && digits_from(text, at + 1) == at + 4) at += 4;
  return at;
}

std::string_view without_sign(std::string_view text) {
  return text.starts_with('-') || text.starts_with('+') ? trim(text.substr(1)) : text;
}

std::string_view without_mark_before(std::string_view text) {
  for (const std::string_view mark : kMarks)
    if (text.starts_with(mark)) return trim(text.substr(mark.size()));
  return text;
}

/// Also without a unit of letters.
std::string_view without_mark_behind(std::string_view text) {
  for (const std::string_view mark : kMarks)
    if (text.ends_with(mark)) return trim(text.substr(0, text.size() - mark.size()));
  const std::size_t blank = text.rfind(' ');
  if (blank == std::string_view::npos) return text;
  const std::string_view unit = text.substr(blank + 1);
  const bool letters =
      std::all_of(unit.begin(), unit.end(), [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
  return letters ? trim(text.substr(0, blank)) : text;
}

}  // namespace

bool is_written_number(std::string_view text) {
  if (parse_number(std::string(trim(text)))) return false;
  const std::string_view whole = without_sign(trim(text));
  const std::string_view bare = without_mark_behind(without_mark_before(whole));
  const bool marked = bare.size() < whole.size();
  text = without_sign(bare);
  const std::size_t first = digits_from(text, 0);
  std::size_t at = groups_from(text, first);
  const bool grouped = at > first;
  if (at < text.size() && (text[at] == '.' || text[at] == ',')) at = digits_from(text, at + 1);
  return first > 0 && at == text.size() && (marked || grouped);
}

std::string written_number_among(const std::vector<std::string>& texts) {
  constexpr std::ptrdiff_t kFewest = 10;
  const auto numbers =
      std::count_if(texts.begin(), texts.end(), [](const auto& text) { return is_written_number(text); });
  const auto all = static_cast<std::ptrdiff_t>(texts.size());
  if (numbers < kFewest || 10 * numbers < 9 * all) return "";
  return *std::find_if(texts.begin(), texts.end(), [](const auto& text) { return is_written_number(text); });
}

}  // namespace weft::detail
