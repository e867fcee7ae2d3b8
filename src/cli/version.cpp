#include <weft/version.hpp>

#include "cli/commands.hpp"

#include <fmt/format.h>

namespace weft::cli {

void add_version(App& app) {
  auto* command = app.add_subcommand("version", "Print the version");
  command->footer("Example:\n  weft version");
  command->callback([] { fmt::print("weft {}\n", version()); });
}

}  // namespace weft::cli
