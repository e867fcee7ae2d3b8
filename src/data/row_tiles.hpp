// Blocks of cells, columns × rows, in pieces of rows that threads share.
#pragma once

#include <weft/run.hpp>

#include <algorithm>

#include "core/parallel.hpp"
#include "core/tiles.hpp"

namespace weft::detail {

/// Below this much work, some tenths of a millisecond, waking threads costs more than it saves.
inline constexpr Index kCellsWorthThreads = Index{1} << 17;
/// Rows of a piece: their cells stay in cache while every column is worked on.
inline constexpr Index kRowTile = 512;

/// `threads`, or 1 where the work is not worth them.
inline int useful_threads(Index cells, int threads) {
  return cells < kCellsWorthThreads ? 1 : threads;
}

/// body(k, tile) for every tile of the rows.
template <class Body>
void for_each_row_tile(Index columns, Index rows, int threads, const Body& body) {
  parallel_for(tile_count(rows, kRowTile), useful_threads(columns * rows, threads),
               [&](Index k) { body(k, tile(k, rows, kRowTile)); });
}

/// How many rows to encode at a time, a multiple of `block`: as many as give every thread some tiles, in 32 MiB.
inline Index rows_together(Index block, Index columns, const Run& run) {
  constexpr Index kTilesPerThread = 4, kMostCells = Index{1} << 22;
  const Index wanted = run.thread_count() * kTilesPerThread * kRowTile;
  return block * std::max<Index>(1, std::min(wanted, kMostCells / std::max<Index>(1, columns)) / block);
}

}  // namespace weft::detail
