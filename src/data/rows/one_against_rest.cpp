#include <weft/data.hpp>

#include "data/readers/find_column.hpp"
#include "data/rows/forwarding_reader.hpp"
#include "data/text.hpp"

#include <algorithm>
#include <cmath>

namespace weft {

using namespace detail;

namespace {

class OneAgainstRest final : public ForwardingReader {
 public:
  OneAgainstRest(std::unique_ptr<RowReader> reader, const std::string& column, std::string positive)
      : ForwardingReader(std::move(reader)), columns_(inner().columns()), positive_(std::move(positive)) {
    at_ = find_column(columns_, column, "target", "");
    was_text_ = columns_[static_cast<std::size_t>(at_)].text;
    columns_[static_cast<std::size_t>(at_)].text = false;
  }

  const std::vector<Column>& columns() const override { return columns_; }

  bool next(RawBlock& block, Index max_rows) override {
    RawBlock source;
    if (!inner().next(source, max_rows)) return false;
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
    if (was_text_) return inner().dictionary(at_)[static_cast<std::size_t>(cell)] == positive_;
    double number = 0;
    return parse_cell(positive_, number) == CellKind::number && number == cell;
  }

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
