#include "data/rows/gather_rows.hpp"

#include "distributed/packing.hpp"

#include <algorithm>
#include <numeric>

namespace weft::detail {

namespace {

/// Columns of `from`, into those of `to` from `first` on.
void copy_columns(View<const double> from, std::span<const Index> columns, Index first, Matrix& to) {
  for (Index j = 0; j < from.rows; ++j) {
    double* const out = to.row(j) + first;
    for (std::size_t i = 0; i < columns.size(); ++i) out[i] = from(j, columns[i]);
  }
}

/// Of the rows that the source delivers.
GatheredRows gather_own(const BlockSource& rows, std::span<const Index> positions) {
  GatheredRows gathered;
  std::vector<Index> columns;
  std::size_t found = 0;
  rows.for_each([&](const TrainingBlock& block) {
    const auto first = static_cast<Index>(found);
    if (first == 0) gathered.allot(block, static_cast<Index>(positions.size()));
    columns.clear();
    for (; found < positions.size() && positions[found] < block.first_row + block.rows(); ++found)
      columns.push_back(positions[found] - block.first_row);
    gathered.put(block, columns, first);
    return found < positions.size();
  });
  return gathered;
}

}  // namespace

void GatheredRows::take(const TrainingBlock& from, std::span<const Index> columns) {
  allot(from, static_cast<Index>(columns.size()));
  put(from, columns, 0);
}

void GatheredRows::allot(const TrainingBlock& like, Index rows) {
  x.reshape(like.x.rows, rows);
  y.reshape(like.y.rows, rows);
  weights.clear();
}

void GatheredRows::put(const TrainingBlock& from, std::span<const Index> columns, Index first) {
  copy_columns(from.x, columns, first, x);
  copy_columns(from.y, columns, first, y);
  if (from.weights == nullptr) return;
  for (const Index i : columns) weights.push_back(from.weights[i]);
}

TrainingBlock GatheredRows::block(Index first_row) const {
  return {x, y, weights.empty() ? nullptr : weights.data(), first_row};
}

GatheredRows GatheredRows::joined(std::span<const GatheredRows> pieces) {
  Index rows = 0;
  for (const GatheredRows& piece : pieces) rows += piece.x.cols();
  GatheredRows all;
  std::vector<Index> columns;
  Index first = 0;
  for (const GatheredRows& piece : pieces) {
    const Index count = piece.x.cols();
    if (count == 0) continue;
    if (first == 0) all.allot(piece.block(), rows);
    columns.resize(static_cast<std::size_t>(count));
    std::iota(columns.begin(), columns.end(), Index{0});
    all.put(piece.block(), columns, first);
    first += count;
  }
  return all;
}

GatheredRows gather_rows(const BlockSource& rows, std::span<const Index> positions) {
  const RowShare* share = rows.share();
  if (share == nullptr) return gather_own(rows, positions);
  const auto from = std::lower_bound(positions.begin(), positions.end(), share->begin());
  const auto to = std::lower_bound(from, positions.end(), share->end());
  GatheredRows own;
  if (from != to) own = gather_own(rows, {from, to});
  std::vector<GatheredRows> pieces;
  for (const std::string& bytes :
       share->processes->all_gather(std::move(Packer().add(own.x).add(own.y).add(own.weights)).bytes())) {
    Unpacker unpacker(bytes);
    GatheredRows& piece = pieces.emplace_back();
    piece.x = unpacker.matrix();
    piece.y = unpacker.matrix();
    piece.weights = unpacker.numbers<double>();
  }
  return GatheredRows::joined(pieces);
}

}  // namespace weft::detail
