// Text utilities.
#pragma once

#include <weft/matrix.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace weft::detail {

inline bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

inline std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The parts between commas, trimmed; none for a blank text.
std::vector<std::string> split_list(std::string_view text);

/// A piece of the user's data for a one-line message: quoted, shortened, control characters replaced.
std::string shown(std::string_view text);

enum class CellKind { number, missing, infinite, text };

/// Reads a trimmed cell. Missing are the empty cell and NA, N/A, NaN, null, None, ?, -, ., #N/A, \N in any case;
/// `value` is then NaN.
CellKind parse_cell(std::string_view cell, double& value, char decimal = '.');

/// More table columns than this indicate an error in the file: dense rows could not hold them.
inline constexpr Index kMaxColumns = 1'000'000;

/// Rows of a block that keep it within 64 MiB, however many were asked for.
inline Index block_rows(Index asked, Index columns) {
  constexpr Index kMaxRows = Index{1} << 16;
  constexpr Index kMaxCells = Index{1} << 23;
  return std::max<Index>(1, std::min({asked, kMaxRows, kMaxCells / std::max<Index>(1, columns)}));
}

}  // namespace weft::detail
