// How kernels are launched; for the files that nvcc compiles.
#pragma once

#include "compute/cuda/runtime.hpp"

// Before a loop whose arrays are to stay in registers.
#if defined(__CUDACC__)
#define WEFT_UNROLL _Pragma("unroll")
#else
#define WEFT_UNROLL
#endif

namespace weft::detail::cuda {

constexpr unsigned kThreads = 256;  // of a block, where nothing else decides
inline unsigned blocks_for(Index count, unsigned threads = kThreads) {
  return static_cast<unsigned>((count + threads - 1) / threads);
}

/// kernel<<<blocks, threads>>>(arguments) on the stream. Kernels have static shared memory alone.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 blocks, dim3 threads, cudaStream_t stream, Arguments... arguments) {
#if defined(__CUDACC__)
  kernel<<<blocks, threads, 0, stream>>>(arguments...);
#else
  cuda_emulator::launch(blocks, threads, stream, [=] { kernel(arguments...); });
#endif
  check(cudaGetLastError(), "launching a kernel");
}

}  // namespace weft::detail::cuda
