// Projections on structured centres: H, the Walsh–Hadamard transform, in passes over four of its log₂ N levels, which a
// thread does in registers. A block that fits is transformed in shared memory, larger ones pass by pass in global
// memory.
#include "compute/cuda/feature_kernels.hpp"
#include "compute/cuda/launch.hpp"

namespace weft::detail::cuda {

namespace {

constexpr int kLevels = 4;
constexpr int kRadix = 1 << kLevels;

template <int kSize, class Real>
__device__ void butterflies(Real (&z)[kSize]) {
  WEFT_UNROLL
  for (int half = 1; half < kSize; half *= 2) {
    WEFT_UNROLL
    for (int k = 0; k < kSize; ++k)
      if ((k & half) == 0) {
        const Real sum = z[k] + z[k + half];
        z[k + half] = z[k] - z[k + half];
        z[k] = sum;
      }
  }
}

// One number of padding after 16, so that threads whose numbers lie 16 apart use different banks.
__device__ int padded(int k) {
  return k + k / kRadix;
}

/// The levels of strides `stride` … stride·kSize/2 of the numbers z, multiplied by the diagonal before, which has one
/// number for 2^shift of them.
template <int kSize, class Real>
__device__ void shared_pass(Real* z, int size, int stride, const Real* diagonal, int shift) {
  for (int unit = static_cast<int>(threadIdx.x); unit < size / kSize; unit += static_cast<int>(kThreads)) {
    const int first = (unit & ~(stride - 1)) * kSize + (unit & (stride - 1));
    Real own[kSize];
    WEFT_UNROLL
    for (int k = 0; k < kSize; ++k) {
      const int at = first + k * stride;
      own[k] = z[padded(at)];
      if (diagonal != nullptr) own[k] *= diagonal[at >> shift];
    }
    butterflies(own);
    WEFT_UNROLL
    for (int k = 0; k < kSize; ++k) z[padded(first + k * stride)] = own[k];
  }
  __syncthreads();
}

/// z ← H · diagonal · z
template <class Real>
__device__ void shared_transform(Real* z, int size, const Real* diagonal, int shift) {
  int stride = 1 << shift;
  for (; size / stride >= kRadix; stride *= kRadix, diagonal = nullptr)
    shared_pass<kRadix>(z, size, stride, diagonal, shift);
  if (size / stride == 8) shared_pass<8>(z, size, stride, diagonal, shift);
  if (size / stride == 4) shared_pass<4>(z, size, stride, diagonal, shift);
  if (size / stride == 2) shared_pass<2>(z, size, stride, diagonal, shift);
}

// One block of centres on 2^shift rows of the data, so that N·2^shift numbers fit. Writes 8 bytes an element (4 in
// float); x and the diagonals come from the second-level cache. In shared memory every number is read and written once
// for four levels: at N = 4096 20 times in all, which takes about as long as writing.
template <class Real>
__global__ void hadamard_kernel(View<const Real> diagonals, Real factor, View<const Real> x, int shift, unsigned strips,
                                View<Real> out) {
  __shared__ Real z[kMostHadamard + kMostHadamard / kRadix];
  const int count = static_cast<int>(diagonals.cols), size = count << shift, mask = (1 << shift) - 1;
  const Index block = blockIdx.x / strips;
  const Index first = static_cast<Index>(blockIdx.x % strips) << shift;
  const Real* diagonal = diagonals.data + 4 * block * diagonals.stride;
  for (int k = static_cast<int>(threadIdx.x); k < size; k += static_cast<int>(kThreads)) {
    const Index r = k >> shift, i = first + (k & mask);
    z[padded(k)] = r < x.rows && i < x.cols ? x.data[r * x.stride + i] : Real{0};
  }
  __syncthreads();
  for (int d = 0; d < 3; ++d) shared_transform(z, size, diagonal + d * diagonals.stride, shift);
  const Real* last = diagonal + 3 * diagonals.stride;
  for (int k = static_cast<int>(threadIdx.x); k < size; k += static_cast<int>(kThreads)) {
    const Index r = k >> shift, i = first + (k & mask), t = block * count + r;
    if (t < out.rows && i < out.cols) out.data[t * out.stride + i] = factor * last[r] * z[padded(k)];
  }
}

/// The row of the data and the number of the unit that a thread works on.
struct StepPlace {
  Index row, unit;
};
constexpr unsigned kStepRows = 32, kStepUnits = 8;
__device__ StepPlace step_place(unsigned strips) {
  return {static_cast<Index>(blockIdx.x % strips) * kStepRows + threadIdx.x,
          static_cast<Index>(blockIdx.x / strips) * kStepUnits + threadIdx.y};
}

// 16 bytes an element (8 in float), as the next two.
template <class Real>
__global__ void pad_kernel(View<const Real> x, unsigned strips, View<Real> z) {
  const StepPlace at = step_place(strips);
  if (at.row < z.cols && at.unit < z.rows)
    z.data[at.unit * z.stride + at.row] = at.unit < x.rows ? x.data[at.unit * x.stride + at.row] : Real{0};
}

template <int kSize, class Real>
__global__ void global_pass_kernel(View<Real> z, Index stride, const Real* diagonal, unsigned strips) {
  const StepPlace at = step_place(strips);
  if (at.row >= z.cols || at.unit >= z.rows / kSize) return;
  const Index first = (at.unit & ~(stride - 1)) * kSize + (at.unit & (stride - 1));
  Real own[kSize];
  WEFT_UNROLL
  for (int k = 0; k < kSize; ++k) {
    const Index r = first + k * stride;
    own[k] = z.data[r * z.stride + at.row];
    if (diagonal != nullptr) own[k] *= diagonal[r];
  }
  butterflies(own);
  WEFT_UNROLL
  for (int k = 0; k < kSize; ++k) z.data[(first + k * stride) * z.stride + at.row] = own[k];
}

template <class Real>
__global__ void finish_kernel(View<const Real> z, const Real* diagonal, Real factor, unsigned strips, View<Real> out) {
  const StepPlace at = step_place(strips);
  if (at.row < out.cols && at.unit < out.rows)
    out.data[at.unit * out.stride + at.row] = factor * diagonal[at.unit] * z.data[at.unit * z.stride + at.row];
}

template <class Real>
class GlobalTransform {
 public:
  GlobalTransform(cudaStream_t stream, View<Real> z) : stream_(stream), z_(z), strips_(blocks_for(z.cols, kStepRows)) {}

