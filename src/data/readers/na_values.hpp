// The cells that the user calls missing (ReadOptions::na_values), besides those that always are.
#pragma once

#include "data/text.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace weft::detail {

class NaValues {
 public:
  /// Values separated by commas. Those that are numbers stand for the number, however a cell writes it.
  explicit NaValues(std::string_view list) : texts_(split_list(list)) {
    for (const std::string& text : texts_)
      if (double value = 0; parse_cell(text, value) == CellKind::number) numbers_.push_back(value);
  }

  bool hold(std::string_view cell) const { return std::find(texts_.begin(), texts_.end(), cell) != texts_.end(); }
  bool hold(double number) const { return std::find(numbers_.begin(), numbers_.end(), number) != numbers_.end(); }

  /// parse_cell, where these are missing too.
  CellKind parse(std::string_view cell, double& value, char decimal = '.') const {
    const CellKind kind = parse_cell(cell, value, decimal);
    if (!hold(cell) && !(kind == CellKind::number && hold(value))) return kind;
    return parse_cell("", value);
  }

 private:
  std::vector<std::string> texts_;
  std::vector<double> numbers_;
};

}  // namespace weft::detail
