// Factorisations by cuSOLVER. A row-major lower triangle is a column-major upper one: A = LLᵀ is A = UᵀU with U = Lᵀ.
#include "compute/cuda/elementwise.hpp"
#include "compute/cuda/memory.hpp"
#include "compute/cuda/symmetric.hpp"
#include "compute/cuda/triangular_solve.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace weft::detail::cuda {

namespace {

constexpr Index kInvertedTogether = 1024;  // columns of an inverse
constexpr int kMostNormSteps = 5;          // of LAPACK's dlacon

int narrow(Index n) {
  if (n > std::numeric_limits<int>::max()) throw std::runtime_error("a matrix is too large for cuSOLVER");
  return static_cast<int>(n);
}

cusolverStatus_t work_size(cusolverDnHandle_t solver, View<double> a, int* size) {
  return cusolverDnDpotrf_bufferSize(solver, CUBLAS_FILL_MODE_UPPER, narrow(a.rows), a.data, narrow(a.stride), size);
}
cusolverStatus_t work_size(cusolverDnHandle_t solver, View<float> a, int* size) {
  return cusolverDnSpotrf_bufferSize(solver, CUBLAS_FILL_MODE_UPPER, narrow(a.rows), a.data, narrow(a.stride), size);
}
cusolverStatus_t potrf(cusolverDnHandle_t solver, View<double> a, View<double> work, int* info) {
  return cusolverDnDpotrf(solver, CUBLAS_FILL_MODE_UPPER, narrow(a.rows), a.data, narrow(a.stride), work.data,
                          narrow(work.cols), info);
}
cusolverStatus_t potrf(cusolverDnHandle_t solver, View<float> a, View<float> work, int* info) {
  return cusolverDnSpotrf(solver, CUBLAS_FILL_MODE_UPPER, narrow(a.rows), a.data, narrow(a.stride), work.data,
                          narrow(work.cols), info);
}

cublasStatus_t trsm(cublasHandle_t blas, cublasSideMode_t side, cublasOperation_t operation, int m, int n,
                    View<const double> u, View<double> b) {
  const double one = 1;
  return cublasDtrsm(blas, side, CUBLAS_FILL_MODE_UPPER, operation, CUBLAS_DIAG_NON_UNIT, m, n, &one, u.data,
                     narrow(u.stride), b.data, narrow(b.stride));
}
cublasStatus_t trsm(cublasHandle_t blas, cublasSideMode_t side, cublasOperation_t operation, int m, int n,
                    View<const float> u, View<float> b) {
  const float one = 1;
  return cublasStrsm(blas, side, CUBLAS_FILL_MODE_UPPER, operation, CUBLAS_DIAG_NON_UNIT, m, n, &one, u.data,
                     narrow(u.stride), b.data, narrow(b.stride));
}

/// The status that the solver left on the device.
class Info {
 public:
  explicit Info(const CudaDevice& device) : device_(device), value_(device, 1, 1) {}
  // Four bytes, as an int has; they are copied, not computed with.
  int* data() { return reinterpret_cast<int*>(value_.view().data); }
  int get() const {
    int result = 0;
    check(cudaMemcpyAsync(&result, value_.view().data, sizeof(int), cudaMemcpyDeviceToHost, device_.queue().stream),
          "copy");
    device_.finish();
    return result;
  }

