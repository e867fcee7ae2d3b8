#include "fit/memory.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace weft {

double memory_limit(const Run& run) {
  if (run.max_memory > 0) return run.max_memory;
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

std::string memory_limit_text(const Run& run) {
  return fmt::format("{} has {}", run.max_memory > 0 ? "--max-memory" : "this machine", memory_text(memory_limit(run)));
}

std::string memory_text(double bytes) {
  constexpr double kGiB = 1024.0 * 1024 * 1024;
  return bytes < kGiB ? fmt::format("{:.0f} MiB", bytes / kGiB * 1024) : fmt::format("{:.1f} GiB", bytes / kGiB);
}

}  // namespace weft
