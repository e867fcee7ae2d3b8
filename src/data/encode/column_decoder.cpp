#include "data/encode/column_decoder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::detail {

namespace {

constexpr double kUnreadable = std::numeric_limits<double>::infinity();

double position_or_unreadable(Index position) {
  return position == Categories::kUnseen ? kUnreadable : static_cast<double>(position);
}

}  // namespace

void ColumnDecoder::learn(const RowReader& reader) {
  if (!text_) return;
  const std::vector<std::string>& dictionary = reader.dictionary(column_);
  for (std::size_t code = by_code_.size(); code < dictionary.size(); ++code)
    by_code_.push_back(decode_text(dictionary[code]));
}

void ColumnDecoder::decode(View<const double> columns, double* values) const {
  const Index rows = columns.cols;
  if (column_ == kAbsent) {
    std::fill_n(values, rows, categories_ == nullptr ? 0.0 : decode_number(0));
    return;
  }
  const double* const cells = columns.row(column_);
  if (text_) {
    for (Index i = 0; i < rows; ++i)
      values[i] = std::isnan(cells[i]) ? cells[i] : by_code_[static_cast<std::size_t>(cells[i])];
  } else if (categories_ != nullptr) {
    for (Index i = 0; i < rows; ++i) values[i] = decode_number(cells[i]);
  } else if (numbers_ == TextNumbers::dates) {
    for (Index i = 0; i < rows; ++i) values[i] = std::isnan(cells[i]) ? cells[i] : kUnreadable;
  } else {
    std::copy_n(cells, rows, values);
  }
}

std::string ColumnDecoder::text_of(double cell, const RowReader& reader) const {
  return text_ ? reader.dictionary(column_)[static_cast<std::size_t>(cell)] : shortest_text(cell);
}

double ColumnDecoder::decode_text(const std::string& text) const {
  if (categories_ != nullptr) return position_or_unreadable(categories_->find(text));
  return text_number(numbers_, text);
}

double ColumnDecoder::decode_number(double number) const {
  return std::isnan(number) ? number : position_or_unreadable(categories_->find(number));
}

}  // namespace weft::detail
