#include <weft/activation.hpp>
#include <weft/devices.hpp>

#include "compute/gpu.hpp"
#include "core/json_text.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace weft {

namespace {

double pages(int name) {
  return static_cast<double>(sysconf(name)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

DeviceList list_devices() {
  const detail::Gpus& found = detail::gpus();
  DeviceList list;
  list.devices.push_back(
      {"cpu", fmt::format("processor, {}", vector_instructions()), pages(_SC_PHYS_PAGES), pages(_SC_AVPHYS_PAGES), {}});
  list.problem = found.problem;
  if (found.driver > 0) list.driver = detail::cuda_version(found.driver);
  for (std::size_t k = 0; k < found.devices.size(); ++k) {
    const detail::GpuDescription& gpu = found.devices[k];
    list.devices.push_back({fmt::format("gpu:{}", k), gpu.name, static_cast<double>(gpu.memory),
                            static_cast<double>(gpu.free_memory), fmt::format("{}.{}", gpu.major, gpu.minor)});
  }
  return list;
}

std::string DeviceList::to_json() const {
  detail::Json rows = detail::Json::array();
  for (const DeviceInfo& device : devices)
    rows.push_back({{"name", device.name},
                    {"description", device.description},
                    {"memory", device.memory},
                    {"free_memory", device.free_memory},
                    {"capability", device.capability}});
  return detail::json_document({{"devices", rows}, {"driver", driver}, {"problem", problem}});
}

}  // namespace weft
