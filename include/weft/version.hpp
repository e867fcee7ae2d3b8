#pragma once

#include <weft/visibility.hpp>

namespace WEFT_PUBLIC weft {

/// "major.minor.patch" of the library that is running.
const char* version();

}  // namespace weft
