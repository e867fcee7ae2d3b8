// Features of a map in the memory of a device.
#pragma once

#include "compute/device.hpp"

namespace weft::detail {

/// phi (features × rows) = map.smoothings(x) by `device`, in whose memory phi is.
void smoothings_on(const Device& device, const FeatureMap& map, View<const double> x, View<double> phi, const Run& run);

}  // namespace weft::detail
