// What a job may take, and the one sentence for a job that would take more.
#pragma once

#include <weft/run.hpp>

#include <string>

namespace weft::detail {

/// Bytes: run.max_memory, or what the machine has.
double memory_limit(const Run& run);

/// "WHAT need 4.0 GiB, this machine has 2.0 GiB", about the option `place`.
[[noreturn]] void throw_too_large(const std::string& what, double needed, const Run& run, const std::string& place,
                                  const std::string& hint);

}  // namespace weft::detail
