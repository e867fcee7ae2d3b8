// Distances between pairs of rows, and kernels as functions of them, from differences or from inner products.
#include "compute/cuda/distance_functions.hpp"

namespace weft::detail::cuda {

namespace {

// From differences. A block computes 64 rows × 64 (double) or 128 columns (float), a thread 8 × 2 or 8 × 4 of them: its
// sums stay in registers, panels of kDepth inputs of both sides in shared memory. One row of a panel is read by a warp
// as neighbouring columns, and 8 numbers of the other side are the same for all its threads.
//
// What bounds it: per pair and input two additions, at half the rate that counts fused ones double (34 and 67 TFLOP/s
// on an H200: 8.4 and 16.8 · 10¹² pair inputs a second). For 16 (32) pairs a warp reads 6 times from shared memory.
// Panels cost 1/64 + 1/64 (1/128) numbers of the second-level cache a pair input, 2 TB/s at full rate in double, 1.6 in
// single precision; with fewer than about 20 inputs the exponential and storing 8 bytes a pair take longer.
constexpr int kDepth = 16;
constexpr int kRowsEach = 8;
constexpr int kRows = kRowsEach * static_cast<int>(kWarps);
template <class Real>
constexpr int kColsEach = 16 / static_cast<int>(sizeof(Real));
template <class Real>
constexpr int kCols = static_cast<int>(kLanes) * kColsEach<Real>;

/// panel[k][i] = from(first_input + k, first_row + i), 0 beyond its end.
template <class Real, int kWidth>
__device__ void load_panel(View<const Real> from, Index first_input, Index first_row, Real (&panel)[kDepth][kWidth]) {
  constexpr int kThreadsOfBlock = static_cast<int>(kLanes * kWarps);
#pragma unroll
  for (int e = 0; e < kDepth * kWidth; e += kThreadsOfBlock) {
    const int k = (e + thread_of_block()) / kWidth, i = (e + thread_of_block()) % kWidth;
    const bool inside = first_input + k < from.rows && first_row + i < from.cols;
    panel[k][i] = inside ? element(from, first_input + k, first_row + i) : Real{0};
  }
}

template <class Real, bool kSquared>
__device__ void add_differences(int count, const Real (&left)[kDepth][kRows], const Real (&right)[kDepth][kCols<Real>],
                                Real (&sums)[kRowsEach][kColsEach<Real>]) {
#pragma unroll 4
  for (int k = 0; k < count; ++k) {
    Real rows[kRowsEach], cols[kColsEach<Real>];
#pragma unroll
    for (int r = 0; r < kRowsEach; ++r) rows[r] = left[k][static_cast<int>(threadIdx.y) * kRowsEach + r];
#pragma unroll
    for (int c = 0; c < kColsEach<Real>; ++c)
      cols[c] = right[k][c * static_cast<int>(kLanes) + static_cast<int>(threadIdx.x)];
#pragma unroll
    for (int r = 0; r < kRowsEach; ++r)
#pragma unroll
      for (int c = 0; c < kColsEach<Real>; ++c) {
        const Real difference = cols[c] - rows[r];
        sums[r][c] += kSquared ? difference * difference : std::fabs(difference);
      }
  }
}

template <class Real, bool kSquared, bool kSlopes, class Out>
__global__ void __launch_bounds__(kLanes* kWarps)
    differences_kernel(DecayOf<Real> decay, View<const Real> a, View<const Real> b, bool lower, Index tiles_of_cols,
                       View<Out> out) {
  alignas(16) __shared__ Real left[kDepth][kRows];
  alignas(16) __shared__ Real right[kDepth][kCols<Real>];
  const Index first_row = static_cast<Index>(blockIdx.x) / tiles_of_cols * kRows;
  const Index first_col = static_cast<Index>(blockIdx.x) % tiles_of_cols * kCols<Real>;
  if (lower && first_row + kRows <= first_col) return;
  Real sums[kRowsEach][kColsEach<Real>] = {};
  for (Index k = 0; k < a.rows; k += kDepth) {
    load_panel(a, k, first_row, left);
    load_panel(b, k, first_col, right);
    __syncthreads();
    add_differences<Real, kSquared>(static_cast<int>(a.rows - k < kDepth ? a.rows - k : kDepth), left, right, sums);
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < kRowsEach; ++r)
#pragma unroll
    for (int c = 0; c < kColsEach<Real>; ++c) {
      const Index t = first_row + static_cast<int>(threadIdx.y) * kRowsEach + r;
      const Index i = first_col + c * static_cast<int>(kLanes) + static_cast<int>(threadIdx.x);
      if (t < out.rows && i < out.cols)
        element(out, t, i) = static_cast<Out>(kSlopes ? decay.slope(sums[r][c]) : decay.value(sums[r][c]));
    }
}

template <class Real, bool kSlopes, class Out>
void differences(cudaStream_t stream, const DistanceDecay& form, View<const Real> a, View<const Real> b, bool lower,
                 View<Out> out) {
  const Index tiles_of_cols = blocks_for(b.cols, static_cast<unsigned>(kCols<Real>));
  const dim3 blocks(blocks_for(a.cols, kRows) * static_cast<unsigned>(tiles_of_cols)), threads(kLanes, kWarps);
  const auto decay = decay_of<Real>(form.decay);
  if (form.squared)
    launch(differences_kernel<Real, true, kSlopes, Out>, blocks, threads, stream, decay, a, b, lower, tiles_of_cols,
           out);
  else
    launch(differences_kernel<Real, false, kSlopes, Out>, blocks, threads, stream, decay, a, b, lower, tiles_of_cols,
           out);
}

// From inner products: reads a product and writes a value, 16 bytes a pair, 3.3 ps at 4.8 TB/s; the exponential in
// double takes about 2 ps. A pair that is near reads the inputs of both rows again. A thread takes kMarkedRows pairs of
// one column, so that their loads are under way together.
template <class Real>
__device__ bool squared_from_product(const DecayOf<Real>& decay, const Side<Real>& a, Index t, const Side<Real>& b,
                                     Index i, Real product, Real& x) {
  const Real sum = a.squares[t] + b.squares[i];
  x = sum - 2 * product;
  if (x < 0) x = 0;
  return decay.power < 1 && x < kNear<Real> * sum;
}

template <class Real>
__global__ void values_from_products_kernel(DecayOf<Real> decay, View<const Real> products, Side<Real> a, Side<Real> b,
                                            Index blocks_of_cols, View<double> out) {
  const Index first = static_cast<Index>(blockIdx.x) / blocks_of_cols * kMarkedRows;
  const Index i = static_cast<Index>(blockIdx.x) % blocks_of_cols * kThreads + threadIdx.x;
  if (i >= out.cols) return;
#pragma unroll
  for (Index r = 0; r < kMarkedRows; ++r) {
    const Index t = first + r;
    if (t >= out.rows) break;
    Real x;
    if (squared_from_product(decay, a, t, b, i, element(products, t, i), x)) x = squared_distance(a.rows, t, b.rows, i);
    element(out, t, i) = static_cast<double>(decay.value(x));
  }
}

template <class Real>
__global__ void slopes_from_products_kernel(DecayOf<Real> decay, View<const Real> products, Side<Real> a, Side<Real> b,
                                            Index blocks_of_cols, View<double> slopes, View<unsigned char> near) {
  const Index group = static_cast<Index>(blockIdx.x) / blocks_of_cols, first = group * kMarkedRows;
  const Index i = static_cast<Index>(blockIdx.x) % blocks_of_cols * kThreads + threadIdx.x;
  if (i >= slopes.cols) return;
  unsigned marks = 0;
#pragma unroll
  for (unsigned r = 0; r < kMarkedRows; ++r) {
    const Index t = first + r;
    if (t >= slopes.rows) break;
    Real x;
    const bool is_near = squared_from_product(decay, a, t, b, i, element(products, t, i), x);
    marks |= is_near ? 1U << r : 0U;
    element(slopes, t, i) = is_near ? 0.0 : static_cast<double>(decay.slope(x));
  }
  element(near, group, i) = static_cast<unsigned char>(marks);
}

// Memory, as above.
__global__ void angular_from_products_kernel(View<const double> products, Side<double> a, Side<double> b,
                                             Index blocks_of_cols, View<double> out) {
  constexpr double kSame = 1e-14, kTwoOverPi = 0.63661977236758134308;
  const Index first = static_cast<Index>(blockIdx.x) / blocks_of_cols * kMarkedRows;
  const Index i = static_cast<Index>(blockIdx.x) % blocks_of_cols * kThreads + threadIdx.x;
  if (i >= out.cols) return;
  const double yy = b.squares[i];
#pragma unroll
  for (Index r = 0; r < kMarkedRows; ++r) {
    const Index t = first + r;
    if (t >= out.rows) break;
    const double xx = a.squares[t], xy = element(products, t, i);
    const double norms = std::sqrt(xx) * std::sqrt(yy);  // xx·yy itself may leave the doubles
    // Equal rows: the inner product is the square, whatever its rounding (arcsin is steep at 1).
    const bool same = std::fabs(xy - xx) <= kSame * xx && std::fabs(xy - yy) <= kSame * yy;
    const double cosine = norms > 0 ? (same ? 1.0 : xy / norms) : 0.0;
    element(out, t, i) = kTwoOverPi * std::asin(cosine > 1 ? 1.0 : cosine < -1 ? -1.0 : cosine);
  }
}

// Reads 8 bytes a number and writes as many: the warps of a block share the inputs, and their sums are added in order.
template <class Real>
__global__ void move_rows_kernel(View<const double> from, const double* centre, View<Real> to, Real* squares) {
  __shared__ Real sums[kWarps][kLanes];
  const Index i = static_cast<Index>(blockIdx.x) * kLanes + threadIdx.x;
  Real sum = 0;
  if (i < from.cols) {
#pragma unroll 4
    for (Index k = threadIdx.y; k < from.rows; k += kWarps) {
      const auto moved = static_cast<Real>(element(from, k, i) - (centre == nullptr ? 0.0 : centre[k]));
      element(to, k, i) = moved;
      sum += moved * moved;
    }
  }
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y > 0 || i >= from.cols || squares == nullptr) return;
  for (unsigned w = 1; w < kWarps; ++w) sum += sums[w][threadIdx.x];
  squares[i] = sum;
}

/// Groups of kMarkedRows rows × blocks of columns.
unsigned groups_and_blocks(Index rows, Index cols) {
  return blocks_for(rows, static_cast<unsigned>(kMarkedRows)) * blocks_for(cols);
}

}  // namespace

