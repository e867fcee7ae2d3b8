// What the device keeps of a feature map: its centres and their groups, in the order in which they are computed.
#pragma once

#include "compute/cuda/feature_kernels.hpp"
#include "compute/cuda/memory.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace weft::detail::cuda {

/// Made when it is first asked for, by whichever thread asks, and there for all of them then.
template <class T>
class OnDemand {
 public:
  template <class Make>
  const T& get(const CudaDevice& device, const Make& make) const {
    const std::lock_guard lock(mutex_);
    if (!value_) {
      value_.emplace(make());
      device.finish();
    }
    return *value_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::optional<T> value_;
};

/// A part's copy. The part itself is given with every call: copies of a map share this one.
class PartCopy {
 public:
  PartCopy(const CudaDevice& device, const FeaturePart& part);

  /// Those that have centres.
  ColumnLists groups() const { return {group_count_, starts_.view().data, columns_.view().data}; }
  template <class Real>
  FeatureList<Real> features(const FeaturePart& part) const;
  template <class Real>
  SparseCentres<Real> sparse(const FeaturePart& part) const;
  /// Structured centres have weights as well, for gradients and where a product of matrices serves.
  template <class Real>
  View<const Real> weights(const FeaturePart& part) const;
  template <class Real>
  View<const Real> diagonals(const FeaturePart& part) const;
  /// Of sparse centres and stumps.
  FeaturesOfInputs of_inputs(const FeaturePart& part, Index inputs) const;

 private:
  template <class Real>
  struct Numbers {
    OnDemand<DeviceMatrix<Real>> constants;  // offsets, scales
    OnDemand<DeviceMatrix<Real>> weights, diagonals;
  };
  struct Inputs {
    DeviceMatrix<int> starts, numbers, rows;
    DeviceMatrix<double> weights;
  };

  template <class Real>
  const Numbers<Real>& numbers() const;
  std::vector<Index> column_counts(const FeaturePart& part) const;
  Inputs inputs_of(const FeaturePart& part, Index inputs) const;

  const CudaDevice& device_;
  std::vector<Index> order_;  // features: those of a group after each other
  Index group_count_ = 0;
  DeviceMatrix<int> starts_, columns_;                        // of the groups
  DeviceMatrix<int> groups_, rows_, sources_, sizes_, used_;  // of the features
  Numbers<double> in_double_;
  Numbers<float> in_float_;
  OnDemand<Inputs> inputs_;
};

struct MapCopy {
  MapCopy(const CudaDevice& device, const FeatureParts& map);
  std::vector<std::unique_ptr<PartCopy>> parts;
};

}  // namespace weft::detail::cuda
