#pragma once

namespace weft {

/// "major.minor.patch" of the library that is running.
const char* version();

}  // namespace weft
