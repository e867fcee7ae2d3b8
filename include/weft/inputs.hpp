// The input columns of a feature map.
#pragma once

#include <weft/matrix.hpp>

#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

/// The encoded variables. A categorical variable owns several columns (one per category);
/// sparse projections and stumps choose variables, not columns. The bias, where there is one, is the last column.
struct Inputs {
  std::vector<std::string> names;  ///< one per column: "age", "sex=F", …, "(bias)"
  std::vector<Index> variable_of;  ///< column → variable, 0-based, nondecreasing; the bias column is -1
  bool bias = false;
  /// One per variable, at least one positive: how often sparse projections and stumps draw it; empty: all alike.
  std::vector<double> shares = {};

  Index columns() const { return static_cast<Index>(variable_of.size()); }
  Index variables() const {
    return columns() == (bias ? 1 : 0) ? 0 : variable_of[static_cast<std::size_t>(columns() - (bias ? 2 : 1))] + 1;
  }

  /// n plain numeric columns, optionally followed by a bias column.
  static Inputs plain(Index n, bool bias = false);
};

}  // namespace weft
