// Operands in the memory of a device: the caller's own views where they are there, or copies for one call.
#pragma once

#include "compute/cuda/cuda_device.hpp"
#include "compute/device_matrix.hpp"

#include <optional>
#include <span>

namespace weft::detail::cuda {

bool on_device(const void* memory);

template <class T>
class Input {
 public:
  Input(const CudaDevice& device, View<const T> from) : view_(from) {
    if (from.rows * from.cols > 0 && !on_device(from.data)) view_ = copy_.emplace(device, from).view();
  }
  View<const T> view() const { return view_; }
  operator View<const T>() const { return view_; }

 private:
  std::optional<DeviceMatrix<T>> copy_;
  View<const T> view_;
};

/// What is written. `store()` hands it to the caller; without it a copy is dropped.
template <class T>
class Output {
 public:
  enum class Before { unspecified, kept };

  Output(const CudaDevice& device, View<T> to, Before before = Before::kept) : device_(device), to_(to), view_(to) {
    if (to.rows * to.cols == 0 || on_device(to.data)) return;
    copy_.emplace(device, to.rows, to.cols);
    view_ = copy_->view();
    if (before == Before::kept) device.copy(View<const T>(to), view_);
  }
  View<T> view() const { return view_; }
  operator View<T>() const { return view_; }
  void store() {
    if (copy_) device_.copy(View<const T>(view_), to_);
  }

 private:
  const CudaDevice& device_;
  View<T> to_;
  std::optional<DeviceMatrix<T>> copy_;
  View<T> view_;
};

/// Numbers of the host on the device.
template <class T>
DeviceMatrix<T> upload(const CudaDevice& device, const T* from, Index count) {
  return {device, View<const T>(from, 1, count)};
}

/// Numbers of rows or columns.
DeviceMatrix<int> upload_places(const CudaDevice& device, std::span<const Index> from);

}  // namespace weft::detail::cuda
