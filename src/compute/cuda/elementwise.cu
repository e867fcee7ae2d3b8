#include "compute/cuda/elementwise.hpp"

#include "compute/cuda/launch.hpp"

namespace weft::detail::cuda {

namespace {

constexpr unsigned kRowThreads = 64;  // of a block that adds up a row
constexpr unsigned kSide = 16;        // of the square of elements that a block of threads takes

/// Elements (row, column) of blocks of kSide × kSide threads.
__device__ Index row_of_thread() {
  return static_cast<Index>(blockIdx.y) * kSide + threadIdx.y;
}
__device__ Index column_of_thread() {
  return static_cast<Index>(blockIdx.x) * kSide + threadIdx.x;
}

template <class T>
dim3 squares(View<T> a) {
  return dim3(blocks_for(a.cols, kSide), blocks_for(a.rows, kSide));
}

__global__ void add_lower_kernel(View<const float> from, View<double> to) {
  const Index i = row_of_thread(), j = column_of_thread();
  if (i < to.rows && j <= i) to.data[i * to.stride + j] += static_cast<double>(from.data[i * from.stride + j]);
}

__global__ void add_all_kernel(View<const float> from, View<double> to) {
  const Index i = row_of_thread(), j = column_of_thread();
  if (i < to.rows && j < to.cols) to.data[i * to.stride + j] += static_cast<double>(from.data[i * from.stride + j]);
}

__global__ void fill_rows_kernel(const double* values, View<double> to) {
  const Index i = row_of_thread(), j = column_of_thread();
  if (i < to.rows && j < to.cols) to.data[i * to.stride + j] = values[i];
}

template <class Real>
__global__ void scale_columns_kernel(View<const Real> a, const Real* factors, View<Real> out) {
  const Index i = row_of_thread(), j = column_of_thread();
  if (i < out.rows && j < out.cols) out.data[i * out.stride + j] = a.data[i * a.stride + j] * factors[j];
}

template <class To>
__global__ void copy_lower_kernel(View<const double> from, View<To> to) {
  const Index i = row_of_thread(), j = column_of_thread();
  if (i < to.rows && j <= i) to.data[i * to.stride + j] = static_cast<To>(from.data[i * from.stride + j]);
}

template <class Real>
__global__ void add_to_diagonal_kernel(View<Real> a, const double* values) {
  const Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < a.rows) a.data[i * (a.stride + 1)] = static_cast<Real>(a.data[i * (a.stride + 1)] + values[i]);
}

__global__ void penalised_normal_kernel(View<const double> gram, const double* sums, double weight, double lambda,
                                        View<const double> penalty, double jitter, View<double> out) {
  const Index s = row_of_thread(), t = column_of_thread();
  if (s >= out.rows || t > s) return;
  const double value =
      gram.data[s * gram.stride + t] - sums[s] / weight * sums[t] + lambda * penalty.data[s * penalty.stride + t];
  out.data[s * out.stride + t] = s == t ? value + jitter : value;
}

__global__ void mirror_lower_kernel(View<double> a) {
  const Index i = row_of_thread(), j = column_of_thread();
  if (i < a.rows && j < i) a.data[j * a.stride + i] = a.data[i * a.stride + j];
}

// Through a tile, so that both sides are read and written along memory; its rows are one longer, so that columns lie in
// different banks.
__global__ void transpose_scaled_kernel(View<const double> phi, const double* amplitudes, double factor,
                                        View<double> out) {
  __shared__ double tile[kSide][kSide + 1];
  const Index t = row_of_thread(), i = column_of_thread();
  if (t < phi.rows && i < phi.cols)
    tile[threadIdx.y][threadIdx.x] = factor * (amplitudes[t] * phi.data[t * phi.stride + i]);
  __syncthreads();
  const Index to_row = static_cast<Index>(blockIdx.x) * kSide + threadIdx.y;
  const Index to_column = static_cast<Index>(blockIdx.y) * kSide + threadIdx.x;
  if (to_row < out.rows && to_column < out.cols)
    out.data[to_row * out.stride + to_column] = tile[threadIdx.x][threadIdx.y];
}

/// One block: every thread adds up its elements, and then pairs are added, always the same ones.
__global__ void inner_product_kernel(Index n, const double* x, const double* y, double* sum) {
  __shared__ double partial[kThreads];
  double own = 0;
  for (Index i = threadIdx.x; i < n; i += kThreads) own += x[i] * y[i];
  partial[threadIdx.x] = own;
  __syncthreads();
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) *sum = partial[0];
}

