#include <weft/data.hpp>

#include "data/readers/find_column.hpp"
#include "data/text.hpp"

#include <algorithm>
#include <cmath>

namespace weft {

using namespace detail;

namespace {

class OneAgainstRest final : public RowReader {
 public:
  OneAgainstRest(std::unique_ptr<RowReader> reader, const std::string& column, std::string positive)
      : reader_(std::move(reader)), columns_(reader_->columns()), positive_(std::move(positive)) {
    at_ = find_column(columns_, column, "target", "");
    was_text_ = columns_[static_cast<std::size_t>(at_)].text;
    columns_[static_cast<std::size_t>(at_)].text = false;
  }

  const std::vector<Column>& columns() const override { return columns_; }
  const std::vector<std::string>& dictionary(Index column) const override { return reader_->dictionary(column); }
  std::string place(Index row_in_block, Index column) const override { return reader_->place(row_in_block, column); }
  void read_as_text(const std::vector<std::string>& columns) override { reader_->read_as_text(columns); }
  bool absent_is_zero(const std::string& column) const override { return reader_->absent_is_zero(column); }
  double fraction() const override { return reader_->fraction(); }

  bool next(RawBlock& block, Index max_rows) override {
    RawBlock source;
    if (!reader_->next(source, max_rows)) return false;
    cells_.reshape(source.columns.rows, source.rows());
    for (Index c = 0; c < cells_.rows(); ++c) std::copy_n(source.columns.row(c), source.rows(), cells_.row(c));
    for (Index i = 0; i < source.rows(); ++i) {
      double& cell = cells_(at_, i);
      if (!std::isnan(cell)) cell = is_positive(cell) ? 1 : 0;
    }
    block.columns = cells_;
    block.first_row = source.first_row;
    return true;
  }

 private:
  bool is_positive(double cell) const {
    if (was_text_) return reader_->dictionary(at_)[static_cast<std::size_t>(cell)] == positive_;
    double number = 0;
    return parse_cell(positive_, number) == CellKind::number && number == cell;
  }

  std::unique_ptr<RowReader> reader_;
  std::vector<Column> columns_;
  std::string positive_;
  Index at_ = 0;
  bool was_text_ = false;
  Matrix cells_;
};

}  // namespace

Data one_against_rest(const Data& data, const std::string& column, const std::string& positive) {
  return {data.name(), data.options(), [=]() -> std::unique_ptr<RowReader> {
            return std::make_unique<OneAgainstRest>(data.open(), column, positive);
          }};
}

}  // namespace weft
