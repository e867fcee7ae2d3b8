#pragma once

#include <weft/visibility.hpp>

namespace WEFT_PUBLIC weft {

/// Of distances, kernel values and products; sums over rows and solutions are in double.
enum class Precision { float64, float32 };

}  // namespace weft
