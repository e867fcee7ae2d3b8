#include <weft/data.hpp>

#include <algorithm>

namespace weft {

namespace {

class SelectedRows final : public RowReader {
 public:
  SelectedRows(std::unique_ptr<RowReader> reader, std::function<bool(Index)> keep)
      : reader_(std::move(reader)), keep_(std::move(keep)) {}

  const std::vector<Column>& columns() const override { return reader_->columns(); }
  const std::vector<std::string>& dictionary(Index column) const override { return reader_->dictionary(column); }
  std::string place(Index row_in_block, Index column) const override {
    return reader_->place(origin_[static_cast<std::size_t>(row_in_block)], column);
  }
  void read_as_text(const std::vector<std::string>& columns) override { reader_->read_as_text(columns); }
  bool absent_is_zero(const std::string& column) const override { return reader_->absent_is_zero(column); }
  double fraction() const override { return reader_->fraction(); }

  bool next(RawBlock& block, Index max_rows) override {
    // A block of the table becomes a block of the selection, so that place() can ask the reader.
    RawBlock source;
    origin_.clear();
    while (origin_.empty()) {
      if (!reader_->next(source, max_rows)) return false;
      for (Index i = 0; i < source.rows(); ++i)
        if (keep_(source.first_row + i)) origin_.push_back(i);
    }
    cells_.reshape(source.columns.rows, static_cast<Index>(origin_.size()));
    for (Index c = 0; c < cells_.rows(); ++c) {
      const double* const from = source.columns.row(c);
      double* const to = cells_.row(c);
      for (std::size_t i = 0; i < origin_.size(); ++i) to[i] = from[origin_[i]];
    }
    block.columns = cells_;
    block.first_row = delivered_;
    delivered_ += block.rows();
    return true;
  }

 private:
  std::unique_ptr<RowReader> reader_;
  std::function<bool(Index)> keep_;
  std::vector<Index> origin_;  // row within the reader's block of each row delivered last
  Matrix cells_;
  Index delivered_ = 0;
};

}  // namespace

Data select_rows(const Data& data, std::function<bool(Index row)> keep) {
  return {data.name(), data.options(), [data, keep = std::move(keep)]() -> std::unique_ptr<RowReader> {
            return std::make_unique<SelectedRows>(data.open(), keep);
          }};
}

Data select_rows(const Data& data, std::vector<std::uint8_t> marks, std::uint8_t wanted) {
  const auto shared = std::make_shared<const std::vector<std::uint8_t>>(std::move(marks));
  return select_rows(data, [shared, wanted](Index row) { return (*shared)[static_cast<std::size_t>(row)] == wanted; });
}

}  // namespace weft
