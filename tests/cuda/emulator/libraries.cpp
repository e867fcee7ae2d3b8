#include "cusolverDn.h"

#include <cblas.h>
#include <lapacke.h>

#include <algorithm>

namespace {

CBLAS_TRANSPOSE of(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N ? CblasNoTrans : CblasTrans;
}
CBLAS_UPLO of(cublasFillMode_t fill) {
  return fill == CUBLAS_FILL_MODE_LOWER ? CblasLower : CblasUpper;
}
CBLAS_SIDE of(cublasSideMode_t side) {
  return side == CUBLAS_SIDE_LEFT ? CblasLeft : CblasRight;
}
CBLAS_DIAG of(cublasDiagType_t diagonal) {
  return diagonal == CUBLAS_DIAG_UNIT ? CblasUnit : CblasNonUnit;
}
char letter(cublasFillMode_t fill) {
  return fill == CUBLAS_FILL_MODE_LOWER ? 'L' : 'U';
}
char letter(cublasSideMode_t side) {
  return side == CUBLAS_SIDE_LEFT ? 'L' : 'R';
}
char letter(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N ? 'N' : 'T';
}

bool fits(int stride, int rows) {
  return stride >= std::max(1, rows);
}

template <class Status, class Work>
Status queue(weft_emulated_handle* handle, bool valid, Status done, Status invalid, Work work) {
  if (!valid) return invalid;
  cuda_emulator::enqueue(handle->stream, work);
  return done;
}

template <class Work>
cublasStatus_t blas(cublasHandle_t handle, bool valid, Work work) {
  return queue(handle, valid, CUBLAS_STATUS_SUCCESS, CUBLAS_STATUS_INVALID_VALUE, work);
}
template <class Work>
cusolverStatus_t lapack(cusolverDnHandle_t handle, bool valid, Work work) {
  return queue(handle, valid, CUSOLVER_STATUS_SUCCESS, CUSOLVER_STATUS_INVALID_VALUE, work);
}

}  // namespace

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  *handle = new weft_emulated_handle{};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}
const char* cublasGetStatusString(cublasStatus_t status) {
  return status == CUBLAS_STATUS_SUCCESS ? "CUBLAS_STATUS_SUCCESS" : "CUBLAS_STATUS_INVALID_VALUE";
}

#define WEFT_GEMM(name, Real, cblas)                                                                                 \
  cublasStatus_t name(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,             \
                      const Real* alpha, const Real* a, int lda, const Real* b, int ldb, const Real* beta, Real* c,  \
                      int ldc) {                                                                                     \
    const bool valid = fits(lda, ta == CUBLAS_OP_N ? m : k) && fits(ldb, tb == CUBLAS_OP_N ? k : n) && fits(ldc, m); \
    return blas(h, valid, [=, x = *alpha, y = *beta] {                                                               \
      cblas(CblasColMajor, of(ta), of(tb), m, n, k, x, a, lda, b, ldb, y, c, ldc);                                   \
    });                                                                                                              \
  }
WEFT_GEMM(cublasDgemm, double, cblas_dgemm)
WEFT_GEMM(cublasSgemm, float, cblas_sgemm)

#define WEFT_SYRK(name, Real, cblas)                                                                                 \
  cublasStatus_t name(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t t, int n, int k, const Real* alpha, \
                      const Real* a, int lda, const Real* beta, Real* c, int ldc) {                                  \
    return blas(h, fits(lda, t == CUBLAS_OP_N ? n : k) && fits(ldc, n),                                              \
                [=, x = *alpha, y = *beta] { cblas(CblasColMajor, of(fill), of(t), n, k, x, a, lda, y, c, ldc); });  \
  }
WEFT_SYRK(cublasDsyrk, double, cblas_dsyrk)
WEFT_SYRK(cublasSsyrk, float, cblas_ssyrk)

cublasStatus_t cublasDsymm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, int m, int n,
                           const double* alpha, const double* a, int lda, const double* b, int ldb, const double* beta,
                           double* c, int ldc) {
  const bool valid = fits(lda, side == CUBLAS_SIDE_LEFT ? m : n) && fits(ldb, m) && fits(ldc, m);
  return blas(h, valid, [=, x = *alpha, y = *beta] {
    cblas_dsymm(CblasColMajor, of(side), of(fill), m, n, x, a, lda, b, ldb, y, c, ldc);
  });
}

cublasStatus_t cublasDsymv(cublasHandle_t h, cublasFillMode_t fill, int n, const double* alpha, const double* a,
                           int lda, const double* x, int incx, const double* beta, double* y, int incy) {
  return blas(h, fits(lda, n) && incx != 0 && incy != 0,
              [=, s = *alpha, t = *beta] { cblas_dsymv(CblasColMajor, of(fill), n, s, a, lda, x, incx, t, y, incy); });
}

