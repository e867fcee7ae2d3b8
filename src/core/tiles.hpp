// Cutting a range or a triangle into pieces that depend on its size alone, never on the number of threads.
#pragma once

#include <weft/matrix.hpp>

#include <algorithm>
#include <vector>

namespace weft::detail {

struct Tile {
  Index first = 0;
  Index count = 0;
};

inline Index tile_count(Index size, Index width) {
  return (size + width - 1) / width;
}

inline Tile tile(Index i, Index size, Index width) {
  return {i * width, std::min(width, size - i * width)};
}

struct TilePair {
  Index row = 0;
  Index col = 0;
};

/// The tiles (row ≥ col) of a lower triangle of count × count tiles, those off the diagonal first: they cost twice as
/// much, and the small pieces at the end even out the threads.
inline std::vector<TilePair> triangle_tiles(Index first, Index count) {
  std::vector<TilePair> pairs;
  for (Index i = first; i < count; ++i)
    for (Index j = first; j < i; ++j) pairs.push_back({i, j});
  for (Index i = first; i < count; ++i) pairs.push_back({i, i});
  return pairs;
}

template <class T>
View<T> block(View<T> a, Tile rows, Tile cols) {
  return a.row_range(rows.first, rows.count).col_range(cols.first, cols.count);
}

}  // namespace weft::detail
