// Rows of cells in JSON: {"age": 3, "city": "Ulm"}, [{…}, {…}], or [[3, "Ulm"], …] with the cells in the order of the
// model's columns. Missing cells are null.
#pragma once

#include <weft/row_predictor.hpp>

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/readers/na_values.hpp"

namespace weft::detail {

/// What the cells of a column were in training. Nothing is made of those of an unused column, which may be left out.
enum class CellRule { number, text, unused };

/// The columns of a row, and how its texts are read.
class RowColumns {
 public:
  /// `rules`: one per name. `na_values` as ReadOptions::na_values.
  RowColumns(std::vector<std::string> names, std::vector<CellRule> rules, std::string_view na_values);

  const std::vector<std::string>& names() const { return names_; }
  /// The position of a name; `expected` is looked at first. names().size(): there is none.
  std::size_t find(std::string_view name, std::size_t expected) const;
  /// A text of a table, or of JSON, as a cell of a CSV file: numbers and markers of missing cells are recognised.
  Cell cell(std::size_t column, std::string_view text) const;
  Cell cell(double number) const;
  bool needed(std::size_t column) const { return rules_[column] != CellRule::unused; }

 private:
  std::vector<std::string> names_;
  std::vector<CellRule> rules_;
  NaValues na_values_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
};

/// Calls consume(row, cells), rows counted from 0, for every row of the text. Throws Error(data), with the place, for a
/// text that is not such JSON, and Error(memory) for more than `most` rows. Columns that the model does not have are
/// passed over.
void for_each_json_row(std::string_view text, const RowColumns& columns, Index most,
                       const std::function<void(Index row, std::span<const Cell> cells)>& consume);

}  // namespace weft::detail
