// The rows of a block in the order of their parts (folds, or fitted and held out).
#pragma once

#include "data/rows/block_source.hpp"

#include <vector>

namespace weft::detail {

/// Groups the rows of blocks by part, so that each part is a range of columns.
class PartitionedBlock {
 public:
  /// The rows ordered by part, in this object's memory; one part is the block as it stands.
  TrainingBlock partition(const TrainingBlock& block, Index parts, const PartOf& part_of);

  /// Part p holds the columns starts()[p] … starts()[p + 1] of the partitioned block.
  const std::vector<Index>& starts() const { return starts_; }
  /// Where the rows of the block went: row i is column to()[i] of the partitioned block.
  const std::vector<Index>& to() const { return to_; }

 private:
  Matrix x_, y_;
  std::vector<double> weights_;
  std::vector<Index> starts_;
  std::vector<Index> to_;
};

}  // namespace weft::detail
