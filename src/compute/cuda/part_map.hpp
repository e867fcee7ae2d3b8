// One part of a map on the rows of a call. Views are of the memory of the device.
#pragma once

#include "compute/cuda/feature_copies.hpp"
#include "compute/weight_kernel.hpp"

#include <optional>

namespace weft::detail::cuda {

/// An activation as the device has it, with its table, if any.
class DeviceActivation {
 public:
  static bool has(const Activation& h);
  /// Throws where the device has no formula for h.
  DeviceActivation(const CudaDevice& device, const Activation& h);
  const Formula& formula() const { return formula_; }

 private:
  DeviceMatrix<double> table_;
  Formula formula_;
};

/// The copy of a map, that of its owner or one for this call.
class MapUse {
 public:
  MapUse(const CudaDevice& device, const FeatureParts& parts);
  const PartCopy& part(std::size_t k) const { return *copy_->parts[k]; }

 private:
  std::optional<MapCopy> own_;
  const MapCopy* copy_;
};

/// factor · ⟨w_t, x⟩ of dense centres.
template <class Real>
void project(const CudaDevice& device, const FeaturePart& part, const PartCopy& copy, Real factor, View<const Real> x,
             View<Real> out);

template <class Real>
class PartMap {
 public:
  /// Throws where the device has no formula for h, which stands for the part's own activation.
  PartMap(const CudaDevice& device, const FeaturePart& part, const PartCopy& copy, const Activation& h);

  const Formula& formula() const { return h_.formula(); }
  const Tilt& tilt() const { return tilt_; }
  void write(View<const Real> x, View<Real> phi) const;
  /// What write() gives, from the projections of centres `scale` times smaller.
  void smooth(View<const Real> x, View<const Real> projections, double scale, View<Real> phi) const;
  /// The spreads of every group and row, or the one spread there is, as terms without q.
  RowTerms<Real> spreads_of(View<const Real> x, DeviceMatrix<Real>& nu) const;

 private:
  template <class Visit>
  void with_terms(View<const Real> x, const Visit& visit) const;
  cudaStream_t stream() const { return device_.queue().stream; }

  const CudaDevice& device_;
  const FeaturePart& part_;
  const PartCopy& copy_;
  DeviceActivation h_;
  Tilt tilt_;
};

}  // namespace weft::detail::cuda
