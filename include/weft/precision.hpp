#pragma once

#include <weft/choices.hpp>

namespace WEFT_PUBLIC weft {

/// Of features, distances, kernel values and products; sums over rows and solutions are in double.
enum class Precision { float64, float32 };
constexpr auto choice_names(Precision) {
  return std::array{"double", "single"};
}

}  // namespace weft
