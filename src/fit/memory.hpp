// How much memory a fit may use, and the words for it.
#pragma once

#include <weft/run.hpp>

#include <string>

namespace weft {

/// --max-memory, or what the machine has.
double memory_limit(const Run& run);
std::string memory_limit_text(const Run& run);  ///< "--max-memory has 4.0 GiB"
std::string memory_text(double bytes);          ///< "500 MiB"

}  // namespace weft
