#include "data/rows/gather_rows.hpp"

namespace weft::detail {

namespace {

/// Columns of `from`, into those of `to` from `first` on.
void copy_columns(View<const double> from, std::span<const Index> columns, Index first, Matrix& to) {
  for (Index j = 0; j < from.rows; ++j) {
    double* const out = to.row(j) + first;
    for (std::size_t i = 0; i < columns.size(); ++i) out[i] = from(j, columns[i]);
  }
}

void add_weights(const TrainingBlock& from, std::span<const Index> columns, std::vector<double>& weights) {
  if (from.weights == nullptr) return;
  for (const Index i : columns) weights.push_back(from.weights[i]);
}

}  // namespace

void GatheredRows::take(const TrainingBlock& from, std::span<const Index> columns) {
  x.reshape(from.x.rows, static_cast<Index>(columns.size()));
  y.reshape(from.y.rows, static_cast<Index>(columns.size()));
  weights.clear();
  copy_columns(from.x, columns, 0, x);
  copy_columns(from.y, columns, 0, y);
  add_weights(from, columns, weights);
}

TrainingBlock GatheredRows::block(Index first_row) const {
  return {x, y, weights.empty() ? nullptr : weights.data(), first_row};
}

GatheredRows gather_rows(const BlockSource& rows, std::span<const Index> positions) {
  GatheredRows gathered;
  std::vector<Index> columns;
  std::size_t found = 0;
  rows.for_each([&](const TrainingBlock& block) {
    if (block.first_row == 0) {
      gathered.x = Matrix(block.x.rows, static_cast<Index>(positions.size()));
      gathered.y = Matrix(block.y.rows, static_cast<Index>(positions.size()));
    }
    columns.clear();
    const auto first = static_cast<Index>(found);
    for (; found < positions.size() && positions[found] < block.first_row + block.rows(); ++found)
      columns.push_back(positions[found] - block.first_row);
    copy_columns(block.x, columns, first, gathered.x);
    copy_columns(block.y, columns, first, gathered.y);
    add_weights(block, columns, gathered.weights);
    return found < positions.size();
  });
  return gathered;
}

}  // namespace weft::detail
