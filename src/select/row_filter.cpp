#include "select/row_filter.hpp"

#include "fit/training_rows.hpp"

#include <algorithm>

namespace weft {

namespace {

/// Kept rows gathered column by column.
struct Gathered {
  Matrix x, y;
  std::vector<double> weights;

  TrainingBlock gather(const TrainingBlock& from, const std::vector<Index>& columns, Index first_row) {
    copy(from.x, columns, x);
    copy(from.y, columns, y);
    weights.clear();
    if (from.weights != nullptr)
      for (const Index i : columns) weights.push_back(from.weights[i]);
    return {x, y, weights.empty() ? nullptr : weights.data(), first_row};
  }

  static void copy(View<const double> from, const std::vector<Index>& columns, Matrix& to) {
    to.reshape(from.rows, static_cast<Index>(columns.size()));
    for (Index j = 0; j < from.rows; ++j)
      for (std::size_t i = 0; i < columns.size(); ++i) to(j, static_cast<Index>(i)) = from(j, columns[i]);
  }
};

std::vector<Index> kept_columns(const TrainingBlock& block, const std::vector<bool>& keep) {
  std::vector<Index> columns;
  for (Index i = 0; i < block.rows(); ++i)
    if (keep[static_cast<std::size_t>(block.first_row + i)]) columns.push_back(i);
  return columns;
}

class HeldFilter final : public BlockSource {
 public:
  HeldFilter(const TrainingBlock& all, const std::vector<bool>& keep)
      : rows_(gathered_.gather(all, kept_columns(all, keep), 0)) {}

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
  Gathered gathered_;
  TrainingBlock rows_;
};

class StreamedFilter final : public BlockSource {
 public:
  StreamedFilter(const BlockSource& source, std::vector<bool> keep) : source_(source), keep_(std::move(keep)) {}

  Index rows() const override { return static_cast<Index>(std::count(keep_.begin(), keep_.end(), true)); }
  Index outputs() const override { return source_.outputs(); }
  const TrainingBlock* in_memory() const override { return nullptr; }
  void for_each(const std::function<bool(const TrainingBlock&)>& consume) const override {
    Gathered gathered;
    Index first = 0;
    source_.for_each([&](const TrainingBlock& block) {
      const std::vector<Index> columns = kept_columns(block, keep_);
      if (columns.empty()) return true;
      const TrainingBlock rows = gathered.gather(block, columns, first);
      first += rows.rows();
      return consume(rows);
    });
  }

 private:
  const BlockSource& source_;
  std::vector<bool> keep_;
};

}  // namespace

std::unique_ptr<BlockSource> filter_rows(const BlockSource& source, std::vector<bool> keep) {
  if (const TrainingBlock* all = source.in_memory()) return std::make_unique<HeldFilter>(*all, keep);
  return std::make_unique<StreamedFilter>(source, std::move(keep));
}

}  // namespace weft
