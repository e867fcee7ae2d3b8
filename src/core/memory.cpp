#include "core/memory.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace weft::detail {

namespace {

std::string amount(double bytes) {
  constexpr double kGiB = 1024.0 * 1024 * 1024;
  return bytes < kGiB ? fmt::format("{:.0f} MiB", bytes / kGiB * 1024) : fmt::format("{:.1f} GiB", bytes / kGiB);
}

}  // namespace

double memory_limit(const Run& run) {
  const double physical = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return run.max_memory > 0 ? run.max_memory : physical;
}

void throw_too_large(const std::string& what, double needed, const Run& run, const std::string& place,
                     const std::string& hint) {
  throw Error(ErrorKind::memory,
              fmt::format("{} need {}, {} has {}", what, amount(needed),
                          run.max_memory > 0 ? "--max-memory" : "this machine", amount(memory_limit(run))),
              place, hint);
}

}  // namespace weft::detail
