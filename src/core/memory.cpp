#include "core/memory.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>

namespace weft::detail {

namespace {

constexpr double kGiB = 1024.0 * 1024 * 1024;

std::string amount(double bytes) {
  return bytes < kGiB ? fmt::format("{:.0f} MiB", bytes / kGiB * 1024) : fmt::format("{:.1f} GiB", bytes / kGiB);
}

}  // namespace

double memory_limit(const Run& run) {
  const double physical = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return run.max_memory > 0 ? run.max_memory : physical;
}

MemoryPlan::MemoryPlan(const Run& run) : budget_(memory_limit(run)), limited_(run.max_memory > 0) {}

MemoryPlan& MemoryPlan::hold(std::string what, double numbers) {
  bytes_ += numbers * sizeof(double);
  entries_.emplace_back(std::move(what), numbers * sizeof(double));
  return *this;
}

double MemoryPlan::spare() const {
  return std::clamp(left(), 0.0, budget_ / 4);
}

double MemoryPlan::spare_for_rows() const {
  return limited_ ? spare() : std::min(spare(), std::max(kGiB, budget_ / 8));
}

void MemoryPlan::check(const std::string& subject, const std::string& place, const std::string& hint) const {
  if (fits()) return;
  const auto largest = std::max_element(entries_.begin(), entries_.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
  throw Error(ErrorKind::memory,
              fmt::format("{} need {} (most of it {}), {} has {}", subject, amount(bytes_), largest->first,
                          limited_ ? "‹max_memory›" : "this machine", amount(budget_)),
              place, hint);
}

Index largest_that_fits(Index most, Index step, const std::function<bool(Index count)>& fits) {
  Index low = 0;
  Index high = most / step + 1;
  while (high - low > 1) {
    const Index middle = low + (high - low) / 2;
    (fits(middle * step) ? low : high) = middle;
  }
  return low * step;
}

}  // namespace weft::detail
