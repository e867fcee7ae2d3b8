#include "compute/cuda/elementwise.hpp"
#include "compute/cuda/memory.hpp"

#include <cassert>

namespace weft::detail::cuda {

namespace {

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

void CudaDevice::copy_lower(View<const double> from, View<double> to) const {
  copy_triangle(*this, from, to);
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

void CudaDevice::scale_both_sides(View<double> a, const double* factors, double diagonal, int) const {
  if (a.rows == 0) return;
  const Input<double> each(*this, View<const double>(factors, 1, a.rows));
  Output<double> target(*this, a);
  cuda::scale_both_sides(queue().stream, target, each.view().data, diagonal);
  target.store();
}

std::vector<double> CudaDevice::absolute_sums(View<const double> lower) const {
  std::vector<double> sums(static_cast<std::size_t>(lower.rows));
  if (lower.rows == 0) return sums;
  const Input<double> source(*this, lower);
  DeviceMatrix<double> there(*this, 1, lower.rows);
  cuda::absolute_sums(queue().stream, source, there.view().data);
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

}  // namespace weft::detail::cuda