 private:
  const CudaDevice& device_;
  DeviceMatrix<float> value_;
  static_assert(sizeof(int) == sizeof(float));
};

/// True where the diagonal of the factor is finite: NaN passes through a comparison with zero.
template <class Real>
bool finite_diagonal(const CudaDevice& device, View<const Real> a) {
  DeviceMatrix<Real> there(device, a.rows, 1);
  gather_diagonal(device.queue().stream, a, there.view().data);
  const BasicMatrix<Real> diagonal = there.on_host();
  for (Index i = 0; i < a.rows; ++i)
    if (!std::isfinite(diagonal(i, 0))) return false;
  return true;
}

template <class Real>
bool factor_lower(const CudaDevice& device, View<Real> a) {
  assert(a.rows == a.cols);
  if (a.rows == 0) return true;
  Output<Real> matrix(device, a);
  int size = 0;
  check(work_size(device.queue().solver, matrix.view(), &size), "potrf_bufferSize");
  DeviceMatrix<Real> work(device, 1, std::max(1, size));
  Info info(device);
  check(potrf(device.queue().solver, matrix.view(), work.view(), info.data()), "potrf");
  const bool done = info.get() == 0 && finite_diagonal<Real>(device, matrix.view());
  matrix.store();
  return done;
}

template <class Real>
void solve(const CudaDevice& device, View<const Real> lower, bool transposed, View<Real> rhs) {
  assert(lower.rows == rhs.rows);
  if (rhs.rows == 0 || rhs.cols == 0) return;
  const Input<Real> factor(device, lower);
  Output<Real> solution(device, rhs);
  if constexpr (std::is_same_v<Real, double>)
    if (has_few_right_sides(rhs.rows, rhs.cols)) {
      solve_few(device, factor, transposed, solution);
      return solution.store();
    }
  check(trsm(device.queue().blas, CUBLAS_SIDE_RIGHT, transposed ? CUBLAS_OP_T : CUBLAS_OP_N, narrow(rhs.cols),
             narrow(rhs.rows), factor.view(), solution.view()),
        "trsm");
  solution.store();
}

double column_norm(View<const double> x, Index column) {
  double sum = 0;
  for (Index i = 0; i < x.rows; ++i) sum += std::abs(x(i, column));
  return sum;
}

/// Higham's estimate of ‖B‖₁ for a symmetric B, given x ← Bx (LAPACK's dlacn2). The vector of alternating signs, which
/// does not depend on the others, is multiplied along with the first.
double estimate_one_norm(Index n, const std::function<void(View<double>)>& multiply) {
  Matrix both(n, 2), x(n, 1), signs(n, 1);
  for (Index i = 0; i < n; ++i) {
    both(i, 0) = 1 / static_cast<double>(n);
    both(i, 1) = (i % 2 == 0 ? 1 : -1) * (1 + static_cast<double>(i) / static_cast<double>(std::max<Index>(1, n - 1)));
  }
  multiply(both);
  double estimate = column_norm(both, 0);
  if (n == 1) return estimate;
  const double alternating = 2 * column_norm(both, 1) / (3 * static_cast<double>(n));
  for (Index i = 0; i < n; ++i) x(i, 0) = both(i, 0);
  const auto take_signs = [&] {
    bool same = true;
    for (Index i = 0; i < n; ++i) {
      const double sign = x(i, 0) >= 0 ? 1 : -1;
      same = same && sign == signs(i, 0);
      signs(i, 0) = sign;
    }
    x = signs;
    return same;
  };
  const auto largest = [&] {
    const double* begin = x.data();
    return std::max_element(begin, begin + n, [](double a, double b) { return std::abs(a) < std::abs(b); }) - begin;
  };
  take_signs();
  multiply(x);
  Index at = largest();
  for (int step = 2; step <= kMostNormSteps; ++step) {
    std::fill_n(x.data(), n, 0.0);
    x(at, 0) = 1;
    multiply(x);
    const double before = estimate;
    estimate = column_norm(x, 0);
    if (take_signs() || estimate <= before) break;
    multiply(x);
    const Index last = at;
    at = largest();
    if (std::abs(x(last, 0)) == std::abs(x(at, 0))) break;
  }
  return std::max(estimate, alternating);
}

/// 1 / (‖T‖₁‖T⁻¹‖₁) of T = LDLᵀ, positive definite and tridiagonal: ‖T⁻¹‖ is that of a comparison matrix, exactly
/// (LAPACK's dptcon).
double tridiagonal_condition(const std::vector<double>& d, const std::vector<double>& l, double norm) {
  const std::size_t n = d.size();
  std::vector<double> x(n, 1);
  for (std::size_t i = 1; i < n; ++i) x[i] = 1 + x[i - 1] * std::abs(l[i - 1]);
  x[n - 1] /= d[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) x[i] = x[i] / d[i] + x[i + 1] * std::abs(l[i]);
  return 1 / *std::max_element(x.begin(), x.end()) / norm;
}

}  // namespace