template <class Real>
void move_rows(cudaStream_t stream, View<const double> from, const double* centre, View<Real> to, Real* squares) {
  launch(move_rows_kernel<Real>, dim3(blocks_for(from.cols, kLanes)), dim3(kLanes, kWarps), stream, from, centre, to,
         squares);
}

template <class Real>
void values_from_differences(cudaStream_t stream, const DistanceDecay& form, View<const Real> a, View<const Real> b,
                             bool lower, View<double> out) {
  differences<Real, false>(stream, form, a, b, lower, out);
}

template <class Real>
void slopes_from_differences(cudaStream_t stream, const DistanceDecay& form, View<const Real> a, View<const Real> b,
                             View<Real> slopes) {
  differences<Real, true>(stream, form, a, b, false, slopes);
}

template <class Real>
void values_from_products(cudaStream_t stream, const Decay& decay, View<const Real> products, const Side<Real>& a,
                          const Side<Real>& b, View<double> out) {
  launch(values_from_products_kernel<Real>, dim3(groups_and_blocks(out.rows, out.cols)), dim3(kThreads), stream,
         decay_of<Real>(decay), products, a, b, static_cast<Index>(blocks_for(out.cols)), out);
}

void angular_from_products(cudaStream_t stream, View<const double> products, const Side<double>& a,
                           const Side<double>& b, View<double> out) {
  launch(angular_from_products_kernel, dim3(groups_and_blocks(out.rows, out.cols)), dim3(kThreads), stream, products, a,
         b, static_cast<Index>(blocks_for(out.cols)), out);
}

