// The machine a result was computed on, in words.
#pragma once

#include <weft/run.hpp>

#include <string>

namespace weft::detail {

/// "AMD EPYC 7B13, 2 cores; 2 threads, avx2".
std::string machine_text(const Run& run);

}  // namespace weft::detail
