// How threads share a block of features × rows; for the files that nvcc compiles.
#pragma once

#include "compute/cuda/launch.hpp"

namespace weft::detail::cuda {

// A warp takes 32 rows of the data, which lie beside each other, and each thread a few features below each other: so
// many loads are under way, and what features of one group share is in the first-level cache after the first of them.
constexpr unsigned kTileRows = 32;
constexpr unsigned kTileFeatures = 8;
constexpr int kEach = 4;

/// Blocks of all tiles in one dimension of the grid, the others being short; `strips` of them lie beside each other.
struct FeatureTiles {
  unsigned strips, blocks;
  FeatureTiles(Index features, Index rows)
      : strips(blocks_for(rows, kTileRows)), blocks(strips * blocks_for(features, kTileFeatures * kEach)) {}
  dim3 grid() const { return dim3(blocks); }
  static dim3 threads() { return dim3(kTileRows, kTileFeatures); }
};

/// Of a thread: its row of the data and the first of its kEach features.
struct TilePlace {
  Index row, feature;
};
__device__ inline TilePlace tile_place(unsigned strips) {
  return {static_cast<Index>(blockIdx.x % strips) * kTileRows + threadIdx.x,
          (static_cast<Index>(blockIdx.x / strips) * kTileFeatures + threadIdx.y) * kEach};
}

}  // namespace weft::detail::cuda
