// Panels of 64 unknowns, one after the other. The triangles on the diagonal are inverted first, all at once, so that a
// panel's unknowns are a product; a launch computes them and takes what they contribute off the equations that are
// left. T = 8192: 128 launches, which read the triangle once (0.27 GB).
#include "compute/cuda/triangular_solve.hpp"

#include "compute/cuda/launch.hpp"
#include "compute/device_matrix.hpp"

#include <algorithm>

namespace weft::detail::cuda {

namespace {

constexpr unsigned kPanel = 64, kParts = 4;  // threads of a block: an unknown each, and a part of its sum
constexpr unsigned kShare = kPanel / kParts;
constexpr Index kFewColumns = 8;
constexpr Index kLeastEquations = 1024;

/// Thread x computes column x of the inverse B of the block's triangle by substitution and keeps it right of the
/// diagonal: B(k, x) at (x, k + 1). What lies beyond the last equation counts as the identity. B is written for
/// products Bᵀr, or transposed for Br, so that the unknowns read along memory.
template <bool kTransposed>
__global__ void invert_panels_kernel(View<const double> lower, double* inverses) {
  __shared__ double panel[kPanel][kPanel + 1];
  const Index first = static_cast<Index>(blockIdx.x) * kPanel;
  const unsigned x = threadIdx.x;
  for (unsigned r = 0; r < kPanel; ++r)
    if (x <= r) panel[r][x] = first + r < lower.rows ? lower.data[(first + r) * lower.stride + first + x] : r == x;
  __syncthreads();
  for (unsigned i = x; i < kPanel; ++i) {
    double value = i == x;
    for (unsigned k = x; k < i; ++k) value -= panel[i][k] * panel[x][k + 1];
    panel[x][i + 1] = value / panel[i][i];
  }
  __syncthreads();
  double* inverse = inverses + first * kPanel;
  for (unsigned r = 0; r < kPanel; ++r) {
    const unsigned row = kTransposed ? r : x, column = kTransposed ? x : r;
    inverse[r * kPanel + x] = row >= column ? panel[column][row + 1] : 0;
  }
}

/// The kParts sums of every unknown.
__device__ double added(const double (&sums)[kParts][kPanel], unsigned i) {
  double sum = 0;
  for (unsigned part = 0; part < kParts; ++part) sum += sums[part][i];
  return sum;
}

/// The unknowns of the panel at `first`, by every block for itself; then block x takes them off its 64 equations of
/// those that are left. left(i, c): the right-hand sides less what the unknowns so far contribute. What is read of the
/// triangle does not depend on the unknowns and is asked for first.
template <bool kTransposed>
__global__ void solve_panel_kernel(View<const double> lower, const double* inverses, Index first, View<double> left,
                                   View<double> solution) {
  __shared__ double tile[kTransposed ? 1 : kPanel][kPanel + 1];
  __shared__ double sums[kParts][kPanel], solved[kPanel];
  const unsigned i = threadIdx.x, part = threadIdx.y, from = part * kShare;
  const Index column = blockIdx.y, block = static_cast<Index>(blockIdx.x) * kPanel;
  const Index row = kTransposed ? block : first + kPanel + block;
  const Index end = kTransposed ? first : lower.rows;  // of the equations that are left
  double entries[kShare];                              // of L or its transpose
  WEFT_UNROLL
  for (unsigned q = 0; q < kShare; ++q)
    if constexpr (kTransposed) {
      const bool inside = row + i < end && first + from + q < lower.rows;
      entries[q] = inside ? lower.data[(first + from + q) * lower.stride + row + i] : 0;
    } else {  // along memory, to be added up across
      const unsigned r = part + q * kParts;
      tile[r][i] = row + r < end ? lower.data[(row + r) * lower.stride + first + i] : 0;
    }
  double sum = 0;
  WEFT_UNROLL
  for (unsigned q = 0; q < kShare; ++q) {
    const Index j = first + from + q;
    sum += j < lower.rows ? inverses[j * kPanel + i] * left.data[j * left.stride + column] : 0;
  }
  sums[part][i] = sum;
  __syncthreads();
  if (part == 0) {
    solved[i] = added(sums, i);
    if (blockIdx.x == 0 && first + i < lower.rows) solution.data[(first + i) * solution.stride + column] = solved[i];
  }
  __syncthreads();
  sum = 0;
  WEFT_UNROLL
  for (unsigned q = 0; q < kShare; ++q)
    sum += (kTransposed ? entries[q] : tile[kTransposed ? 0 : i][from + q]) * solved[from + q];
  sums[part][i] = sum;
  __syncthreads();
  if (part == 0 && row + i < end) left.data[(row + i) * left.stride + column] -= added(sums, i);
}

template <bool kTransposed>
void solve_panels(const CudaDevice& device, View<const double> lower, View<double> rhs) {
  const Index panels = blocks_for(lower.rows, kPanel);
  const cudaStream_t stream = device.queue().stream;
  DeviceMatrix<double> inverses(device, panels * kPanel, kPanel), left(device, View<const double>(rhs));
  launch(invert_panels_kernel<kTransposed>, dim3(static_cast<unsigned>(panels)), dim3(kPanel), stream, lower,
         inverses.view().data);
  const auto columns = static_cast<unsigned>(rhs.cols);
  for (Index done = 0; done < panels; ++done) {
    const Index panel = kTransposed ? panels - 1 - done : done;
    const auto blocks = static_cast<unsigned>(std::max<Index>(1, panels - 1 - done));
    launch(solve_panel_kernel<kTransposed>, dim3(blocks, columns), dim3(kPanel, kParts), stream, lower,
           inverses.view().data, panel * kPanel, left.view(), rhs);
  }
}

}  // namespace

bool has_few_right_sides(Index n, Index columns) {
  return columns <= kFewColumns && n >= kLeastEquations;
}

void solve_few(const CudaDevice& device, View<const double> lower, bool transposed, View<double> rhs) {
  if (transposed)
    solve_panels<true>(device, lower, rhs);
  else
    solve_panels<false>(device, lower, rhs);
}

}  // namespace weft::detail::cuda
