#include <weft/encoder.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/encode/encoder_state.hpp"

namespace weft {

using namespace detail;

namespace {

class LabelledRows final : public RowReader {
 public:
  LabelledRows(std::unique_ptr<RowReader> reader, std::vector<Index> targets, std::string name, const Run& run)
      : reader_(std::move(reader)), targets_(std::move(targets)), name_(std::move(name)), run_(run) {}

  const std::vector<Column>& columns() const override { return reader_->columns(); }
  const std::vector<std::string>& dictionary(Index column) const override { return reader_->dictionary(column); }
  std::string place(Index row, Index column) const override {
    return reader_->place(origin_[static_cast<std::size_t>(row)], column);
  }
  void read_as_text(const std::vector<std::string>& columns) override { reader_->read_as_text(columns); }
  bool absent_is_zero(const std::string& column) const override { return reader_->absent_is_zero(column); }
  double fraction() const override { return reader_->fraction(); }

  bool next(RawBlock& block, Index max_rows) override {
    do {
      if (!reader_->next(block, max_rows)) {
        report();
        return false;
      }
      find_labelled(block);
    } while (origin_.empty());
    if (static_cast<Index>(origin_.size()) < block.rows()) copy(block);
    block.first_row = std::exchange(delivered_, delivered_ + block.rows());
    return true;
  }

 private:
  void find_labelled(const RawBlock& block) {
    origin_.clear();
    for (Index i = 0; i < block.rows(); ++i)
      if (std::none_of(targets_.begin(), targets_.end(), [&](Index t) { return std::isnan(block.columns(t, i)); }))
        origin_.push_back(i);
    left_out_ += block.rows() - static_cast<Index>(origin_.size());
  }

  void copy(RawBlock& block) {
    cells_.reshape(block.columns.rows, static_cast<Index>(origin_.size()));
    for (Index c = 0; c < cells_.rows(); ++c)
      std::transform(origin_.begin(), origin_.end(), cells_.row(c), [&](Index i) { return block.columns(c, i); });
    block.columns = cells_;
  }

  void report() const {
    if (left_out_ == 0) return;
    std::vector<std::string> names;
    for (const Index t : targets_) names.push_back(columns()[static_cast<std::size_t>(t)].name);
    if (delivered_ == 0)
      throw Error(ErrorKind::data, fmt::format("no row has a value of target '{}'", fmt::join(names, ",")), name_,
                  "choose another ‹target›, or add rows that have one");
    run_.warn(fmt::format("{}: rows without a value of target '{}' are left out: {} of {}", name_,
                          fmt::join(names, ","), left_out_, left_out_ + delivered_));
  }

  std::unique_ptr<RowReader> reader_;
  std::vector<Index> targets_;
  std::string name_;
  Run run_;
  std::vector<Index> origin_;  // row within the reader's block of each row delivered last
  Matrix cells_;
  Index delivered_ = 0;
  Index left_out_ = 0;
};

}  // namespace

Data rows_with_target(const Data& data, const std::vector<std::string>& names, const Run& run) {
  return {data.name(), data.options(), [data, names, run]() -> std::unique_ptr<RowReader> {
            auto reader = data.open();
            const std::vector<Column>& columns = reader->columns();
            std::vector<Index> targets = columns_named(columns, data.options().target, "target", data.name());
            if (targets.empty())
              for (Index c = 0; c < static_cast<Index>(columns.size()); ++c)
                if (std::find(names.begin(), names.end(), columns[static_cast<std::size_t>(c)].name) != names.end())
                  targets.push_back(c);
            return std::make_unique<LabelledRows>(std::move(reader), std::move(targets), data.name(), run);
          }};
}

}  // namespace weft
