// Symmetric matrices of which both triangles are written.
#pragma once

#include "core/parallel.hpp"
#include "core/tiles.hpp"

namespace weft::detail {

/// out(i, j) = out(j, i) = value(i, j), i ≥ j. A tile and its mirror image fit the first-level caches together: row by
/// row, every entry above the diagonal would be a cache line of its own.
template <class Value>
void fill_symmetric(View<double> out, int threads, const Value& value) {
  constexpr Index kSide = 32;
  const std::vector<TilePair> tiles = triangle_tiles(0, tile_count(out.rows, kSide));
  constexpr Index kTogether = 64;
  const auto count = static_cast<Index>(tiles.size());
  parallel_for(tile_count(count, kTogether), threads, [&](Index piece) {
    const Tile some = tile(piece, count, kTogether);
    for (Index k = some.first; k < some.first + some.count; ++k) {
      const Tile rows = tile(tiles[static_cast<std::size_t>(k)].row, out.rows, kSide);
      const Tile cols = tile(tiles[static_cast<std::size_t>(k)].col, out.rows, kSide);
      for (Index i = rows.first; i < rows.first + rows.count; ++i)
        for (Index j = cols.first; j < std::min(cols.first + cols.count, i + 1); ++j)
          out(i, j) = out(j, i) = value(i, j);
    }
  });
}

}  // namespace weft::detail
