#include "methods/partitioned_block.hpp"

#include <numeric>

namespace weft::detail {

namespace {

void scatter(View<const double> from, const std::vector<Index>& to, Matrix& out) {
  out.reshape(from.rows, from.cols);
  for (Index j = 0; j < from.rows; ++j)
    for (Index i = 0; i < from.cols; ++i) out(j, to[static_cast<std::size_t>(i)]) = from(j, i);
}

}  // namespace

TrainingBlock PartitionedBlock::partition(const TrainingBlock& block, Index parts, const PartOf& part_of) {
  to_.resize(static_cast<std::size_t>(block.rows()));
  if (parts == 1) {
    starts_ = {0, block.rows()};
    std::iota(to_.begin(), to_.end(), Index{0});
    return block;
  }
  std::vector<Index> part(to_.size());
  starts_.assign(static_cast<std::size_t>(parts + 1), 0);
  for (std::size_t i = 0; i < part.size(); ++i) {
    part[i] = part_of(block.first_row + static_cast<Index>(i));
    ++starts_[static_cast<std::size_t>(part[i] + 1)];
  }
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  std::vector<Index> next(starts_.begin(), starts_.end() - 1);
  for (std::size_t i = 0; i < part.size(); ++i) to_[i] = next[static_cast<std::size_t>(part[i])]++;
  scatter(block.x, to_, x_);
  scatter(block.y, to_, y_);
  weights_.resize(block.weights == nullptr ? 0 : part.size());
  for (std::size_t i = 0; i < weights_.size(); ++i) weights_[static_cast<std::size_t>(to_[i])] = block.weights[i];
  return {x_, y_, weights_.empty() ? nullptr : weights_.data(), block.first_row};
}

}  // namespace weft::detail
