#include "train/sums_state.hpp"

#include "core/at.hpp"
#include "data/rows/training_rows.hpp"

namespace weft::detail {

void DrawnBlocks::for_each(const std::function<bool(const TrainingBlock&)>& consume) const {
  const TrainingBlock all = drawn_.block();
  for (Index first = 0; first < all.rows();) {
    Index count = 1;
    while (first + count < all.rows() && numbers_[at(first + count)] == numbers_[at(first)] + count) ++count;
    if (!consume({all.x.col_range(first, count), all.y.col_range(first, count),
                  all.weights == nullptr ? nullptr : all.weights + first, numbers_[at(first)]}))
      return;
    first += count;
  }
}

PartBlocks::PartBlocks(const Encoder& encoder, const Data& table, const TablePart& part,
                       std::vector<double> class_factors, const Run& run)
    : part_(part), streamed_(streamed_rows(encoder, table, std::move(class_factors), run, part.rows, part.first_row)) {}

void PartBlocks::for_each(const std::function<bool(const TrainingBlock&)>& consume) const {
  streamed_->for_each([&](const TrainingBlock& block) {
    return consume({block.x, block.y, block.weights, part_.first_row + block.first_row});
  });
}

}  // namespace weft::detail
