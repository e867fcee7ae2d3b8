// Sums over rows whose bits do not depend on the number of processes: those of a piece (RowShare) are added up in the
// order of its rows, those of pieces are merged in a tree.
#pragma once

#include "data/rows/block_source.hpp"
#include "distributed/merge_tree.hpp"
#include "distributed/packing.hpp"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace weft::detail {

template <class T>
class PieceSums {
 public:
  /// `empty` makes the sums of no rows.
  PieceSums(RowShare share, std::function<T()> empty, Merging<T> merging)
      : share_(std::move(share)), empty_(std::move(empty)), tree_(share_.pieces(), merging), next_(share_.first) {}

  /// The sums that this row's are to be added to. Rows come in their order.
  T& of(Index row) {
    hand_over(share_.piece_of(row));
    if (!sums_) sums_ = tree_.spare();
    if (!sums_) sums_ = empty_();
    return *sums_;
  }

  /// Collective: the sums of all rows, on every process.
  T all() {
    hand_over(share_.last);
    std::optional<T> total = tree_.all(*share_.processes);
    return total ? std::move(*total) : empty_();
  }

 private:
  /// The pieces before this one, some of which may have no rows.
  void hand_over(Index piece) {
    for (; next_ < piece; ++next_) tree_.add(next_, std::exchange(sums_, std::nullopt));
  }

  RowShare share_;
  std::function<T()> empty_;
  MergeTree<T> tree_;
  Index next_;             ///< piece whose rows come
  std::optional<T> sums_;  ///< of that piece
};

/// The rows' own share; where they are not shared out, all pieces are here. Sums then have the bits that they have on
/// several processes.
RowShare share_of(const BlockSource& rows);
/// The same, but all rows are one piece where they are not shared out: the largest sums would take three times as much
/// memory.
RowShare share_or_whole(const BlockSource& rows);

/// Matrices that start at 0.
class MatrixSums : public PieceSums<Matrix> {
 public:
  MatrixSums(const BlockSource& source, Index rows, Index cols) : MatrixSums(share_of(source), rows, cols) {}
  MatrixSums(RowShare share, Index rows, Index cols);
};

}  // namespace weft::detail
