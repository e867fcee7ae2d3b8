#include "methods/part_buffers.hpp"

#include "core/at.hpp"
#include "data/row_tiles.hpp"

#include <algorithm>
#include <utility>

namespace weft::detail {

PartBuffers::PartBuffers(const Device& device, Index parts, Index inputs, Index outputs, Index rows, int threads)
    : rows_(rows),
      threads_(threads),
      x_(device, inputs, parts * rows),
      y_(Matrix::unset(outputs, parts * rows)),
      weights_(at(parts * rows)),
      filled_(at(parts)) {}

std::vector<std::vector<Index>> PartBuffers::columns_of(const TrainingBlock& block, const PartOf& part_of) const {
  constexpr Index kDrawnTogether = 256;
  std::vector<Index> part(at(block.rows()));
  if (filled_.size() > 1)
    parallel_for(tile_count(block.rows(), kDrawnTogether), threads_, [&](Index piece) {
      const Tile some = tile(piece, block.rows(), kDrawnTogether);
      for (Index i = some.first; i < some.first + some.count; ++i) part[at(i)] = part_of(block.first_row + i);
    });
  std::vector<std::vector<Index>> columns(filled_.size());
  for (Index i = 0; i < block.rows(); ++i) columns[at(part[at(i)])].push_back(i);
  return columns;
}

void PartBuffers::add(const TrainingBlock& block, const PartOf& part_of, const HandOver& take) {
  const std::vector<std::vector<Index>> columns = columns_of(block, part_of);
  weighted_ = block.weights != nullptr;
  for (std::size_t p = 0; p < columns.size(); ++p) {
    const auto part = static_cast<Index>(p);
    for (std::span<const Index> left = columns[p]; !left.empty();) {
      const std::size_t some = std::min(left.size(), at(rows_ - filled_[p]));
      put(block, part, left.first(some));
      left = left.subspan(some);
      if (filled_[p] == rows_) hand_over(part, take);
    }
  }
}

void PartBuffers::put(const TrainingBlock& block, Index part, std::span<const Index> columns) {
  const auto count = static_cast<Index>(columns.size());
  const Index first = part * rows_ + filled_[at(part)];
  filled_[at(part)] += count;
  x_.device().send(x_.view().col_range(first, count), [&](Index input, View<double> to) {
    constexpr Index kInputs = 8;  // that one thread copies at a time
    parallel_for(tile_count(to.rows, kInputs), useful_threads(to.rows * to.cols, threads_), [&](Index piece) {
      const Tile some = tile(piece, to.rows, kInputs);
      for (Index j = some.first; j < some.first + some.count; ++j) {
        const double* from = block.x.row(input + j);
        for (Index k = 0; k < count; ++k) to(j, k) = from[columns[at(k)]];
      }
    });
  });
  for (Index k = 0; k < count; ++k) {
    for (Index o = 0; o < y_.rows(); ++o) y_(o, first + k) = block.y(o, columns[at(k)]);
    if (weighted_) weights_[at(first + k)] = block.weights[columns[at(k)]];
  }
}

void PartBuffers::finish(const HandOver& take) {
  for (std::size_t p = 0; p < filled_.size(); ++p) hand_over(static_cast<Index>(p), take);
}

void PartBuffers::hand_over(Index part, const HandOver& take) {
  const Index first = part * rows_, count = std::exchange(filled_[at(part)], 0);
  if (count == 0) return;
  take(part, {std::as_const(x_).view().col_range(first, count), y_.view().col_range(first, count),
              weighted_ ? weights_.data() + first : nullptr, 0});
}

}  // namespace weft::detail
