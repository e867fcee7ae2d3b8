#include "data/readers/find_column.hpp"

#include "data/text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft::detail {

namespace {

constexpr std::size_t kMostNames = 10;

// Levenshtein's distance, case ignored.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const bool same =
          std::tolower(static_cast<unsigned char>(a[i])) == std::tolower(static_cast<unsigned char>(b[j]));
      const std::size_t substituted = diagonal + (same ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

std::string name_hint(const std::vector<Column>& columns, const std::string& wanted) {
  std::vector<std::pair<std::size_t, std::string>> names;
  const bool all = columns.size() <= kMostNames;
  for (const Column& column : columns) names.emplace_back(all ? 0 : distance(column.name, wanted), column.name);
  std::stable_sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  names.resize(std::min(names.size(), kMostNames));
  std::vector<std::string> texts;
  for (const auto& name : names) texts.push_back(name.second);
  return fmt::format("{} {}", all ? "the columns are" : "the nearest names are", fmt::join(texts, ", "));
}

// Saturates: a number too large for Index is beyond any table.
bool is_integer(const std::string& text, Index& value) {
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec == std::errc::result_out_of_range) value = std::numeric_limits<Index>::max();
  return result.ec != std::errc::invalid_argument && result.ptr == end;
}

std::optional<Index> position_in(const std::vector<Column>& columns, const std::string& text) {
  Index index = 0;
  const auto count = static_cast<Index>(columns.size());
  if (!is_integer(text, index) || index >= count || index < -count) return std::nullopt;
  return index < 0 ? index + count : index;
}

[[noreturn]] void throw_no_column(const std::vector<Column>& columns, const std::string& name_or_index,
                                  const std::string& option, const std::string& place) {
  const auto count = static_cast<Index>(columns.size());
  Index index = 0;
  const std::string hint = is_integer(name_or_index, index)
                               ? fmt::format("positions go from 0 to {}, or from -1 down to {}", count - 1, -count)
                               : name_hint(columns, name_or_index);
  throw Error(ErrorKind::option, fmt::format("{}: there is no column {}", option_mark(option), shown(name_or_index)),
              place, hint);
}

}  // namespace

ColumnNames::ColumnNames(const std::vector<Column>& columns) : columns_(columns) {
  positions_.reserve(columns.size());
  for (const Column& column : columns) positions_.emplace(column.name, static_cast<Index>(&column - columns.data()));
}

std::optional<Index> ColumnNames::find(std::string_view name) const {
  const auto found = positions_.find(name);
  return found == positions_.end() ? std::nullopt : std::optional<Index>(found->second);
}

std::optional<Index> ColumnNames::look_up(const std::string& name_or_index) const {
  const auto found = find(name_or_index);
  return found ? found : position_in(columns_, name_or_index);
}

Index ColumnNames::get(const std::string& name_or_index, const std::string& option, const std::string& place) const {
  if (const auto found = look_up(name_or_index)) return *found;
  throw_no_column(columns_, name_or_index, option, place);
}

std::optional<Index> look_up_column(const std::vector<Column>& columns, const std::string& name_or_index) {
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (columns[c].name == name_or_index) return static_cast<Index>(c);
  return position_in(columns, name_or_index);
}

Index find_column(const std::vector<Column>& columns, const std::string& name_or_index, const std::string& option,
                  const std::string& place) {
  if (const auto found = look_up_column(columns, name_or_index)) return *found;
  throw_no_column(columns, name_or_index, option, place);
}

}  // namespace weft::detail
