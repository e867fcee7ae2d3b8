#include "compute/cpu/cpu_device.hpp"

#include <algorithm>
#include <new>

namespace weft::detail {

namespace {

template <class T>
void copy_rows(View<const T> from, View<T> to) {
  if (from.data == to.data) return;
  for (Index i = 0; i < from.rows; ++i) std::copy_n(from.row(i), from.cols, to.row(i));
}

}  // namespace

void* CpuDevice::allocate(std::size_t bytes) const {
  return ::operator new(bytes, AlignedAllocator<double>::kAlignment);
}

void CpuDevice::release(void* memory) const noexcept {
  ::operator delete(memory, AlignedAllocator<double>::kAlignment);
}

void CpuDevice::copy(View<const double> from, View<double> to) const {
  copy_rows(from, to);
}

void CpuDevice::copy(View<const float> from, View<float> to) const {
  copy_rows(from, to);
}

}  // namespace weft::detail
