// Gradients of sums of kernels of distances, from the slopes of the pairs.
#include "compute/cuda/distance_functions.hpp"

#include <algorithm>
#include <type_traits>

namespace weft::detail::cuda {

namespace {

// Sums over signs or differences. A block takes 64 columns and up to 8 groups of kRowsEach inputs, a group per warp;
// with fewer groups the warps of a group share the rows t of a panel, and what they have is added in their order. A
// thread's sums, of kOutputs outputs, and the numbers of b that belong to them stay in registers, panels of kDepth rows
// t of a, of the slopes and of the coefficients in shared memory.
//
// What bounds it: per t, input and column two comparisons and an addition per output (8-byte ones; the differences of
// squared forms one subtraction less), 5.6 · 10¹² a second on an H200 for one output in double. The slopes are read
// once per block from the second-level cache, 1/64 (1/32) number for each.
constexpr int kDepth = 32;
constexpr int kColsEach = 2;
constexpr int kCols = kColsEach * static_cast<int>(kLanes);
constexpr int kGroups = static_cast<int>(kWarps);
constexpr int kOutputsTogether = 4;
/// Inputs of a thread.
template <int kOutputs>
constexpr int kRowsEach = kOutputs == 1 ? 8 : 4;

template <class Real, int kOutputs>
struct Panels {
  Real left[kGroups * kRowsEach<kOutputs>][kDepth];
  Real slopes[kDepth][kCols];
  Real coefficients[kDepth][kOutputs];
};

struct SumTask {
  Index inputs;
  Index outputs;    // at most kOutputs
  Index part_rows;  // rows t of a part, a multiple of kDepth
  int groups;       // of inputs in a block: 1, 2, 4 or 8
};

template <class Real, int kOutputs>
__device__ void load_panels(const SumTask& task, View<const Real> a, View<const double> coefficients,
                            View<const Real> slopes, Index first, Index count, Panels<Real, kOutputs>& panels) {
  constexpr int kThreadsOfBlock = static_cast<int>(kLanes * kWarps);
  const Index first_input = static_cast<Index>(blockIdx.y) * (task.groups * kRowsEach<kOutputs>);
  const Index first_col = static_cast<Index>(blockIdx.x) * kCols;
#pragma unroll 2
  for (int e = thread_of_block(); e < task.groups * kRowsEach<kOutputs> * kDepth; e += kThreadsOfBlock) {
    const int j = e / kDepth, t = e % kDepth;
    panels.left[j][t] = first_input + j < task.inputs && t < count ? element(a, first_input + j, first + t) : Real{0};
  }
#pragma unroll 4
  for (int e = thread_of_block(); e < kDepth * kCols; e += kThreadsOfBlock) {
    const int t = e / kCols, i = e % kCols;
    panels.slopes[t][i] =
        t < count && first_col + i < slopes.cols ? element(slopes, first + t, first_col + i) : Real{0};
  }
  if (thread_of_block() < kDepth * kOutputs) {
    const int t = thread_of_block() / kOutputs, o = thread_of_block() % kOutputs;
    panels.coefficients[t][o] =
        t < count && o < task.outputs ? static_cast<Real>(element(coefficients, first + t, o)) : Real{0};
  }
}

template <bool kSquared, class Real>
__device__ Real derivative(Real b, Real a) {
  if constexpr (kSquared)
    return b - a;
  else
    return b > a ? Real{1} : b < a ? Real{-1} : Real{0};
}

template <bool kSquared, class Real, int kOutputs>
__device__ void add_panel(int first_row, int begin, int step, const Panels<Real, kOutputs>& panels,
                          const Real (&b)[kRowsEach<kOutputs>][kColsEach],
                          Real (&sums)[kOutputs][kRowsEach<kOutputs>][kColsEach]) {
#pragma unroll 1
  for (int t = begin; t < kDepth; t += step) {
    Real weights[kOutputs][kColsEach];
#pragma unroll
    for (int c = 0; c < kColsEach; ++c) {
      const Real slope = panels.slopes[t][c * static_cast<int>(kLanes) + static_cast<int>(threadIdx.x)];
#pragma unroll
      for (int o = 0; o < kOutputs; ++o) weights[o][c] = panels.coefficients[t][o] * slope;
    }
#pragma unroll
    for (int r = 0; r < kRowsEach<kOutputs>; ++r)
#pragma unroll
      for (int c = 0; c < kColsEach; ++c) {
        const Real term = derivative<kSquared>(b[r][c], panels.left[first_row + r][t]);
#pragma unroll
        for (int o = 0; o < kOutputs; ++o) sums[o][r][c] += weights[o][c] * term;
      }
  }
}

/// The sums of the warps that share a group, in their order, to those of the first. One output at a time passes through
/// `shared`.
template <int kOutputs>
__device__ void add_shares(int groups, int group, int share, double* shared,
                           double (&totals)[kOutputs][kRowsEach<kOutputs>][kColsEach]) {
  constexpr int kRows = kRowsEach<kOutputs>;
  const auto place = [=](int r, int c) {
    return ((group * kRows + r) * kColsEach + c) * static_cast<int>(kLanes) + static_cast<int>(threadIdx.x);
  };
  for (int s = 1; s < kGroups / groups; ++s)
#pragma unroll
    for (int o = 0; o < kOutputs; ++o) {
      __syncthreads();
      if (share == s)
#pragma unroll
        for (int r = 0; r < kRows; ++r)
#pragma unroll
          for (int c = 0; c < kColsEach; ++c) shared[place(r, c)] = totals[o][r][c];
      __syncthreads();
      if (share == 0)
#pragma unroll
        for (int r = 0; r < kRows; ++r)
#pragma unroll
          for (int c = 0; c < kColsEach; ++c) totals[o][r][c] += shared[place(r, c)];
    }
}

/// On one processor: as many as its registers hold.
template <class Real, int kOutputs>
constexpr int kBlocks = std::is_same_v<Real, float>&& kOutputs > 1 ? 1 : 2;

template <class Real, bool kSquared, int kOutputs>
__global__ void __launch_bounds__(kLanes* kWarps, kBlocks<Real, kOutputs>)
    gradient_sums_kernel(SumTask task, View<const Real> a, View<const double> coefficients, View<const Real> slopes,
                         View<const Real> b, Index part_stride, View<double> out) {
  constexpr int kRows = kRowsEach<kOutputs>;
  constexpr int kMostShared = kGroups / 2 * kRows * kCols;  // a group that shares nothing needs none
  union Shared {
    Panels<Real, kOutputs> panels;
    double shares[kMostShared];
  };
  alignas(16) __shared__ unsigned char memory[sizeof(Shared)];
  auto& shared = *reinterpret_cast<Shared*>(memory);
  const int warp = static_cast<int>(threadIdx.y), group = warp % task.groups, share = warp / task.groups;
  const Index first_input = (static_cast<Index>(blockIdx.y) * task.groups + group) * kRows;
  const Index first_col = static_cast<Index>(blockIdx.x) * kCols + threadIdx.x;
  Real right[kRows][kColsEach];
#pragma unroll
  for (int r = 0; r < kRows; ++r)
#pragma unroll
    for (int c = 0; c < kColsEach; ++c) {
      const Index j = first_input + r, i = first_col + c * static_cast<int>(kLanes);
      right[r][c] = j < task.inputs && i < b.cols ? element(b, j, i) : Real{0};
    }
  double totals[kOutputs][kRows][kColsEach] = {};
  const Index begin = static_cast<Index>(blockIdx.z) * task.part_rows;
  const Index end = begin + task.part_rows < a.cols ? begin + task.part_rows : a.cols;
  for (Index first = begin; first < end; first += kDepth) {
    load_panels(task, a, coefficients, slopes, first, end - first, shared.panels);
    __syncthreads();
    if constexpr (std::is_same_v<Real, double>) {
      add_panel<kSquared>(group * kRows, share, kGroups / task.groups, shared.panels, right, totals);
    } else {  // of one panel in single precision
      Real sums[kOutputs][kRows][kColsEach] = {};
      add_panel<kSquared>(group * kRows, share, kGroups / task.groups, shared.panels, right, sums);
#pragma unroll
      for (int o = 0; o < kOutputs; ++o)
#pragma unroll
        for (int r = 0; r < kRows; ++r)
#pragma unroll
          for (int c = 0; c < kColsEach; ++c) totals[o][r][c] += static_cast<double>(sums[o][r][c]);
    }
    __syncthreads();
  }
  add_shares<kOutputs>(task.groups, group, share, shared.shares, totals);
  if (share > 0) return;
  const Index part = static_cast<Index>(blockIdx.z) * part_stride;
#pragma unroll
  for (int o = 0; o < kOutputs; ++o)
#pragma unroll
    for (int r = 0; r < kRows; ++r)
#pragma unroll
      for (int c = 0; c < kColsEach; ++c) {
        const Index j = first_input + r, i = first_col + c * static_cast<int>(kLanes);
        if (o < task.outputs && j < task.inputs && i < out.cols)
          element(out, part + o * task.inputs + j, i) += (kSquared ? 2 : 1) * totals[o][r][c];
      }
}

// Reads every part once: memory.
__global__ void add_parts_kernel(View<const double> parts, View<double> out) {
  const Index i = static_cast<Index>(blockIdx.x) * kLanes + threadIdx.x;
  const Index r = static_cast<Index>(blockIdx.y) * kWarps + threadIdx.y;
  if (r >= out.rows || i >= out.cols) return;
  double sum = element(out, r, i);
  for (Index row = r; row < parts.rows; row += out.rows) sum += element(parts, row, i);
  element(out, r, i) = sum;
}

// Memory: 16 bytes an element of `to`.
__global__ void weigh_rows_kernel(View<const double> a, View<const double> coefficients, View<double> to) {
  const Index t = static_cast<Index>(blockIdx.x) * kThreads + threadIdx.x;
  if (t >= a.cols) return;
  for (Index row = blockIdx.y; row < to.rows; row += gridDim.y)
    element(to, row, t) = -2 * element(coefficients, t, row / a.rows) * element(a, row % a.rows, t);
}

// Memory: 24 bytes an element of `out`.
__global__ void add_scaled_columns_kernel(View<const double> b, View<const double> totals, View<double> out) {
  const Index i = static_cast<Index>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= b.cols) return;
  for (Index row = blockIdx.y; row < out.rows; row += gridDim.y)
    element(out, row, i) += element(b, row % b.rows, i) * element(totals, row / b.rows, i);
}

constexpr Index kScanned = 32;  // bytes of marks that a thread looks at between barriers

/// The terms of column i that the marks of some groups stand for.
template <class Real>
__device__ void add_marked(const DecayOf<Real>& decay, View<const Real> a, View<const Real> b,
                           View<const double> exact_a, View<const double> exact_b, View<const unsigned char> near,
                           View<const double> coefficients, Index first, Index i, View<double> out) {
  for (Index group = first; group < near.rows && group < first + kScanned; ++group) {
    const unsigned marks = element(near, group, i);
    for (Index r = 0; r < kMarkedRows; ++r) {
      if ((marks >> r & 1U) == 0) continue;
      const Index t = group * kMarkedRows + r;
      const auto slope = static_cast<double>(decay.slope(squared_distance(a, t, b, i)));
      if (slope == 0) continue;
      for (Index o = 0; o < coefficients.cols; ++o) {
        const double weight = 2 * element(coefficients, t, o) * slope;
        for (Index j = 0; j < a.rows; ++j)
          element(out, o * a.rows + j, i) += weight * (element(exact_b, j, i) - element(exact_a, j, t));
      }
    }
  }
}

// The warps of a block look through the marks of 32 columns together, a byte for kMarkedRows pairs: where few are
// marked, memory bounds it, at 1/64 of what the slopes take. One of them then adds the terms of its columns in order,
// each of them inputs × outputs additions to memory.
template <class Real>
__global__ void near_gradients_kernel(DecayOf<Real> decay, View<const Real> a, View<const Real> b,
                                      View<const double> exact_a, View<const double> exact_b,
                                      View<const unsigned char> near, View<const double> coefficients,
                                      View<double> out) {
  __shared__ unsigned found[kWarps][kLanes];
  const Index i = static_cast<Index>(blockIdx.x) * kLanes + threadIdx.x;
  for (Index first = 0; first < near.rows; first += kScanned * kWarps) {
    const Index begin = first + threadIdx.y * kScanned;
    unsigned marks = 0;
#pragma unroll 16
    for (Index k = 0; k < kScanned; ++k)
      if (i < b.cols && begin + k < near.rows) marks |= element(near, begin + k, i);
    found[threadIdx.y][threadIdx.x] = marks;
    __syncthreads();
    for (unsigned w = 0; w < kWarps && threadIdx.y == 0; ++w)
      if (found[w][threadIdx.x] != 0)
        add_marked(decay, a, b, exact_a, exact_b, near, coefficients, first + w * kScanned, i, out);
    __syncthreads();
  }
}

template <class Real, int kOutputs>
void add_some_gradients(cudaStream_t stream, bool squared, View<const Real> a, View<const double> coefficients,
                        View<const Real> slopes, View<const Real> b, Index parts, Index part_stride, View<double> out) {
  SumTask task{a.rows, coefficients.cols, 0, 1};
  while (task.groups < kGroups && task.groups * kRowsEach<kOutputs> < a.rows) task.groups *= 2;
  task.part_rows = static_cast<Index>(blocks_for(blocks_for(a.cols, kDepth), static_cast<unsigned>(parts))) * kDepth;
  const dim3 blocks(blocks_for(b.cols, kCols),
                    blocks_for(a.rows, static_cast<unsigned>(task.groups * kRowsEach<kOutputs>)),
                    static_cast<unsigned>(parts));
  const dim3 threads(kLanes, kWarps);
  if (squared)
    launch(gradient_sums_kernel<Real, true, kOutputs>, blocks, threads, stream, task, a, coefficients, slopes, b,
           part_stride, out);
  else
    launch(gradient_sums_kernel<Real, false, kOutputs>, blocks, threads, stream, task, a, coefficients, slopes, b,
           part_stride, out);
}

constexpr unsigned kMostRowBlocks = 65535;  // the second dimension of a grid

}  // namespace

