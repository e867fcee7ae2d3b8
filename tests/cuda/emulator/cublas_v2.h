// The part of cuBLAS that weft calls, by the BLAS of the host.
#pragma once

#include "cuda_runtime.h"

enum cublasStatus_t { CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_INVALID_VALUE = 7 };
enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1 };
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1 };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 };

struct weft_emulated_handle {
  cudaStream_t stream;
};
using cublasHandle_t = weft_emulated_handle*;

cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
const char* cublasGetStatusString(cublasStatus_t status);

cublasStatus_t cublasDgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                           const double* alpha, const double* a, int lda, const double* b, int ldb, const double* beta,
                           double* c, int ldc);
cublasStatus_t cublasSgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                           const float* alpha, const float* a, int lda, const float* b, int ldb, const float* beta,
                           float* c, int ldc);
cublasStatus_t cublasDsyrk(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int n, int k, const double* alpha,
                           const double* a, int lda, const double* beta, double* c, int ldc);
cublasStatus_t cublasSsyrk(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int n, int k, const float* alpha,
                           const float* a, int lda, const float* beta, float* c, int ldc);
cublasStatus_t cublasDsymm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int m, int n, const double* alpha,
                           const double* a, int lda, const double* b, int ldb, const double* beta, double* c, int ldc);
cublasStatus_t cublasDsymv(cublasHandle_t, cublasFillMode_t, int n, const double* alpha, const double* a, int lda,
                           const double* x, int incx, const double* beta, double* y, int incy);
cublasStatus_t cublasDtrsm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
                           int m, int n, const double* alpha, const double* a, int lda, double* b, int ldb);
cublasStatus_t cublasStrsm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
                           int m, int n, const float* alpha, const float* a, int lda, float* b, int ldb);
/// Out of place, unlike the BLAS.
cublasStatus_t cublasDtrmm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
                           int m, int n, const double* alpha, const double* a, int lda, const double* b, int ldb,
                           double* c, int ldc);
