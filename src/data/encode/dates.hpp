// Dates and times as numbers: ISO 8601 texts as seconds, and the parts of a date that become inputs.
#pragma once

#include <weft/choices.hpp>
#include <weft/matrix.hpp>

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace weft::detail {

class Scaler;

/// Seconds since 1970-01-01T00:00Z of YYYY-MM-DD, which T or a blank, hh:mm, :ss, a fraction and an offset (Z, +02:00,
/// +0200, +02) may follow. A time without an offset is taken for UTC.
std::optional<double> parse_date(std::string_view text);

enum class DatePart { year, month, day, weekday, hour, seconds };
constexpr auto choice_names(DatePart) {
  return std::array{"year", "month", "day", "weekday", "hour", "seconds"};
}

/// Of a time as parse_date gives it, in UTC. Weekdays are 1 (Monday) … 7; seconds count from `start`.
double date_part(DatePart part, double time, double start);

/// The inputs of a variable whose cells are dates.
struct DateParts {
  double start = 0;  ///< the earliest time in training
  std::vector<DatePart> parts = {};
  std::vector<double> fills = {};  ///< of each part, in place of missing cells

  /// Writes the times, NaN where they are missing, to columns of x from `first_row` on, in its rows from `first` on.
  /// The scalers of the parts follow each other, as many for each.
  void write(const std::vector<Scaler>& scalers, const double* times, Index rows, Matrix& x, Index first_row,
             Index first) const;
};

}  // namespace weft::detail