// Two blocks for each of 132 processors, but at least 8 panels each.
Index gradient_parts(Index inputs, Index rows, Index outputs, Index cols) {
  constexpr Index kWanted = 264, kLeastRows = 8 * kDepth;
  const Index inputs_each = kGroups * (outputs == 1 ? kRowsEach<1> : kRowsEach<kOutputsTogether>);
  const Index blocks = (inputs + inputs_each - 1) / inputs_each * ((cols + kCols - 1) / kCols);
  return std::max<Index>(1, std::min(kWanted / blocks, rows / kLeastRows));
}

template <class Real>
void add_gradients(cudaStream_t stream, bool squared, View<const Real> a, View<const double> coefficients,
                   View<const Real> slopes, View<const Real> b, Index parts, View<double> out) {
  const Index part_stride = out.rows / parts;
  if (coefficients.cols == 1)
    return add_some_gradients<Real, 1>(stream, squared, a, coefficients, slopes, b, parts, part_stride, out);
  for (Index o = 0; o < coefficients.cols; o += kOutputsTogether) {
    const Index outputs = std::min<Index>(kOutputsTogether, coefficients.cols - o);
    add_some_gradients<Real, kOutputsTogether>(stream, squared, a, coefficients.col_range(o, outputs), slopes, b, parts,
                                               part_stride, out.row_range(o * a.rows, out.rows - o * a.rows));
  }
}

