#include <weft/version.hpp>

namespace weft {

const char* version() {
  return WEFT_VERSION;
}

}  // namespace weft
