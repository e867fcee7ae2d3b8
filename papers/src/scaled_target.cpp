#include "scaled_target.hpp"

#include <weft/error.hpp>

#include <algorithm>
#include <cmath>

namespace weft::papers {

namespace {

Index target_column(const RowReader& reader, const std::string& name) {
  const auto& columns = reader.columns();
  const auto found =
      std::find_if(columns.begin(), columns.end(), [](const Column& column) { return column.name == "target"; });
  if (found == columns.end()) throw Error(ErrorKind::data, "no column is called target", name);
  return found - columns.begin();
}

class ScaledTarget final : public RowReader {
 public:
  ScaledTarget(const Data& data, const TargetScale& scale)
      : reader_(data.open()), scale_(scale), at_(target_column(*reader_, data.name())) {}

  const std::vector<Column>& columns() const override { return reader_->columns(); }
  const std::vector<std::string>& dictionary(Index column) const override { return reader_->dictionary(column); }
  bool next(RawBlock& block, Index max_rows) override {
    RawBlock source;
    if (!reader_->next(source, max_rows)) return false;
    cells_.reshape(source.columns.rows, source.rows());
    for (Index c = 0; c < cells_.rows(); ++c) std::copy_n(source.columns.row(c), source.rows(), cells_.row(c));
    for (Index i = 0; i < source.rows(); ++i) cells_(at_, i) = (cells_(at_, i) - scale_.mean) / scale_.deviation;
    block.columns = cells_;
    block.first_row = source.first_row;
    return true;
  }
  void skip(Index rows) override { reader_->skip(rows); }
  std::string place(Index row_in_block, Index column) const override { return reader_->place(row_in_block, column); }
  void read_as_text(const std::vector<std::string>& columns) override { reader_->read_as_text(columns); }
  double fraction() const override { return reader_->fraction(); }

 private:
  std::unique_ptr<RowReader> reader_;
  TargetScale scale_;
  Index at_;
  Matrix cells_;
};

}  // namespace

TargetScale target_scale(const Data& data) {
  const auto reader = data.open();
  const Index at = target_column(*reader, data.name());
  double count = 0, mean = 0, squares = 0;  // Welford: targets such as years have a mean far from 0
  RawBlock block;
  while (reader->next(block, 4096))
    for (Index i = 0; i < block.rows(); ++i) {
      const double before = block.columns(at, i) - mean;
      mean += before / ++count;
      squares += before * (block.columns(at, i) - mean);
    }
  return {mean, std::sqrt(squares / count)};
}

Data with_scaled_target(const Data& data, const TargetScale& scale) {
  return {data.name(), data.options(),
          [=]() -> std::unique_ptr<RowReader> { return std::make_unique<ScaledTarget>(data, scale); }};
}

}  // namespace weft::papers
