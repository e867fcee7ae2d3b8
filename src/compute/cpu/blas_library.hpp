// The BLAS and LAPACK functions of the CPU device, as function pointers into a shared library that is loaded when the
// first of them is needed: programs that do no matrix work start without it, and its kernels can still be chosen.
#pragma once

#include <cstddef>
#include <string>

namespace weft::detail {

/// CBLAS's enumerators.
inline constexpr int kRowMajor = 101;
inline constexpr int kNoTranspose = 111, kTranspose = 112;
inline constexpr int kLower = 122;
inline constexpr int kNonUnit = 131;
inline constexpr int kLeft = 141, kRight = 142;

/// BLAS by its C interface, for row-major matrices; LAPACK by Fortran's, column-major, whose calls end with the lengths
/// of their texts.
struct BlasLibrary {
  void (*dgemm)(int order, int transpose_a, int transpose_b, int m, int n, int k, double alpha, const double* a,
                int lda, const double* b, int ldb, double beta, double* c, int ldc);
  void (*sgemm)(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha, const float* a, int lda,
                const float* b, int ldb, float beta, float* c, int ldc);
  void (*dsyrk)(int order, int triangle, int transpose, int n, int k, double alpha, const double* a, int lda,
                double beta, double* c, int ldc);
  void (*ssyrk)(int order, int triangle, int transpose, int n, int k, float alpha, const float* a, int lda, float beta,
                float* c, int ldc);
  void (*dsymm)(int order, int side, int triangle, int m, int n, double alpha, const double* a, int lda,
                const double* b, int ldb, double beta, double* c, int ldc);
  void (*dtrmm)(int order, int side, int triangle, int transpose, int diagonal, int m, int n, double alpha,
                const double* a, int lda, double* b, int ldb);
  void (*dtrsm)(int order, int side, int triangle, int transpose, int diagonal, int m, int n, double alpha,
                const double* a, int lda, double* b, int ldb);
  void (*strsm)(int order, int side, int triangle, int transpose, int diagonal, int m, int n, float alpha,
                const float* a, int lda, float* b, int ldb);
  void (*dgemv)(int order, int transpose, int m, int n, double alpha, const double* a, int lda, const double* x,
                int incx, double beta, double* y, int incy);
  void (*dsymv)(int order, int triangle, int n, double alpha, const double* a, int lda, const double* x, int incx,
                double beta, double* y, int incy);
  void (*dtrsv)(int order, int triangle, int transpose, int diagonal, int n, const double* a, int lda, double* x,
                int incx);
  void (*strsv)(int order, int triangle, int transpose, int diagonal, int n, const float* a, int lda, float* x,
                int incx);
  void (*daxpy)(int n, double alpha, const double* x, int incx, double* y, int incy);
  double (*ddot)(int n, const double* x, int incx, const double* y, int incy);
  double (*dnrm2)(int n, const double* x, int incx);

  void (*dpotrf)(const char* triangle, const int* n, double* a, const int* lda, int* info, std::size_t);
  void (*spotrf)(const char* triangle, const int* n, float* a, const int* lda, int* info, std::size_t);
  void (*dpocon)(const char* triangle, const int* n, const double* a, const int* lda, const double* norm, double* rcond,
                 double* work, int* integer_work, int* info, std::size_t);
  void (*dsyevd)(const char* job, const char* triangle, const int* n, double* a, const int* lda, double* values,
                 double* work, const int* work_size, int* integer_work, const int* integer_size, int* info, std::size_t,
                 std::size_t);
  void (*dsytrd)(const char* triangle, const int* n, double* a, const int* lda, double* diagonal, double* off,
                 double* tau, double* work, const int* work_size, int* info, std::size_t);
  void (*dormtr)(const char* side, const char* triangle, const char* transpose, const int* m, const int* n,
                 const double* a, const int* lda, const double* tau, double* c, const int* ldc, double* work,
                 const int* work_size, int* info, std::size_t, std::size_t, std::size_t);
  void (*dsygst)(const int* type, const char* triangle, const int* n, double* a, const int* lda, const double* b,
                 const int* ldb, int* info, std::size_t);
  void (*dpttrf)(const int* n, double* diagonal, double* off, int* info);
  void (*dpttrs)(const int* n, const int* columns, const double* diagonal, const double* off, double* b, const int* ldb,
                 int* info);
  void (*dptcon)(const int* n, const double* diagonal, const double* off, const double* norm, double* rcond,
                 double* work, int* info);

  // OpenBLAS's own; nullptr for another library, which must be limited to one thread by its own settings.
  int (*get_num_threads)();
  void (*set_num_threads)(int);
  char* (*get_config)();
  char* (*get_corename)();
};

/// Loaded by the first call: the library that WEFT_BLAS names, else OpenBLAS. Throws Error(file) where there is none.
const BlasLibrary& blas();

/// Description of what was loaded, for `weft version --verbose`.
struct BlasReport {
  std::string library;  ///< "OpenBLAS 0.3.21, /usr/lib/…/libopenblas.so.0"
  std::string kernels;  ///< "Zen, chosen by OpenBLAS"
  int threads = 0;      ///< those of the process; weft's own calls use one each. 0: unknown
};
BlasReport blas_report();

/// The vector instructions of this processor that matter to a BLAS: "avx512", "avx2" or "sse2".
const char* processor_vectors();

/// The OPENBLAS_CORETYPE that fits this processor better than the core OpenBLAS chose for itself; nullptr: none does.
/// `vectors` as processor_vectors() returns it.
const char* better_core(const std::string& core, const std::string& vectors, bool intel);

}  // namespace weft::detail
