#include "compute/cuda/elementwise.hpp"
#include "compute/cuda/memory.hpp"
#include "compute/cuda/symmetric.hpp"

#include <algorithm>
#include <cassert>

namespace weft::detail::cuda {

namespace {

constexpr Index kStrip = 512;  // rows

template <class To>
void copy_triangle(const CudaDevice& device, View<const double> from, View<To> to) {
  if (from.rows == 0) return;
  const Input<double> source(device, from);
  Output<To> target(device, to);
  copy_lower(device.queue().stream, source.view(), target.view());
  target.store();
}

template <class Real>
void add_diagonal(const CudaDevice& device, View<Real> a, const double* values) {
  if (a.rows == 0) return;
  const Input<double> each(device, View<const double>(values, 1, a.rows));
  Output<Real> target(device, a);
  add_to_diagonal(device.queue().stream, target.view(), each.view().data);
  target.store();
}

}  // namespace

/// To or from the host what lies left of the diagonal blocks goes as it is; nothing else need go there.
void CudaDevice::copy_lower(View<const double> from, View<double> to) const {
  if (from.rows == 0) return;
  if (on_device(from.data) && on_device(to.data)) return copy_triangle(*this, from, to);
  for (Index first = 0; first < from.rows; first += kStrip) {
    const Index count = std::min(kStrip, from.rows - first);
    const auto source = from.row_range(first, count);
    const auto target = to.row_range(first, count);
    copy(source.col_range(0, first), target.col_range(0, first));
    copy_triangle(*this, source.col_range(first, count), target.col_range(first, count));
  }
}

void CudaDevice::copy_lower(View<const double> from, View<float> to) const {
  copy_triangle(*this, from, to);
}

void CudaDevice::add_to_diagonal(View<double> a, const double* values) const {
  add_diagonal(*this, a, values);
}

void CudaDevice::add_to_diagonal(View<float> a, const double* values) const {
  add_diagonal(*this, a, values);
}

void CudaDevice::penalised_normal(View<const double> gram, const double* sums, double weight, double lambda,
                                  View<const double> penalty, double jitter, View<double> out) const {
  assert(gram.rows == out.rows && penalty.rows == out.rows);
  if (out.rows == 0) return;
  const Input<double> left(*this, gram), right(*this, penalty), each(*this, View<const double>(sums, 1, out.rows));
  Output<double> target(*this, out);
  cuda::penalised_normal(queue().stream, left, each.view().data, weight, lambda, right, jitter, target);
  target.store();
}

void CudaDevice::scaled_normal(View<const double> gram, View<const double> penalty, double lambda, const double* scale,
                               double jitter, View<double> out, int) const {
  assert(gram.rows == out.rows && (penalty.data == nullptr || penalty.rows == out.rows));
  if (out.rows == 0) return;
  const Input<double> left(*this, gram), right(*this, penalty), each(*this, View<const double>(scale, 1, out.rows));
  Output<double> target(*this, out);
  cuda::scaled_normal(queue().stream, left, right, lambda, each.view().data, jitter, target);
  target.store();
}

double CudaDevice::symmetric_one_norm(View<const double> lower) const {
  if (lower.rows == 0) return 0;
  const Input<double> a(*this, lower);
  DeviceMatrix<double> pieces(*this, absolute_sum_pieces(lower.rows), lower.rows), sums(*this, 1, lower.rows);
  absolute_sums(queue().stream, a, pieces, sums.view().data);
  const Matrix host = sums.on_host();
  return *std::max_element(host.data(), host.data() + lower.rows);
}

}  // namespace weft::detail::cuda
