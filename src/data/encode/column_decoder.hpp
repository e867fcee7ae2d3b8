// Reads the cells of one column as in training, however the table stores them.
#pragma once

#include <weft/data.hpp>

#include <limits>
#include <string>
#include <vector>

#include "data/encode/categories.hpp"
#include "data/encode/text_numbers.hpp"

namespace weft::detail {

/// Stands for a cell that cannot be read: a text that is not a number, an unseen category.
inline constexpr double kUnreadable = std::numeric_limits<double>::infinity();

/// A text as training understood it: the position of its category, or the number that it stands for where `categories`
/// is null; infinite where it is neither, NaN where it is missing.
double decode_text(const std::string& text, const Categories* categories, TextNumbers numbers);
/// The position of the category that is this number; infinite where there is none, NaN where it is missing.
double decode_number(double number, const Categories& categories);

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

  Index column_;
  bool text_;
  const Categories* categories_;
  TextNumbers numbers_;
  std::vector<double> by_code_;
};

}  // namespace weft::detail
