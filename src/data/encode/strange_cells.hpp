// Cells of new rows that training did not prepare an encoder for, and what is said about them.
#pragma once

#include <weft/matrix.hpp>

#include <string>
#include <utility>
#include <vector>

namespace weft::detail {

/// Of one column.
struct StrangeCells {
  Index missing = 0;    ///< where training had no missing cell
  Index unseen = 0;     ///< categories that did not occur in training
  std::string example;  ///< the first of them
};

/// One line per kind that occurs, with counts by column.
std::vector<std::string> strange_cell_lines(const std::vector<std::pair<std::string, StrangeCells>>& columns);

/// "a 12, b 3, … (40 columns)"
std::string column_counts(const std::vector<std::pair<std::string, Index>>& counts);

}  // namespace weft::detail
