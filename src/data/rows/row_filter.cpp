#include "data/rows/row_filter.hpp"

#include "data/rows/gather_rows.hpp"

#include <algorithm>
#include <optional>

namespace weft::detail {

namespace {

std::vector<Index> kept_columns(const TrainingBlock& block, const std::vector<bool>& keep) {
  std::vector<Index> columns;
  for (Index i = 0; i < block.rows(); ++i)
    if (keep[static_cast<std::size_t>(block.first_row + i)]) columns.push_back(i);
  return columns;
}

class HeldSample final : public BlockSource {
 public:
  HeldSample(const TrainingBlock& all, std::span<const Index> positions) {
    gathered_.take(all, positions);
    rows_ = gathered_.block();
  }

  Index rows() const override { return rows_.rows(); }
  Index outputs() const override { return rows_.y.rows; }
  const TrainingBlock* in_memory() const override { return &rows_; }
  void for_each(const std::function<bool(const TrainingBlock&)>& consume) const override {
    for (Index first = 0; first < rows(); first += kBlockRows) {
      const Index count = std::min(kBlockRows, rows() - first);
      if (!consume({rows_.x.col_range(first, count), rows_.y.col_range(first, count),
                    rows_.weights == nullptr ? nullptr : rows_.weights + first, first}))
        return;
    }
  }

 private:
  GatheredRows gathered_;
  TrainingBlock rows_;
};

/// Kept rows of several blocks, one behind the other, until there are as many as a block of a fit has: streamed rows
/// then meet in the same blocks as held ones, and give the same bits.
class FilledBlock {
 public:
  FilledBlock(Index inputs, Index outputs) : x_(inputs, kBlockRows), y_(outputs, kBlockRows) {}

  /// Takes as many of columns[from …] as there is room for; returns how many.
  std::size_t take(const TrainingBlock& block, const std::vector<Index>& columns, std::size_t from) {
    const std::size_t count = std::min(columns.size() - from, static_cast<std::size_t>(x_.cols() - count_));
    copy(block.x, columns.data() + from, count, x_);
    copy(block.y, columns.data() + from, count, y_);
    if (block.weights != nullptr)
      for (std::size_t k = 0; k < count; ++k) weights_.push_back(block.weights[columns[from + k]]);
    count_ += static_cast<Index>(count);
    return count;
  }
  Index count() const { return count_; }
  bool full() const { return count_ == x_.cols(); }
  TrainingBlock rows(Index first_row) const {
    return {x_.view().col_range(0, count_), y_.view().col_range(0, count_),
            weights_.empty() ? nullptr : weights_.data(), first_row};
  }
  void clear() {
    count_ = 0;
    weights_.clear();
  }

 private:
  void copy(View<const double> from, const Index* columns, std::size_t count, Matrix& to) const {
    for (Index j = 0; j < from.rows; ++j)
      for (std::size_t k = 0; k < count; ++k) to(j, count_ + static_cast<Index>(k)) = from(j, columns[k]);
  }

  Matrix x_, y_;
  std::vector<double> weights_;
  Index count_ = 0;
};

class StreamedFilter final : public BlockSource {
 public:
  StreamedFilter(const BlockSource& source, std::vector<bool> keep) : source_(source), keep_(std::move(keep)) {}

  Index rows() const override { return static_cast<Index>(std::count(keep_.begin(), keep_.end(), true)); }
  Index outputs() const override { return source_.outputs(); }
  const TrainingBlock* in_memory() const override { return nullptr; }
  void for_each(const std::function<bool(const TrainingBlock&)>& consume) const override {
    std::optional<FilledBlock> filled;
    Index first = 0;
    const auto hand_over = [&] {
      const TrainingBlock rows = filled->rows(first);
      first += rows.rows();
      const bool more = consume(rows);
      filled->clear();
      return more;
    };
    bool wanted = true;
    source_.for_each([&](const TrainingBlock& block) {
      if (!filled) filled.emplace(block.x.rows, block.y.rows);
      const std::vector<Index> columns = kept_columns(block, keep_);
      for (std::size_t taken = 0; wanted && taken < columns.size();) {
        taken += filled->take(block, columns, taken);
        if (filled->full()) wanted = hand_over();
      }
      return wanted;
    });
    if (wanted && filled && filled->count() > 0) hand_over();
  }

 private:
  const BlockSource& source_;
  std::vector<bool> keep_;
};

}  // namespace

std::unique_ptr<BlockSource> filter_rows(const BlockSource& source, std::vector<bool> keep) {
  if (const TrainingBlock* all = source.in_memory()) return sample_rows(*all, kept_columns(*all, keep));
  return std::make_unique<StreamedFilter>(source, std::move(keep));
}

std::unique_ptr<BlockSource> sample_rows(const TrainingBlock& all, std::span<const Index> positions) {
  return std::make_unique<HeldSample>(all, positions);
}

}  // namespace weft::detail
