// The part of cuSOLVER that weft calls, by the LAPACK of the host.
#pragma once

#include "cublas_v2.h"

enum cusolverStatus_t { CUSOLVER_STATUS_SUCCESS = 0, CUSOLVER_STATUS_INVALID_VALUE = 3 };
enum cusolverEigMode_t { CUSOLVER_EIG_MODE_NOVECTOR = 0, CUSOLVER_EIG_MODE_VECTOR = 1 };
using cusolverDnHandle_t = weft_emulated_handle*;

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);

cusolverStatus_t cusolverDnDpotrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int n, double* a, int lda,
                                             int* size);
cusolverStatus_t cusolverDnDpotrf(cusolverDnHandle_t, cublasFillMode_t, int n, double* a, int lda, double* work,
                                  int size, int* info);
cusolverStatus_t cusolverDnSpotrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int n, float* a, int lda, int* size);
cusolverStatus_t cusolverDnSpotrf(cusolverDnHandle_t, cublasFillMode_t, int n, float* a, int lda, float* work, int size,
                                  int* info);
cusolverStatus_t cusolverDnDsyevd_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int n,
                                             const double* a, int lda, const double* values, int* size);
cusolverStatus_t cusolverDnDsyevd(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int n, double* a, int lda,
                                  double* values, double* work, int size, int* info);
cusolverStatus_t cusolverDnDsytrd_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int n, const double* a, int lda,
                                             const double* d, const double* e, const double* tau, int* size);
cusolverStatus_t cusolverDnDsytrd(cusolverDnHandle_t, cublasFillMode_t, int n, double* a, int lda, double* d, double* e,
                                  double* tau, double* work, int size, int* info);
cusolverStatus_t cusolverDnDormtr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
                                             int m, int n, const double* a, int lda, const double* tau, const double* c,
                                             int ldc, int* size);
cusolverStatus_t cusolverDnDormtr(cusolverDnHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t, int m,
                                  int n, double* a, int lda, double* tau, double* c, int ldc, double* work, int size,
                                  int* info);
