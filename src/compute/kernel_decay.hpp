// Kernels of distances as functions of a distance; for every device, so without anything that the library exports.
#pragma once

#include "compute/cpu/vector_kernels.hpp"

#include <weft/kernel.hpp>

#include <cassert>

namespace weft::detail {

/// The kernel as a function of ‖a − b‖₁, or of ‖a − b‖².
struct DistanceDecay {
  bool squared;
  Decay decay;
};

/// Of a kernel of distances.
inline DistanceDecay distance_decay(const Kernel& kernel) {
  const double bandwidth = kernel.bandwidth();
  switch (kernel.kind()) {
    case Kernel::Kind::rbf:
      return {true, {0.5 / (bandwidth * bandwidth), 1}};
    case Kernel::Kind::laplace_l2:
      return {true, {1 / (bandwidth * bandwidth), kernel.exponent() / 2}};
    default:
      assert(kernel.kind() == Kernel::Kind::laplace);
      return {false, {1 / bandwidth, kernel.exponent()}};
  }
}

/// ‖a − b‖² below this share of ‖a‖² + ‖b‖² is computed from differences. Rounding leaves an error of a few ε(‖a‖² +
/// ‖b‖²), which is then at most 1e-13 (‖a‖² + ‖b‖²)^½ of ‖a − b‖ in double, and 1e-5 in single precision.
template <class Real>
inline constexpr Real kNear = sizeof(Real) == sizeof(double) ? static_cast<Real>(1e-5) : static_cast<Real>(1e-4);

}  // namespace weft::detail
