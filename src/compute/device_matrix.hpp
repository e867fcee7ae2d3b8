// Matrices in the memory of a device.
#pragma once

#include "compute/device.hpp"

#include <utility>

namespace weft::detail {

/// Owning and row-major; its contents are unspecified at first.
template <class T>
class DeviceMatrix {
 public:
  explicit DeviceMatrix(const Device& device) : device_(&device) {}
  DeviceMatrix(const Device& device, Index rows, Index cols) : device_(&device) { reshape(rows, cols); }
  /// A copy of `from`, which may be in either memory.
  DeviceMatrix(const Device& device, View<const T> from) : DeviceMatrix(device, from.rows, from.cols) {
    device.copy(from, view());
  }
  ~DeviceMatrix() { device_->release(data_); }
  DeviceMatrix(DeviceMatrix&& other) noexcept
      : device_(other.device_),
        data_(std::exchange(other.data_, nullptr)),
        capacity_(std::exchange(other.capacity_, 0)),
        rows_(std::exchange(other.rows_, 0)),
        cols_(std::exchange(other.cols_, 0)) {}
  DeviceMatrix& operator=(DeviceMatrix&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
    std::swap(rows_, other.rows_);
    std::swap(cols_, other.cols_);
    return *this;
  }
  DeviceMatrix(const DeviceMatrix&) = delete;
  DeviceMatrix& operator=(const DeviceMatrix&) = delete;

  /// Changes the shape, keeping memory that is large enough; the contents are unspecified afterwards.
  void reshape(Index rows, Index cols) {
    if (rows * cols > capacity_) {
      device_->release(std::exchange(data_, nullptr));
      capacity_ = 0;
      data_ = static_cast<T*>(device_->allocate(static_cast<std::size_t>(rows * cols) * sizeof(T)));
      capacity_ = rows * cols;
    }
    rows_ = rows;
    cols_ = cols;
  }

  const Device& device() const { return *device_; }
  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  View<T> view() { return {data_, rows_, cols_}; }
  View<const T> view() const { return {data_, rows_, cols_}; }
  operator View<T>() { return view(); }
  operator View<const T>() const { return view(); }
  BasicMatrix<T> on_host() const {
    auto host = BasicMatrix<T>::unset(rows_, cols_);
    device_->copy(view(), host.view());
    return host;
  }

 private:
  const Device* device_;
  T* data_ = nullptr;
  Index capacity_ = 0, rows_ = 0, cols_ = 0;
};

/// A = Q H Qᵀ with H tridiagonal.
struct Tridiagonal {
  DeviceMatrix<double> reflectors;  ///< n×n: A when it is given, then the reflectors that Q is the product of
  std::vector<double> diagonal = {}, off = {}, tau = {};
};

}  // namespace weft::detail
