#include <weft/devices.hpp>

#include "cli/commands.hpp"
#include "cli/session.hpp"

#include <fmt/format.h>

namespace weft::cli {

namespace {

std::string gibibytes(double bytes) {
  return fmt::format("{:.1f} GiB", bytes / 1073741824);
}

void print_devices(bool json) {
  const DeviceList list = list_devices();
  if (json) return print_line(list.to_json());
  TextTable table({"device", "memory", "free", "capability", ""});
  for (const DeviceInfo& device : list.devices)
    table.add({device.name, gibibytes(device.memory), gibibytes(device.free_memory),
               device.capability.empty() ? "–" : device.capability, device.description});
  print_out("{}", table.text());
  if (!list.driver.empty()) print_out("\nThe NVIDIA driver supports CUDA {}.\n", list.driver);
  if (!list.problem.empty()) print_out("\nNo GPU: {}.\n", list.problem);
}

}  // namespace

void add_devices(App& app) {
  auto* command = app.add_subcommand("devices", "List the processor and the GPUs that --device can name");
  command->footer("Example:\n  weft devices\n  weft train houses.csv --target price --device gpu");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "print JSON");
  command->callback([json] { print_devices(*json); });
}

}  // namespace weft::cli