bool CudaDevice::factor(View<double> a, int) const {
  return factor_lower(*this, a);
}

bool CudaDevice::factor(View<float> a, int) const {
  return factor_lower(*this, a);
}

void CudaDevice::solve_lower(View<const double> lower, bool transposed, View<double> rhs, int) const {
  solve(*this, lower, transposed, rhs);
}

void CudaDevice::solve_lower(View<const float> lower, bool transposed, View<float> rhs, int) const {
  solve(*this, lower, transposed, rhs);
}

// Columns of L⁻¹ as rows, so that each is contiguous: in the eyes of cuBLAS X with UᵀX = I. Column j is zero above row
// j.
std::vector<double> CudaDevice::inverse_diagonal(View<const double> lower, int) const {
  const Index n = lower.rows;
  std::vector<double> diagonal(static_cast<std::size_t>(n));
  if (n == 0) return diagonal;
  const Index together = std::min(n, kInvertedTogether);
  const Input<double> factor(*this, lower);
  DeviceMatrix<double> columns(*this), squares(*this, 1, n);
  const std::vector<double> ones(static_cast<std::size_t>(together), 1.0);
  for (Index first = 0; first < n; first += together) {
    const Index count = std::min(together, n - first), below = n - first;
    columns.reshape(count, below);
    clear(columns);
    add_to_diagonal(columns.view(), ones.data());
    check(trsm(queue().blas, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, narrow(below), narrow(count),
               factor.view().row_range(first, below).col_range(first, below), columns.view()),
          "dtrsm");
    square_sums(queue().stream, columns.view(), squares.view().data + first);
  }
  copy(View<const double>(squares.view()), View<double>(diagonal.data(), 1, n));
  return diagonal;
}

double CudaDevice::reciprocal_condition(View<const double> lower, double norm) const {
  if (lower.rows == 0) return 1;
  const Input<double> factor(*this, lower);
  const double inverse = estimate_one_norm(lower.rows, [&](View<double> x) {
    DeviceMatrix<double> vectors(*this, View<const double>(x));
    solve_lower(factor, false, vectors, 1);
    solve_lower(factor, true, vectors, 1);
    copy(View<const double>(vectors.view()), x);
  });
  return inverse > 0 && norm > 0 ? 1 / inverse / norm : 0;
}

bool CudaDevice::eigen(View<double> a, std::vector<double>& values) const {
  values.resize(static_cast<std::size_t>(a.rows));
  if (a.rows == 0) return true;
  Output<double> matrix(*this, a);
  DeviceMatrix<double> own_values(*this, 1, a.rows);
  const int n = narrow(a.rows), stride = narrow(matrix.view().stride);
  int size = 0;
  check(cusolverDnDsyevd_bufferSize(queue().solver, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n,
                                    matrix.view().data, stride, own_values.view().data, &size),
        "syevd_bufferSize");
  DeviceMatrix<double> work(*this, 1, std::max(1, size));
  Info info(*this);
  check(cusolverDnDsyevd(queue().solver, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, matrix.view().data,
                         stride, own_values.view().data, work.view().data, size, info.data()),
        "syevd");
  copy(View<const double>(own_values.view()), View<double>(values.data(), 1, a.rows));
  const bool done = info.get() == 0;
  matrix.store();
  return done;
}

void CudaDevice::divide_both_sides(View<const double> lower, View<double> a) const {
  if (a.rows == 0) return;
  const Input<double> factor(*this, lower);
  Output<double> matrix(*this, a);
  const int n = narrow(a.rows);
  solve_lower(factor, false, matrix.view(), 1);
  check(trsm(queue().blas, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, n, n, factor.view(), matrix.view()), "dtrsm");
  mirror_lower(queue().stream, matrix);
  matrix.store();
}

