// A range of a table's rows, as a table of its own.
#include "data/rows/forwarding_reader.hpp"

#include <algorithm>

namespace weft {

void RowReader::skip(Index rows) {
  constexpr Index kRowsAtOnce = 4096;
  for (RawBlock block; rows > 0 && next(block, std::min(rows, kRowsAtOnce));) rows -= block.rows();
}

namespace {

class RowRange final : public detail::ForwardingReader {
 public:
  RowRange(std::unique_ptr<RowReader> reader, Index begin, Index end)
      : ForwardingReader(std::move(reader)), begin_(begin), rows_(end - begin) {}

  double fraction() const override { return static_cast<double>(delivered_) / static_cast<double>(rows_); }

  bool next(RawBlock& block, Index max_rows) override {
    if (!started_) inner().skip(begin_);
    started_ = true;
    if (delivered_ == rows_ || !inner().next(block, std::min(max_rows, rows_ - delivered_))) return false;
    block.first_row = delivered_;
    delivered_ += block.rows();
    return true;
  }

 private:
  Index begin_;
  Index rows_;
  bool started_ = false;
  Index delivered_ = 0;
};

}  // namespace

Data Data::rows(Index begin, Index end) const {
  begin = std::max<Index>(0, begin);
  end = std::max(begin, end);
  return {name_, options_, [data = *this, begin, end]() -> std::unique_ptr<RowReader> {
            return std::make_unique<RowRange>(data.open(), begin, end);
          }};
}

}  // namespace weft
