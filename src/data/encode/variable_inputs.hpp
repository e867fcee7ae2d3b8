// The inputs of one variable, from its decoded cells: for blocks of rows and for single ones.
#pragma once

#include "data/encode/column_role.hpp"

#include <cmath>

namespace weft::detail {

/// Cells that are not as in training.
struct StrangeCounts {
  Index missing = 0;  ///< where training had none, if missing cells are to be indicated
  Index unseen = 0;   ///< categories
};

/// Whether a decoded cell (ColumnDecoder) of an input can be encoded.
inline bool usable_input(Role role, double value, const EncodeOptions& options) {
  if (std::isnan(value)) return options.missing != MissingCells::error;
  return std::isfinite(value) || (has_words(role) && options.unseen == UnseenCategories::ignore);
}

/// Writes the inputs of usable cells from row `first_row` and column `first` of x (inputs × rows) on. `values` are
/// decoded; missing ones are replaced where the rule says so. `folds`: as ManyLevels::write has them.
StrangeCounts write_variable(const Variable& variable, MissingCells rule, double* values, const Index* folds,
                             Index rows, Matrix& x, Index first_row, Index first);

}  // namespace weft::detail
