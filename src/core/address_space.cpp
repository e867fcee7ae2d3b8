#include "core/address_space.hpp"

#include <algorithm>
#include <fstream>
#include <limits>

#include <sys/resource.h>
#include <unistd.h>

namespace weft::detail {

namespace {

double left_of(int limited, double used) {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource>(limited), &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::numeric_limits<double>::infinity();
  return std::max(0.0, static_cast<double>(limit.rlim_cur) - used);
}

}  // namespace

double address_space_left() {
  // Pages: all, resident, shared, text, always 0, data and stack.
  double pages[6] = {};
  std::ifstream counters("/proc/self/statm");
  for (double& count : pages) counters >> count;
  const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  return std::min(left_of(RLIMIT_AS, pages[0] * page), left_of(RLIMIT_DATA, pages[5] * page));
}

int threads_within_limits() {
  static const int most = [] {
    constexpr double kAny = std::numeric_limits<int>::max();
    return static_cast<int>(std::clamp(address_space_left() / 2 / kBytesPerThread, 1.0, kAny));
  }();
  return most;
}

}  // namespace weft::detail
