#include "compute/cuda/symmetric.hpp"

#include "compute/cuda/launch.hpp"

namespace weft::detail::cuda {

namespace {

constexpr unsigned kSide = 16;                 // of the square of elements that a block of threads takes
constexpr unsigned kTile = 32, kTileRows = 8;  // of absolute sums: elements, and the rows that are read at a time

__global__ void scaled_normal_kernel(View<const double> gram, View<const double> penalty, double lambda,
                                     const double* scale, double jitter, View<double> out) {
  const Index s = static_cast<Index>(blockIdx.y) * kSide + threadIdx.y;
  const Index t = static_cast<Index>(blockIdx.x) * kSide + threadIdx.x;
  if (s >= out.rows || t > s) return;
  double value = 1 + jitter;
  if (t < s) {
    value = gram.data[s * gram.stride + t];
    if (penalty.data != nullptr) value += lambda * penalty.data[s * penalty.stride + t];
    value = scale[s] == 0 || scale[t] == 0 ? 0 : value * scale[s] * scale[t];
  }
  out.data[s * out.stride + t] = value;
}

/// One tile of the lower triangle: the sums along its rows and, where it is not on the diagonal, down its columns,
/// which are rows of the other triangle. pieces(p, i) is that part of row i of the whole matrix which lies in tile
/// column p.
__global__ void absolute_sums_kernel(View<const double> lower, View<double> pieces) {
  __shared__ double tile[kTile][kTile + 1];
  if (blockIdx.x > blockIdx.y) return;
  const Index row = static_cast<Index>(blockIdx.y) * kTile, column = static_cast<Index>(blockIdx.x) * kTile;
  const unsigned x = threadIdx.x;
  for (unsigned r = threadIdx.y; r < kTile; r += kTileRows) {
    const Index i = row + r, j = column + x;
    tile[r][x] = i < lower.rows && j <= i ? fabs(lower.data[i * lower.stride + j]) : 0;
  }
  __syncthreads();
  const bool diagonal = blockIdx.x == blockIdx.y;
  double sum = 0;
  if (threadIdx.y == 0) {
    for (unsigned k = 0; k < kTile; ++k) sum += tile[x][k];
    for (unsigned k = x + 1; diagonal && k < kTile; ++k) sum += tile[k][x];
    if (row + x < lower.rows) pieces.data[blockIdx.x * pieces.stride + row + x] = sum;
  } else if (threadIdx.y == 1 && !diagonal) {
    for (unsigned k = 0; k < kTile; ++k) sum += tile[k][x];
    pieces.data[blockIdx.y * pieces.stride + column + x] = sum;
  }
}

__global__ void add_pieces_kernel(View<const double> pieces, double* sums) {
  const Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= pieces.cols) return;
  double sum = 0;
  for (Index p = 0; p < pieces.rows; ++p) sum += pieces.data[p * pieces.stride + i];
  sums[i] = sum;
}

template <class Real>
__global__ void gather_diagonal_kernel(View<const Real> a, Real* diagonal) {
  const Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < a.rows) diagonal[i] = a.data[i * (a.stride + 1)];
}

}  // namespace

void scaled_normal(cudaStream_t stream, View<const double> gram, View<const double> penalty, double lambda,
                   const double* scale, double jitter, View<double> out) {
  launch(scaled_normal_kernel, dim3(blocks_for(out.cols, kSide), blocks_for(out.rows, kSide)), dim3(kSide, kSide),
         stream, gram, penalty, lambda, scale, jitter, out);
}

Index absolute_sum_pieces(Index n) {
  return blocks_for(n, kTile);
}

void absolute_sums(cudaStream_t stream, View<const double> lower, View<double> pieces, double* sums) {
  const unsigned tiles = blocks_for(lower.rows, kTile);
  launch(absolute_sums_kernel, dim3(tiles, tiles), dim3(kTile, kTileRows), stream, lower, pieces);
  launch(add_pieces_kernel, dim3(blocks_for(lower.rows)), dim3(kThreads), stream, pieces, sums);
}

void gather_diagonal(cudaStream_t stream, View<const double> a, double* diagonal) {
  launch(gather_diagonal_kernel<double>, dim3(blocks_for(a.rows)), dim3(kThreads), stream, a, diagonal);
}

void gather_diagonal(cudaStream_t stream, View<const float> a, float* diagonal) {
  launch(gather_diagonal_kernel<float>, dim3(blocks_for(a.rows)), dim3(kThreads), stream, a, diagonal);
}

}  // namespace weft::detail::cuda