/// sums[i] = Σ a(i, j)². A block per row; what its threads have is added in their order.
__global__ void square_sums_kernel(View<const double> a, double* sums) {
  __shared__ double partial[kRowThreads];
  const Index i = blockIdx.x;
  double own = 0;
  for (Index j = threadIdx.x; j < a.cols; j += kRowThreads) {
    const double value = a.data[i * a.stride + j];
    own += value * value;
  }
  partial[threadIdx.x] = own;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (unsigned k = 1; k < kRowThreads; ++k) own += partial[k];
  sums[i] = own;
}

__global__ void add_scaled_kernel(Index n, double alpha, const double* x, double* y) {
  const Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}

}  // namespace

void add_lower(cudaStream_t stream, View<const float> from, View<double> to) {
  launch(add_lower_kernel, squares(to), dim3(kSide, kSide), stream, from, to);
}

void add_all(cudaStream_t stream, View<const float> from, View<double> to) {
  launch(add_all_kernel, squares(to), dim3(kSide, kSide), stream, from, to);
}

void fill_rows(cudaStream_t stream, const double* values, View<double> to) {
  launch(fill_rows_kernel, squares(to), dim3(kSide, kSide), stream, values, to);
}

void scale_columns(cudaStream_t stream, View<const double> a, const double* factors, View<double> out) {
  launch(scale_columns_kernel<double>, squares(out), dim3(kSide, kSide), stream, a, factors, out);
}

void scale_columns(cudaStream_t stream, View<const float> a, const float* factors, View<float> out) {
  launch(scale_columns_kernel<float>, squares(out), dim3(kSide, kSide), stream, a, factors, out);
}

void copy_lower(cudaStream_t stream, View<const double> from, View<double> to) {
  launch(copy_lower_kernel<double>, squares(to), dim3(kSide, kSide), stream, from, to);
}

void copy_lower(cudaStream_t stream, View<const double> from, View<float> to) {
  launch(copy_lower_kernel<float>, squares(to), dim3(kSide, kSide), stream, from, to);
}

void add_to_diagonal(cudaStream_t stream, View<double> a, const double* values) {
  launch(add_to_diagonal_kernel<double>, dim3(blocks_for(a.rows)), dim3(kThreads), stream, a, values);
}

void add_to_diagonal(cudaStream_t stream, View<float> a, const double* values) {
  launch(add_to_diagonal_kernel<float>, dim3(blocks_for(a.rows)), dim3(kThreads), stream, a, values);
}

void square_sums(cudaStream_t stream, View<const double> a, double* sums) {
  launch(square_sums_kernel, dim3(blocks_for(a.rows, 1)), dim3(kRowThreads), stream, a, sums);
}

void penalised_normal(cudaStream_t stream, View<const double> gram, const double* sums, double weight, double lambda,
                      View<const double> penalty, double jitter, View<double> out) {
  launch(penalised_normal_kernel, squares(out), dim3(kSide, kSide), stream, gram, sums, weight, lambda, penalty, jitter,
         out);
}

void mirror_lower(cudaStream_t stream, View<double> a) {
  launch(mirror_lower_kernel, squares(a), dim3(kSide, kSide), stream, a);
}

void transpose_scaled(cudaStream_t stream, View<const double> phi, const double* amplitudes, double factor,
                      View<double> out) {
  launch(transpose_scaled_kernel, squares(phi), dim3(kSide, kSide), stream, phi, amplitudes, factor, out);
}

void inner_product(cudaStream_t stream, Index n, const double* x, const double* y, double* sum) {
  launch(inner_product_kernel, dim3(1), dim3(kThreads), stream, n, x, y, sum);
}

void add_scaled(cudaStream_t stream, Index n, double alpha, const double* x, double* y) {
  launch(add_scaled_kernel, dim3(blocks_for(n)), dim3(kThreads), stream, n, alpha, x, y);
}

}  // namespace weft::detail::cuda
