#include "data/encode/block_shape.hpp"

#include <algorithm>
#include <utility>

namespace weft::detail {

namespace {

// The first `count` columns of a matrix, in its own memory.
void keep_columns(Matrix& matrix, Index count) {
  for (Index j = 1; j < matrix.rows(); ++j) std::copy_n(matrix.row(j), count, matrix.data() + j * count);
  matrix.reshape(matrix.rows(), count);
}

void copy_columns(const Matrix& from, Index count, Matrix& to) {
  for (Index j = 0; j < from.rows(); ++j) std::copy_n(from.row(j), count, to.row(j));
}

}  // namespace

void BlockShape::allot(Block& block, Index rows) const {
  // New memory is left as it is: the threads that encode into it touch it first.
  if (block.x.rows() != inputs || block.x.cols() != rows) block.x = Matrix::unset(inputs, rows);
  block.y.reshape(targets, targets == 0 ? 0 : rows);
  block.weights.resize(static_cast<std::size_t>(weighted ? rows : 0));
  block.levels.reshape(many, many == 0 ? 0 : rows);
  if (bias) std::fill_n(block.x.row(inputs - 1), rows, 1.0);
}

Index BlockShape::first_rows(Index rows, Index known) const {
  constexpr Index kWideCells = Index{1} << 23;  // 64 MiB
  return inputs * rows <= kWideCells ? rows : known;
}

void BlockShape::widen(Block& block, Index filled, Index rows) const {
  const Block narrow = std::exchange(block, {});
  allot(block, rows);
  copy_columns(narrow.x, filled, block.x);
  copy_columns(narrow.y, filled, block.y);
  copy_columns(narrow.levels, filled, block.levels);
  if (weighted) std::copy_n(narrow.weights.begin(), filled, block.weights.begin());
}

void BlockShape::cut(Block& block, Index rows) const {
  keep_columns(block.x, rows);
  if (targets > 0) keep_columns(block.y, rows);
  if (many > 0) keep_columns(block.levels, rows);
  block.weights.resize(static_cast<std::size_t>(weighted ? rows : 0));
}

}  // namespace weft::detail