void CudaDevice::tridiagonalise(Tridiagonal& a) const {
  const Index rows = a.reflectors.rows();
  for (std::vector<double>* numbers : {&a.diagonal, &a.off, &a.tau}) numbers->resize(static_cast<std::size_t>(rows));
  if (rows == 0) return;
  Output<double> matrix(*this, a.reflectors.view());
  DeviceMatrix<double> d(*this, 1, rows), e(*this, 1, rows), tau(*this, 1, rows);
  const int n = narrow(rows), stride = narrow(matrix.view().stride);
  int size = 0;
  check(cusolverDnDsytrd_bufferSize(queue().solver, CUBLAS_FILL_MODE_LOWER, n, matrix.view().data, stride,
                                    d.view().data, e.view().data, tau.view().data, &size),
        "sytrd_bufferSize");
  DeviceMatrix<double> work(*this, 1, std::max(1, size));
  Info info(*this);
  check(cusolverDnDsytrd(queue().solver, CUBLAS_FILL_MODE_LOWER, n, matrix.view().data, stride, d.view().data,
                         e.view().data, tau.view().data, work.view().data, size, info.data()),
        "sytrd");
  const auto fetch = [&](const DeviceMatrix<double>& from, std::vector<double>& to, Index count) {
    copy(from.view().col_range(0, count), View<double>(to.data(), 1, count));
  };
  fetch(d, a.diagonal, rows);
  fetch(e, a.off, rows - 1);
  fetch(tau, a.tau, rows - 1);
  matrix.store();
}

void CudaDevice::rotate(Tridiagonal& a, bool transposed, View<double> vectors) const {
  const Index rows = a.reflectors.rows();
  if (rows == 0 || vectors.rows == 0) return;
  Output<double> matrix(*this, a.reflectors.view()), rotated(*this, vectors);
  DeviceMatrix<double> tau = upload(*this, a.tau.data(), rows);
  const int n = narrow(rows), count = narrow(vectors.rows), stride = narrow(matrix.view().stride);
  const int out_stride = narrow(rotated.view().stride);
  const cublasOperation_t operation = transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
  int size = 0;
  check(
      cusolverDnDormtr_bufferSize(queue().solver, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, operation, n, count,
                                  matrix.view().data, stride, tau.view().data, rotated.view().data, out_stride, &size),
      "ormtr_bufferSize");
  DeviceMatrix<double> work(*this, 1, std::max(1, size));
  Info info(*this);
  check(cusolverDnDormtr(queue().solver, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, operation, n, count,
                         matrix.view().data, stride, tau.view().data, rotated.view().data, out_stride, work.view().data,
                         size, info.data()),
        "ormtr");
  rotated.store();
}

// O(n) per vector: done by the host.
bool CudaDevice::solve_tridiagonal(const Tridiagonal& a, double shift, View<double> vectors, double& rcond) const {
  const std::size_t n = a.diagonal.size();
  std::vector<double> d = a.diagonal, l = a.off;
  for (double& value : d) value += shift;
  double norm = 0;
  for (std::size_t i = 0; i < n; ++i)
    norm = std::max(norm, std::abs(d[i]) + (i > 0 ? std::abs(a.off[i - 1]) : 0) + (i + 1 < n ? std::abs(a.off[i]) : 0));
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) {
      l[i - 1] = a.off[i - 1] / d[i - 1];
      d[i] -= l[i - 1] * a.off[i - 1];
    }
    if (!(d[i] > 0)) return false;
  }
  for (Index k = 0; k < vectors.rows; ++k) {
    double* x = vectors.row(k);
    for (std::size_t i = 1; i < n; ++i) x[i] -= l[i - 1] * x[i - 1];
    for (std::size_t i = 0; i < n; ++i) x[i] /= d[i];
    for (std::size_t i = n - 1; i-- > 0;) x[i] -= l[i] * x[i + 1];
  }
  rcond = tridiagonal_condition(d, l, norm);
  return true;
}

}  // namespace weft::detail::cuda