#define WEFT_TRSM(name, Real, cblas)                                                                               \
  cublasStatus_t name(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t t,         \
                      cublasDiagType_t diagonal, int m, int n, const Real* alpha, const Real* a, int lda, Real* b, \
                      int ldb) {                                                                                   \
    return blas(h, fits(lda, side == CUBLAS_SIDE_LEFT ? m : n) && fits(ldb, m), [=, x = *alpha] {                  \
      cblas(CblasColMajor, of(side), of(fill), of(t), of(diagonal), m, n, x, a, lda, b, ldb);                      \
    });                                                                                                            \
  }
WEFT_TRSM(cublasDtrsm, double, cblas_dtrsm)
WEFT_TRSM(cublasStrsm, float, cblas_strsm)

cublasStatus_t cublasDtrmm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t t,
                           cublasDiagType_t diagonal, int m, int n, const double* alpha, const double* a, int lda,
                           const double* b, int ldb, double* c, int ldc) {
  const bool valid = fits(lda, side == CUBLAS_SIDE_LEFT ? m : n) && fits(ldb, m) && fits(ldc, m);
  return blas(h, valid, [=, x = *alpha] {
    for (int j = 0; j < n && c != b; ++j)
      std::copy_n(b + static_cast<long>(j) * ldb, m, c + static_cast<long>(j) * ldc);
    cblas_dtrmm(CblasColMajor, of(side), of(fill), of(t), of(diagonal), m, n, x, a, lda, c, ldc);
  });
}

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle) {
  *handle = new weft_emulated_handle{};
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  delete handle;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  handle->stream = stream;
  return CUSOLVER_STATUS_SUCCESS;
}

#define WEFT_POTRF(letter_, Real, lapacke)                                                                            \
  cusolverStatus_t cusolverDn##letter_##potrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int n, Real*, int lda, \
                                                         int* size) {                                                 \
    *size = n + 1;                                                                                                    \
    return fits(lda, n) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;                                    \
  }                                                                                                                   \
  cusolverStatus_t cusolverDn##letter_##potrf(cusolverDnHandle_t h, cublasFillMode_t fill, int n, Real* a, int lda,   \
                                              Real* work, int size, int* info) {                                      \
    return lapack(h, fits(lda, n) && size > n, [=] {                                                                  \
      std::fill_n(work, size, Real{0});                                                                               \
      *info = lapacke(LAPACK_COL_MAJOR, letter(fill), n, a, lda);                                                     \
    });                                                                                                               \
  }
WEFT_POTRF(D, double, LAPACKE_dpotrf_work)
WEFT_POTRF(S, float, LAPACKE_spotrf_work)

cusolverStatus_t cusolverDnDsyevd_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int n,
                                             const double*, int lda, const double*, int* size) {
  *size = n + 1;
  return fits(lda, n) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}
cusolverStatus_t cusolverDnDsyevd(cusolverDnHandle_t h, cusolverEigMode_t mode, cublasFillMode_t fill, int n, double* a,
                                  int lda, double* values, double* work, int size, int* info) {
  return lapack(h, fits(lda, n) && size > n, [=] {
    std::fill_n(work, size, 0.0);
    *info =
        LAPACKE_dsyevd(LAPACK_COL_MAJOR, mode == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N', letter(fill), n, a, lda, values);
  });
}
cusolverStatus_t cusolverDnDsytrd_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int n, const double*, int lda,
                                             const double*, const double*, const double*, int* size) {
  *size = n + 1;
  return fits(lda, n) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}
cusolverStatus_t cusolverDnDsytrd(cusolverDnHandle_t h, cublasFillMode_t fill, int n, double* a, int lda, double* d,
                                  double* e, double* tau, double* work, int size, int* info) {
  return lapack(h, fits(lda, n) && size > n, [=] {
    std::fill_n(work, size, 0.0);
    *info = LAPACKE_dsytrd(LAPACK_COL_MAJOR, letter(fill), n, a, lda, d, e, tau);
  });
}
cusolverStatus_t cusolverDnDormtr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
                                             int m, int n, const double*, int, const double*, const double*, int ldc,
                                             int* size) {
  *size = std::max(m, n) + 1;
  return fits(ldc, m) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}
cusolverStatus_t cusolverDnDormtr(cusolverDnHandle_t h, cublasSideMode_t side, cublasFillMode_t fill,
                                  cublasOperation_t t, int m, int n, double* a, int lda, double* tau, double* c,
                                  int ldc, double* work, int size, int* info) {
  return lapack(h, fits(ldc, m) && size > std::max(m, n), [=] {
    std::fill_n(work, size, 0.0);
    *info = LAPACKE_dormtr(LAPACK_COL_MAJOR, letter(side), letter(fill), letter(t), m, n, a, lda, tau, c, ldc);
  });
}
