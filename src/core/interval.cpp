#include "core/interval.hpp"

#include <charconv>

#include <fmt/format.h>

namespace weft::detail {

Interval parse_interval(const std::string& text, const char* option, const Allowed& allowed) {
  Interval interval;
  const char* const end = text.data() + text.size();
  const auto low = std::from_chars(text.data(), end, interval.low);
  const bool colon = low.ec == std::errc{} && low.ptr != end && *low.ptr == ':';
  const auto high = colon ? std::from_chars(low.ptr + 1, end, interval.high) : low;
  if (!colon || high.ec != std::errc{} || high.ptr != end || !(interval.low <= interval.high) ||
      !allowed.accepts(interval.low) || !allowed.accepts(interval.high)) {
    const std::string range = allowed.describe();
    throw Error(ErrorKind::option,
                fmt::format("'{}' is not a valid range{}", text, range.empty() ? range : " " + range), option,
                "write LOW:HIGH, such as 0.01:10");
  }
  return interval;
}

}  // namespace weft::detail
