#include "compute/cuda/blas.hpp"
#include "compute/cuda/elementwise.hpp"
#include "compute/cuda/memory.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>

namespace weft::detail::cuda {

namespace {

using Before = Output<double>::Before;

// In single precision these rows are summed before they join the double sums, as on the CPU.
constexpr Index kRowStep = 512;

/// n numbers that lie `stride` apart as a column.
template <class T>
View<T> column(Strided<T> x, Index n) {
  return {x.data, n, 1, x.stride};
}

// cuBLAS's dsyrk is slower than its dgemm where there are many features (an H200: 49 and 58 TFLOP/s with 8192): squares
// of this many on the diagonal are its, and what is left of them is a product.
constexpr Index kSquare = 2048;

/// The lower triangle of sums += phi · phiᵀ.
void add_lower_squares(const Queue& queue, View<const double> phi, View<double> sums) {
  const double one = 1;
  for (Index first = 0; first < phi.rows; first += kSquare) {
    const Index count = std::min(kSquare, phi.rows - first);
    const View<const double> some = phi.row_range(first, count);
    const View<double> rows = sums.row_range(first, count);
    if (first > 0)
      gemm(queue, false, true, phi.cols, 1.0, some, phi.row_range(0, first), 1.0, rows.col_range(0, first));
    check(cublasDsyrk(queue.blas, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, narrow(count), narrow(phi.cols), &one, some.data,
                      narrow(some.stride), &one, rows.data + first, narrow(rows.stride)),
          "dsyrk");
  }
}

}  // namespace

void CudaDevice::multiply(double alpha, Operand a, Operand b, double beta, View<double> c) const {
  assert(a.rows() == c.rows && b.cols() == c.cols && a.cols() == b.rows());
  if (c.rows == 0 || c.cols == 0) return;
  const Input<double> left(*this, a.matrix), right(*this, b.matrix);
  Output<double> out(*this, c, beta == 0 ? Before::unspecified : Before::kept);
  gemm(queue(), a.transposed, b.transposed, a.cols(), alpha, left, right, beta, out);
  out.store();
}

void CudaDevice::multiply_vector(double alpha, Operand a, Strided<const double> x, double beta,
                                 Strided<double> y) const {
  multiply(alpha, a, column(x, a.cols()), beta, column(y, a.rows()));
}

void CudaDevice::add_symmetric_product(double alpha, View<const double> lower, View<const double> x, View<double> out,
                                       int) const {
  if (out.rows == 0 || out.cols == 0) return;
  const Input<double> a(*this, lower), right(*this, x);
  Output<double> sum(*this, out);
  const double one = 1;
  if (x.cols == 1) {  // a tile of dsymm would be 64 columns wide
    check(cublasDsymv(queue().blas, CUBLAS_FILL_MODE_UPPER, narrow(x.rows), &alpha, a.view().data,
                      narrow(a.view().stride), right.view().data, narrow(right.view().stride), &one, sum.view().data,
                      narrow(sum.view().stride)),
          "dsymv");
    return sum.store();
  }
  check(cublasDsymm(queue().blas, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, narrow(x.cols), narrow(x.rows), &alpha,
                    a.view().data, narrow(a.view().stride), right.view().data, narrow(right.view().stride), &one,
                    sum.view().data, narrow(sum.view().stride)),
        "dsymm");
  sum.store();
}

void CudaDevice::multiply_lower_transposed(View<const double> lower, View<double> x) const {
  if (x.rows == 0 || x.cols == 0) return;
  const Input<double> l(*this, lower);
  Output<double> out(*this, x);
  const double one = 1;
  const int stride = narrow(out.view().stride);
  check(cublasDtrmm(queue().blas, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, CUBLAS_DIAG_NON_UNIT,
                    narrow(x.cols), narrow(x.rows), &one, l.view().data, narrow(l.view().stride), out.view().data,
                    stride, out.view().data, stride),
        "dtrmm");
  out.store();
}

void CudaDevice::scores(View<const double> coefficients, const double* intercepts, View<const double> phi,
                        View<double> scores, int) const {
  if (scores.rows == 0 || scores.cols == 0) return;
  const Input<double> a(*this, coefficients), features(*this, phi);
  const DeviceMatrix<double> constants = upload(*this, intercepts, scores.rows);
  Output<double> out(*this, scores, Before::unspecified);
  fill_rows(queue().stream, constants.view().data, out);
  gemm(queue(), true, false, phi.rows, 1.0, a, features, 1.0, out);
  out.store();
}

void CudaDevice::add_sums(View<const double> rooted, View<const double> phi, View<const double> right,
                          View<double> gram, View<double> moments, int) const {
  if (phi.rows == 0 || phi.cols == 0) return;
  const Input<double> features(*this, phi), targets(*this, right);
  const Input<double> weighted(*this, rooted.data == phi.data ? features.view() : rooted);
  Output<double> sums(*this, gram), products(*this, moments);
  add_lower_squares(queue(), weighted, sums);
  gemm(queue(), false, true, phi.cols, 1.0, features, targets, 1.0, products);
  sums.store();
  products.store();
}

void CudaDevice::add_sums(View<const float> rooted, View<const float> phi, View<const float> right, View<double> gram,
                          View<double> moments, int) const {
  if (phi.rows == 0 || phi.cols == 0) return;
  const Input<float> features(*this, phi), targets(*this, right);
  const Input<float> weighted(*this, rooted.data == phi.data ? features.view() : rooted);
  Output<double> sums(*this, gram), products(*this, moments);
  DeviceMatrix<float> some_sums(*this, phi.rows, phi.rows), some_products(*this, phi.rows, right.rows);
  const float one = 1, zero = 0;
  for (Index first = 0; first < phi.cols; first += kRowStep) {
    const Index count = std::min(kRowStep, phi.cols - first);
    const auto rows = weighted.view().col_range(first, count);
    check(cublasSsyrk(queue().blas, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, narrow(phi.rows), narrow(count), &one,
                      rows.data, narrow(rows.stride), &zero, some_sums.view().data, narrow(phi.rows)),
          "ssyrk");
    add_lower(queue().stream, some_sums.view(), sums);
    gemm(queue(), false, true, count, 1.0F, features.view().col_range(first, count),
         targets.view().col_range(first, count), 0.0F, some_products);
    add_all(queue().stream, some_products.view(), products);
  }
  sums.store();
  products.store();
}

namespace {

template <class Real>
void scale(const CudaDevice& device, View<const Real> a, const Real* factors, View<Real> out) {
  if (a.rows == 0 || a.cols == 0) return;
  const Input<Real> from(device, a), each(device, View<const Real>(factors, 1, a.cols));
  Output<Real> to(device, out, Output<Real>::Before::unspecified);
  scale_columns(device.queue().stream, from.view(), each.view().data, to.view());
  to.store();
}

}  // namespace

void CudaDevice::scale_columns(View<const double> a, const double* factors, View<double> out, int) const {
  scale(*this, a, factors, out);
}

void CudaDevice::scale_columns(View<const float> a, const float* factors, View<float> out, int) const {
  scale(*this, a, factors, out);
}

double CudaDevice::dot(Index n, const double* x, const double* y) const {
  if (n == 0) return 0;
  const Input<double> left(*this, View<const double>(x, 1, n)), right(*this, View<const double>(y, 1, n));
  DeviceMatrix<double> sum(*this, 1, 1);
  inner_product(queue().stream, n, left.view().data, right.view().data, sum.view().data);
  return sum.on_host()(0, 0);
}

double CudaDevice::norm(Index n, const double* x) const {
  return std::sqrt(dot(n, x, x));
}

void CudaDevice::add_scaled(Index n, double alpha, const double* x, double* y) const {
  if (n == 0) return;
  const Input<double> from(*this, View<const double>(x, 1, n));
  Output<double> to(*this, View<double>(y, 1, n));
  cuda::add_scaled(queue().stream, n, alpha, from.view().data, to.view().data);
  to.store();
}

void CudaDevice::transpose_features(View<const double> phi, const double* amplitudes, double factor,
                                    View<double> out) const {
  if (phi.rows == 0 || phi.cols == 0) return;
  const Input<double> from(*this, phi);
  const Input<double> each(*this, View<const double>(amplitudes, 1, phi.rows));
  Output<double> to(*this, out, Before::unspecified);
  transpose_scaled(queue().stream, from, each.view().data, factor, to);
  to.store();
}

}  // namespace weft::detail::cuda
