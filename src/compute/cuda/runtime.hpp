// What the files of this folder call of CUDA, with errors as exceptions.
#pragma once

#include <weft/matrix.hpp>

#include <cstddef>

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>

namespace weft::detail::cuda {

/// Throws Error(memory) where the device has none left, std::runtime_error for everything else.
void check(cudaError_t status, const char* call);
void check(cublasStatus_t status, const char* call);
void check(cusolverStatus_t status, const char* call);

/// Of the calling thread on one device: work of different threads does not wait for each other.
struct Queue {
  cudaStream_t stream = nullptr;
  cublasHandle_t blas = nullptr;
  cusolverDnHandle_t solver = nullptr;
};

}  // namespace weft::detail::cuda
