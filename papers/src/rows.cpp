#include "rows.hpp"

#include <algorithm>

namespace weft::papers {

namespace {

/// Rows of y: targets, or one per class where there are more than two.
Index output_count(const TargetInfo& target) {
  if (target.task == Task::regression) return static_cast<Index>(target.names.size());
  return target.task == Task::multiclass ? static_cast<Index>(target.classes.size()) : 1;
}

void code_targets(const TargetInfo& target, const Matrix& from, Index first, Matrix& y) {
  for (Index i = 0; i < from.cols(); ++i)
    for (Index o = 0; o < y.rows(); ++o) {
      const auto position = static_cast<Index>(from(target.task == Task::regression ? o : 0, i));
      const bool this_class = target.task == Task::binary ? position == 1 : position == o;
      y(o, first + i) = target.task == Task::regression ? from(o, i) : this_class ? 1 : -1;
    }
}

}  // namespace

Rows load_rows(const Encoder& encoder, const Data& data, const Run& run) {
  std::vector<Block> blocks;
  const auto stream = encoder.open(data, true, run);
  Index count = 0;
  for (Block block; stream->next(block, 4096); count += blocks.back().rows()) {
    run.check_cancelled();
    blocks.push_back(block);
  }
  Rows rows{Matrix(encoder.inputs().columns(), count), Matrix(output_count(encoder.target()), count)};
  Index first = 0;
  for (const Block& block : blocks) {
    for (Index j = 0; j < block.x.rows(); ++j) std::copy_n(block.x.row(j), block.rows(), rows.x.row(j) + first);
    code_targets(encoder.target(), block.y, first, rows.y);
    first += block.rows();
  }
  return rows;
}

Rows take_rows(const Rows& rows, const std::vector<Index>& positions) {
  const auto count = static_cast<Index>(positions.size());
  const auto take = [&](const Matrix& from) {
    Matrix taken(from.rows(), count);
    for (Index j = 0; j < from.rows(); ++j)
      for (Index i = 0; i < count; ++i) taken(j, i) = from(j, positions[static_cast<std::size_t>(i)]);
    return taken;
  };
  return {take(rows.x), take(rows.y)};
}

}  // namespace weft::papers