  void project(View<const Real> diagonals, Real factor, View<const Real> x, View<Real> out) const {
    launch(pad_kernel<Real>, grid(z_.rows), threads(), stream_, x, strips_, z_);
    for (Index d = 0; d < 3; ++d) transform(diagonals.row(d));
    launch(finish_kernel<Real>, grid(out.rows), threads(), stream_, View<const Real>(z_), diagonals.row(3), factor,
           strips_, out);
  }

 private:
  static dim3 threads() { return dim3(kStepRows, kStepUnits); }
  dim3 grid(Index units) const { return dim3(strips_ * blocks_for(units, kStepUnits)); }

  void transform(const Real* diagonal) const {
    Index stride = 1;
    for (; z_.rows / stride >= kRadix; stride *= kRadix, diagonal = nullptr) pass<kRadix>(stride, diagonal);
    if (z_.rows / stride == 8) pass<8>(stride, diagonal);
    if (z_.rows / stride == 4) pass<4>(stride, diagonal);
    if (z_.rows / stride == 2) pass<2>(stride, diagonal);
  }
  template <int kSize>
  void pass(Index stride, const Real* diagonal) const {
    launch(global_pass_kernel<kSize, Real>, grid(z_.rows / kSize), threads(), stream_, z_, stride, diagonal, strips_);
  }

  cudaStream_t stream_;
  View<Real> z_;
  unsigned strips_;
};

}  // namespace

template <class Real>
void project_hadamard(cudaStream_t stream, View<const Real> diagonals, Real factor, View<const Real> x,
                      View<Real> scratch, View<Real> out) {
  const Index size = diagonals.cols, blocks = (out.rows + size - 1) / size;
  if (size <= kMostHadamard) {
    int shift = 0;  // 32 rows lie in whole lines of memory
    while (shift < 5 && size << (shift + 1) <= kMostHadamard) ++shift;
    const unsigned strips = blocks_for(out.cols, 1U << shift);
    launch(hadamard_kernel<Real>, dim3(strips * static_cast<unsigned>(blocks)), dim3(kThreads), stream, diagonals,
           factor, x, shift, strips, out);
    return;
  }
  for (Index block = 0; block < blocks; ++block) {
    const Index first = block * size, count = out.rows - first < size ? out.rows - first : size;
    GlobalTransform<Real>(stream, scratch)
        .project(diagonals.row_range(4 * block, 4), factor, x, out.row_range(first, count));
  }
}
template void project_hadamard(cudaStream_t, View<const double>, double, View<const double>, View<double>,
                               View<double>);
template void project_hadamard(cudaStream_t, View<const float>, float, View<const float>, View<float>, View<float>);

}  // namespace weft::detail::cuda
