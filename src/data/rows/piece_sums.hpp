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
      : share_(std::move(share)), empty_(std::move(empty)), tree_(merging) {}

  /// The sums that this row's are to be added to. Rows come in their order.
  T& of(Index row) {
    const Index here = share_.piece_of(row);
    if (here != piece_) hand_over();
    if (!sums_) sums_ = empty_();
    piece_ = here;
    return *sums_;
  }

  /// Collective: the sums of all rows, on every process.
  T all() {
    hand_over();
    std::optional<T> total = tree_.all(*share_.processes);
    return total ? std::move(*total) : empty_();
  }

 private:
  void hand_over() {
    if (sums_) tree_.add(piece_, *std::exchange(sums_, std::nullopt));
  }

  RowShare share_;
  std::function<T()> empty_;
  MergeTree<T> tree_;
  Index piece_ = -1;
  std::optional<T> sums_;
};

/// The rows' own share; where they are not shared out, all pieces are here. Small sums then have the bits that they
/// have on several processes.
RowShare share_of(const BlockSource& rows);
/// The same, but all rows are one piece where they are not shared out: a tree of large sums would take memory.
RowShare share_or_whole(const BlockSource& rows);

/// Matrices that start at 0.
class MatrixSums : public PieceSums<Matrix> {
 public:
  MatrixSums(const BlockSource& source, Index rows, Index cols);
};

}  // namespace weft::detail
