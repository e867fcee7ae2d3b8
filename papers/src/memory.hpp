// The memory a job may use.
#pragma once

#include <weft/run.hpp>

#include <unistd.h>

namespace weft::papers {

/// Bytes: run.max_memory, or the machine's.
inline double memory_limit(const Run& run) {
  const double physical = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return run.max_memory > 0 ? run.max_memory : physical;
}

}  // namespace weft::papers