template <class Real>
void slopes_from_products(cudaStream_t stream, const Decay& decay, View<const Real> products, const Side<Real>& a,
                          const Side<Real>& b, View<double> slopes, View<unsigned char> near) {
  launch(slopes_from_products_kernel<Real>, dim3(groups_and_blocks(slopes.rows, slopes.cols)), dim3(kThreads), stream,
         decay_of<Real>(decay), products, a, b, static_cast<Index>(blocks_for(slopes.cols)), slopes, near);
}

template void move_rows(cudaStream_t, View<const double>, const double*, View<double>, double*);
template void move_rows(cudaStream_t, View<const double>, const double*, View<float>, float*);
template void values_from_differences(cudaStream_t, const DistanceDecay&, View<const double>, View<const double>, bool,
                                      View<double>);
template void values_from_differences(cudaStream_t, const DistanceDecay&, View<const float>, View<const float>, bool,
                                      View<double>);
template void slopes_from_differences(cudaStream_t, const DistanceDecay&, View<const double>, View<const double>,
                                      View<double>);
template void slopes_from_differences(cudaStream_t, const DistanceDecay&, View<const float>, View<const float>,
                                      View<float>);
template void values_from_products(cudaStream_t, const Decay&, View<const double>, const Side<double>&,
                                   const Side<double>&, View<double>);
template void values_from_products(cudaStream_t, const Decay&, View<const float>, const Side<float>&,
                                   const Side<float>&, View<double>);
template void slopes_from_products(cudaStream_t, const Decay&, View<const double>, const Side<double>&,
                                   const Side<double>&, View<double>, View<unsigned char>);
template void slopes_from_products(cudaStream_t, const Decay&, View<const float>, const Side<float>&,
                                   const Side<float>&, View<double>, View<unsigned char>);

}  // namespace weft::detail::cuda
