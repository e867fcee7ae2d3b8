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

std::vector<double> CudaDevice::absolute_sums(View<const double> lower) const {
  std::vector<double> sums(static_cast<std::size_t>(lower.rows));
  if (lower.rows == 0) return sums;
  const Input<double> source(*this, lower);
  DeviceMatrix<double> pieces(*this, absolute_sum_pieces(lower.rows), lower.rows), there(*this, 1, lower.rows);
  cuda::absolute_sums(queue().stream, source, pieces, there.view().data);
  copy(View<const double>(there.view()), View<double>(sums.data(), 1, lower.rows));
  return sums;
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

}  // namespace weft::detail::cuda
