#include "data/encode/column_decoder.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

namespace {

double position_or_unreadable(Index position) {
  return position == Categories::kUnseen ? kUnreadable : static_cast<double>(position);
}

}  // namespace

double decode_text(const std::string& text, const Categories* categories, TextNumbers numbers) {
  if (categories != nullptr) return position_or_unreadable(categories->find(text));
  return text_number(numbers, text);
}

double decode_number(double number, const Categories& categories) {
  return std::isnan(number) ? number : position_or_unreadable(categories.find(number));
}

void ColumnDecoder::learn(const RowReader& reader) {
  if (!text_) return;
  const std::vector<std::string>& dictionary = reader.dictionary(column_);
  for (std::size_t code = by_code_.size(); code < dictionary.size(); ++code)
    by_code_.push_back(decode_text(dictionary[code], categories_, numbers_));
}

void ColumnDecoder::decode(View<const double> columns, double* values) const {
  const Index rows = columns.cols;
  if (column_ == kAbsent) {
    std::fill_n(values, rows, categories_ == nullptr ? 0.0 : decode_number(0, *categories_));
    return;
  }
  const double* const cells = columns.row(column_);
  if (text_) {
    for (Index i = 0; i < rows; ++i)
      values[i] = std::isnan(cells[i]) ? cells[i] : by_code_[static_cast<std::size_t>(cells[i])];
  } else if (categories_ != nullptr) {
    for (Index i = 0; i < rows; ++i) values[i] = decode_number(cells[i], *categories_);
  } else if (numbers_ == TextNumbers::dates) {
    for (Index i = 0; i < rows; ++i) values[i] = std::isnan(cells[i]) ? cells[i] : kUnreadable;
  } else {
    std::copy_n(cells, rows, values);
  }
}

std::string ColumnDecoder::text_of(double cell, const RowReader& reader) const {
  return text_ ? reader.dictionary(column_)[static_cast<std::size_t>(cell)] : shortest_text(cell);
}

}  // namespace weft::detail
