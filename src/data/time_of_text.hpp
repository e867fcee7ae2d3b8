// Times as people write them, to be compared.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace weft::detail {

/// Whole seconds and the fraction of one: a single double would lose the digits of precise clocks.
using TimePoint = std::pair<std::int64_t, double>;

/// Of ISO 8601: a date (2024-03-01, 2024-03) or a date and a time (2024-03-01T12:30, with seconds, their fraction, and
/// Z or an offset such as +02:00 where given; else as if in UTC), in seconds since 1970. A number stands for itself.
/// Nothing for other texts and for days that no calendar has.
std::optional<TimePoint> time_of_text(std::string_view text);
TimePoint time_of_number(double value);

}  // namespace weft::detail
