// Rows by part (folds, or fitted and held out), as many together as a GPU works with at full speed.
#pragma once

#include "compute/device_matrix.hpp"
#include "data/rows/block_source.hpp"

#include <functional>
#include <span>
#include <vector>

namespace weft::detail {

/// A place per part, in the memory of a device, that rows of blocks are put into. What is full is handed over: always
/// as many rows, but for the last, so that rows of features are aligned as products on a GPU need it.
class PartBuffers {
 public:
  /// Inputs in the memory of the device; the others in that of the host.
  using HandOver = std::function<void(Index part, const TrainingBlock& rows)>;

  /// Of `rows` rows each; `threads` send them. Blocks have weights, or not, all alike.
  PartBuffers(const Device& device, Index parts, Index inputs, Index outputs, Index rows, int threads);

  /// The memory of what is handed over serves the next rows when `take` returns.
  void add(const TrainingBlock& block, const PartOf& part_of, const HandOver& take);
  /// Hands over what is left.
  void finish(const HandOver& take);

 private:
  /// The columns of the block by part.
  std::vector<std::vector<Index>> columns_of(const TrainingBlock& block, const PartOf& part_of) const;
  void put(const TrainingBlock& block, Index part, std::span<const Index> columns);
  void hand_over(Index part, const HandOver& take);

  Index rows_;
  int threads_;
  DeviceMatrix<double> x_;  // x_, y_ and weights_: a range of columns per part
  Matrix y_;
  std::vector<double> weights_;
  bool weighted_ = false;
  std::vector<Index> filled_;  // by part
};

}  // namespace weft::detail
