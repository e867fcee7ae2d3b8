// One row of cells to the inputs of a feature map, by the rules that blocks of rows follow.
#pragma once

#include <weft/encoder.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/encode/column_decoder.hpp"
#include "data/encode/variable_inputs.hpp"

namespace weft::detail {

class RowEncoder {
 public:
  explicit RowEncoder(const Encoder& encoder);

  const std::vector<std::string>& columns() const { return columns_; }
  Index inputs() const { return inputs_; }
  /// Writes the inputs of one variable to column 0 of x (inputs × 1). `number` counts where `text` is none.
  StrangeCounts write(Index variable, double number, std::optional<std::string_view> text, Matrix& x) const;
  /// To be called once per row, before its variables.
  void begin(Matrix& x) const;

 private:
  double decode(const Variable& variable, double number, const std::optional<std::string_view>& text) const;

  Encoder encoder_;
  Index inputs_;
  std::vector<std::string> columns_;
  std::vector<Index> first_row_;  // of the inputs of each variable
};

}  // namespace weft::detail
