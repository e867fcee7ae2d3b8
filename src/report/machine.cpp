#include <weft/activation.hpp>
#include <weft/report.hpp>

#include <fstream>
#include <thread>

#include <fmt/format.h>

namespace weft {

namespace {

/// From /proc/cpuinfo on Linux; not available elsewhere and in some virtual machines.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (const auto colon = line.find(": "); line.starts_with("model name") && colon != std::string::npos)
      return line.substr(colon + 2);
  return "unknown processor";
}

std::string counted(unsigned count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

std::string machine_text(const Run& run) {
  return fmt::format("{}, {}; {}, {}", processor(), counted(std::thread::hardware_concurrency(), "core"),
                     counted(static_cast<unsigned>(run.thread_count()), "thread"), vector_instructions());
}

}  // namespace weft
