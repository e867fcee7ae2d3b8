#include "data/text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include <fast_float/fast_float.h>

namespace weft::detail {

namespace {

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() && std::equal(text.begin(), text.end(), lower.begin(), [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) == b;
         });
}

bool is_missing_marker(std::string_view cell) {
  if (cell.empty()) return true;
  if (cell.size() > 4) return false;
  for (const char* marker : {"na", "n/a", "nan", "null", "none", "?", "-", ".", "#n/a", "\\n"})
    if (equals_ignoring_case(cell, marker)) return true;
  return false;
}

}  // namespace

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  if (trim(text).empty()) return parts;
  for (;;) {
    const std::size_t comma = text.find(',');
    parts.emplace_back(trim(text.substr(0, comma)));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string result = "'";
  for (const char c : text.substr(0, kLongest)) result += static_cast<unsigned char>(c) < ' ' || c == 127 ? '?' : c;
  return result + (text.size() > kLongest ? "…'" : "'");
}

CellKind parse_cell(std::string_view cell, double& value, char decimal) {
  value = std::numeric_limits<double>::quiet_NaN();
  if (is_missing_marker(cell)) return CellKind::missing;
  // fast_float follows std::from_chars, which takes no plus sign.
  if (cell.front() == '+' && cell.size() > 1 && cell[1] != '-') cell.remove_prefix(1);
  double parsed = 0;
  const char* end = cell.data() + cell.size();
  const fast_float::parse_options format(fast_float::chars_format::general, decimal);
  const auto result = fast_float::from_chars_advanced(cell.data(), end, parsed, format);
  if (result.ec == std::errc::invalid_argument || result.ptr != end) return CellKind::text;
  if (std::isnan(parsed)) return CellKind::missing;
  if (std::isinf(parsed)) return CellKind::infinite;
  value = parsed;
  return CellKind::number;
}

}  // namespace weft::detail