void add_parts(cudaStream_t stream, View<const double> parts, View<double> out) {
  launch(add_parts_kernel, dim3(blocks_for(out.cols, kLanes), blocks_for(out.rows, kWarps)), dim3(kLanes, kWarps),
         stream, parts, out);
}

void weigh_rows(cudaStream_t stream, View<const double> a, View<const double> coefficients, View<double> to) {
  const auto rows = static_cast<unsigned>(std::min<Index>(to.rows, kMostRowBlocks));
  launch(weigh_rows_kernel, dim3(blocks_for(a.cols), rows), dim3(kThreads), stream, a, coefficients, to);
}

void add_scaled_columns(cudaStream_t stream, View<const double> b, View<const double> totals, View<double> out) {
  const auto rows = static_cast<unsigned>(std::min<Index>(out.rows, kMostRowBlocks));
  launch(add_scaled_columns_kernel, dim3(blocks_for(b.cols), rows), dim3(kThreads), stream, b, totals, out);
}

template <class Real>
void add_near_gradients(cudaStream_t stream, const Decay& decay, View<const Real> a, View<const Real> b,
                        View<const double> exact_a, View<const double> exact_b, View<const unsigned char> near,
                        View<const double> coefficients, View<double> out) {
  launch(near_gradients_kernel<Real>, dim3(blocks_for(b.cols, kLanes)), dim3(kLanes, kWarps), stream,
         decay_of<Real>(decay), a, b, exact_a, exact_b, near, coefficients, out);
}

template void add_gradients(cudaStream_t, bool, View<const double>, View<const double>, View<const double>,
                            View<const double>, Index, View<double>);
template void add_gradients(cudaStream_t, bool, View<const float>, View<const double>, View<const float>,
                            View<const float>, Index, View<double>);
template void add_near_gradients(cudaStream_t, const Decay&, View<const double>, View<const double>, View<const double>,
                                 View<const double>, View<const unsigned char>, View<const double>, View<double>);
template void add_near_gradients(cudaStream_t, const Decay&, View<const float>, View<const float>, View<const double>,
                                 View<const double>, View<const unsigned char>, View<const double>, View<double>);

}  // namespace weft::detail::cuda
