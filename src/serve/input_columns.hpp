// What a row of a model's table looks like, as far as its encoder knows: for a form, a schema and a row to compare
// with.
#pragma once

#include <weft/model.hpp>

#include <optional>
#include <string>
#include <vector>

namespace weft::detail {

struct InputColumn {
  std::string name;
  const char* kind = "number";  ///< or "category", "boolean", "date", "unused"
  std::string typical = {};     ///< a cell: the mean, the most frequent category, the first date
  /// Of a number: the range in training, or, where it was standardised, three standard deviations around the mean.
  std::optional<double> low = {}, high = {};
  bool whole = false;                        ///< of a number: all that is known of it are whole numbers
  std::vector<std::string> categories = {};  ///< and the words of a boolean
  std::optional<double> relevance = {};
};

/// In the order of the training table.
std::vector<InputColumn> input_columns(const Model& model);

/// One row of typical cells.
Data typical_row(const std::vector<InputColumn>& columns);

}  // namespace weft::detail
