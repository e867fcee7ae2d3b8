// Reads the cells of one column as in training, however the table stores them.
#pragma once

#include <weft/data.hpp>

#include <string>
#include <vector>

#include "data/encode/categories.hpp"
#include "data/encode/text_numbers.hpp"

namespace weft::detail {

/// A cell becomes a number (dates: seconds) or, for a column with categories, the position of its category. Missing
/// cells stay NaN; a cell that cannot be read (a text that is not a number, an unseen category) becomes infinite. Text
/// codes go through a table that is extended once per dictionary entry, so no text is touched per cell.
class ColumnDecoder {
 public:
  /// `categories` null: numbers, which texts may stand for. `text`: the table stores codes of a dictionary.
  ColumnDecoder(Index column, bool text, const Categories* categories, TextNumbers numbers = TextNumbers::plain)
      : column_(column), text_(text), categories_(categories), numbers_(numbers) {}

  /// A column of zeros that the table leaves out.
  static ColumnDecoder zeros(const Categories* categories) { return {kAbsent, false, categories}; }

  Index column() const { return column_; }

  /// To be called before a block is decoded: the dictionary grows while reading.
  void learn(const RowReader& reader);
  /// One value per row of `columns` (columns of the table × rows).
  void decode(View<const double> columns, double* values) const;
  /// The text of the cell, for messages.
  std::string text_of(double cell, const RowReader& reader) const;

 private:
  static constexpr Index kAbsent = -1;

  double decode_text(const std::string& text) const;
  double decode_number(double number) const;

  Index column_;
  bool text_;
  const Categories* categories_;
  TextNumbers numbers_;
  std::vector<double> by_code_;
};

}  // namespace weft::detail
