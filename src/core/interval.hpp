// Options such as --sigma-range 0.01:10.
#pragma once

#include <weft/fields.hpp>

#include <string>

namespace weft::detail {

struct Interval {
  double low = 0;
  double high = 0;
};

/// "LOW:HIGH" with LOW ≤ HIGH, both allowed. Throws weft::Error naming the option.
Interval parse_interval(const std::string& text, const char* option, const Allowed& allowed);

}  // namespace weft::detail
