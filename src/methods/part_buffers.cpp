#include "methods/part_buffers.hpp"

#include "core/at.hpp"

#include <algorithm>
#include <utility>

namespace weft::detail {

PartBuffers::PartBuffers(const Device& device, Index parts, Index inputs, Index outputs, Index rows)
    : rows_(rows),
      x_(device, inputs, parts * rows),
      block_(device),
      y_(Matrix::unset(outputs, parts * rows)),
      weights_(at(parts * rows)),
      filled_(at(parts)) {}

void PartBuffers::add(const TrainingBlock& block, const PartOf& part_of, const HandOver& take) {
  std::vector<std::vector<Index>> columns(filled_.size());
  for (Index i = 0; i < block.rows(); ++i)
    columns[at(filled_.size() == 1 ? 0 : part_of(block.first_row + i))].push_back(i);
  block_.reshape(block.x.rows, block.rows());
  x_.device().copy(block.x, block_.view());
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

/// Rows of the block that is in the device's memory.
void PartBuffers::put(const TrainingBlock& block, Index part, std::span<const Index> columns) {
  const auto count = static_cast<Index>(columns.size());
  const Index first = part * rows_ + filled_[at(part)];
  filled_[at(part)] += count;
  x_.device().gather_columns(std::as_const(block_).view(), columns, x_.view().col_range(first, count));
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
