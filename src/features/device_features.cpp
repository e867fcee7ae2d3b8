#include "features/device_features.hpp"

namespace weft::detail {

void smoothings_on(const Device& device, const FeatureMap& map, View<const double> x, View<double> phi,
                   const Run& run) {
  if (!device.has_own_memory()) return map.smoothings(x, phi, run);
  if (const KernelSections* sections = map.sections())
    device.kernel_values(sections->kernel, sections->landmarks, sections->prepared, x, phi, false, run);
  else
    device.smoothings({map.parts(), map.device_copies()}, x, phi, run);
}

}  // namespace weft::detail
