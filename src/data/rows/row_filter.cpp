#include "data/rows/row_filter.hpp"

#include "data/rows/gather_rows.hpp"

#include <algorithm>
#include <utility>

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

/// Kept rows of several blocks are gathered until there are as many as a block of a fit has: streamed rows then meet in
/// the same blocks as held ones, and give the same bits. Of rows that are shared out, those of a piece stay together.
class StreamedFilter final : public BlockSource {
 public:
  StreamedFilter(const BlockSource& source, std::vector<bool> keep)
      : source_(source), keep_(std::move(keep)), rows_(std::count(keep_.begin(), keep_.end(), true)) {
    if (source.share() == nullptr) return;
    RowShare share = *source.share();
    Index before = 0, kept = 0;  // each row is looked at once: there may be 10⁹ of them
    for (Index& start : share.starts) {
      kept += std::count(keep_.begin() + before, keep_.begin() + start, true);
      before = std::exchange(start, kept);
    }
    set_share(std::move(share));
  }

  Index rows() const override { return rows_; }
  Index outputs() const override { return source_.outputs(); }
  const TrainingBlock* in_memory() const override { return nullptr; }
  void for_each(const std::function<bool(const TrainingBlock&)>& consume) const override {
    GatheredRows filled;
    Index count = 0;
    Index first = share() != nullptr ? share()->begin() : 0;
    Index piece = 0;
    const auto hand_over = [&] {
      const TrainingBlock all = filled.block(first);
      const bool more = consume({all.x.col_range(0, count), all.y.col_range(0, count), all.weights, first});
      first += std::exchange(count, 0);
      filled.weights.clear();
      return more;
    };
    bool wanted = true;
    source_.for_each([&](const TrainingBlock& block) {
      if (filled.x.cols() == 0) filled.allot(block, kBlockRows);
      const Index here = share() != nullptr ? source_.share()->piece_of(block.first_row) : 0;
      if (here != piece && count > 0) wanted = hand_over();
      piece = here;
      const std::vector<Index> columns = kept_columns(block, keep_);
      for (std::span<const Index> left = columns; wanted && !left.empty();) {
        const std::size_t some = std::min(left.size(), static_cast<std::size_t>(kBlockRows - count));
        filled.put(block, left.first(some), count);
        left = left.subspan(some);
        count += static_cast<Index>(some);
        if (count == kBlockRows) wanted = hand_over();
      }
      return wanted;
    });
    if (wanted && count > 0) hand_over();
  }

 private:
  const BlockSource& source_;
  std::vector<bool> keep_;
  Index rows_;
};

}  // namespace

std::unique_ptr<BlockSource> filter_rows(const BlockSource& source, std::vector<bool> keep) {
  RowRule rule = source.rule().subset(keep);
  std::unique_ptr<BlockSource> kept;
  if (const TrainingBlock* all = source.in_memory())
    kept = sample_rows(*all, kept_columns(*all, keep));
  else
    kept = std::make_unique<StreamedFilter>(source, std::move(keep));
  kept->set_rule(std::move(rule));
  return kept;
}

std::unique_ptr<BlockSource> sample_rows(const TrainingBlock& all, std::span<const Index> positions) {
  return std::make_unique<HeldSample>(all, positions);
}

}  // namespace weft::detail
