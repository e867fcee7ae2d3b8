// What the kernels of distances.cu and distance_gradients.cu have in common; for the files that nvcc compiles.
#pragma once

#include "compute/cuda/distances.hpp"
#include "compute/cuda/launch.hpp"

#include <cmath>

namespace weft::detail::cuda {

// Blocks of kWarps × kLanes threads: a warp lies along the columns, which lie along memory.
constexpr unsigned kLanes = 32, kWarps = 8;

template <class T>
__device__ T& element(View<T> a, Index i, Index j) {
  return a.data[i * a.stride + j];
}

__device__ inline int thread_of_block() {
  return static_cast<int>(threadIdx.y * kLanes + threadIdx.x);
}

template <class Real>
struct DecayOf {
  Real rate, power;
  /// (rate·x)^power
  __device__ Real exponent(Real x) const {
    if (power == Real{1}) return rate * x;
    if (power == static_cast<Real>(0.5)) return std::sqrt(rate * x);
    return std::exp(power * std::log(rate * x));  // 0 where x = 0: log gives −∞
  }
  __device__ Real value(Real x) const { return std::exp(-exponent(x)); }
  /// The derivative; 0 where x = 0.
  __device__ Real slope(Real x) const {
    if (!(x > 0)) return x - x;
    const Real u = exponent(x);
    return -power * (u / x) * std::exp(-u);
  }
};

template <class Real>
DecayOf<Real> decay_of(const Decay& decay) {
  return {static_cast<Real>(decay.rate), static_cast<Real>(decay.power)};
}

/// ‖a_t − b_i‖² from differences. Threads of a warp have one t and neighbouring i.
template <class Real>
__device__ Real squared_distance(View<const Real> a, Index t, View<const Real> b, Index i) {
  Real sum = 0;
#pragma unroll 4
  for (Index k = 0; k < a.rows; ++k) {
    const Real difference = element(b, k, i) - element(a, k, t);
    sum += difference * difference;
  }
  return sum;
}

}  // namespace weft::detail::cuda
