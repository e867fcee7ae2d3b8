// Rows shared out over processes. They are cut into pieces by their number alone: what is summed piece by piece and
// merged in a fixed tree (merge_tree.hpp) has the same bits for any number of processes.
#pragma once

#include <weft/communicator.hpp>
#include <weft/matrix.hpp>

#include <utility>
#include <vector>

namespace weft::detail {

/// More processes than this would have nothing to do. A merge costs as much as a few rows, so that many do no harm.
inline constexpr Index kMostPieces = 256;
/// Where they are summed by GPUs, which adds the time of a copy to every merge.
inline constexpr Index kMostGpuPieces = 64;

struct RowShare {
  Communicator* processes = nullptr;
  std::vector<Index> starts;  ///< first row of every piece; the last is the number of rows
  Index first = 0;            ///< pieces first … last-1 are those of this process
  Index last = 0;
  bool matrices = false;  ///< too large for one process: matrices are shared out as well (CyclicSolver)

  Index pieces() const { return static_cast<Index>(starts.size()) - 1; }
  Index begin() const { return starts[static_cast<std::size_t>(first)]; }
  Index end() const { return starts[static_cast<std::size_t>(last)]; }
  Index rows() const { return starts.back(); }
  /// Of process `rank`.
  Index rows_of(int rank) const;
  /// Of the row, which is in a piece of this process.
  Index piece_of(Index row) const;

  /// Pieces of whole blocks, as even as possible, dealt out in runs.
  static RowShare of(Index rows, Index block_rows, Communicator& processes, Index most = kMostPieces);
};

/// Collective, where there are processes: whether it holds on all of them.
bool on_all(Communicator* processes, bool holds);
bool on_all(const RowShare* share, bool holds);
/// Collective, where there is a share: those of all processes, by rank.
void gather(const RowShare* share, std::vector<double>& values);

/// Part k of `total` things cut into `parts` runs: from … to-1. The first has one wherever there are any.
std::pair<Index, Index> part_of(Index total, Index parts, Index k);

}  // namespace weft::detail
