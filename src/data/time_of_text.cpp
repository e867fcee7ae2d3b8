#include "data/time_of_text.hpp"

#include "data/text.hpp"

#include <chrono>
#include <cmath>

namespace weft::detail {

namespace {

/// Takes pieces from the front of a text.
class Scan {
 public:
  explicit Scan(std::string_view text) : left_(text) {}

  bool done() const { return left_.empty(); }
  bool skip(char c) {
    if (left_.empty() || left_.front() != c) return false;
    left_.remove_prefix(1);
    return true;
  }
  /// Exactly so many digits.
  bool digits(std::size_t count, int& value) {
    value = 0;
    for (std::size_t k = 0; k < count; ++k) {
      if (k >= left_.size() || left_[k] < '0' || left_[k] > '9') return false;
      value = 10 * value + (left_[k] - '0');
    }
    left_.remove_prefix(count);
    return true;
  }
  /// What follows a decimal point.
  bool fraction(double& value) {
    double unit = 0.1;
    const std::size_t before = left_.size();
    for (int digit = 0; digits(1, digit); unit /= 10) value += unit * digit;
    return left_.size() < before;
  }

 private:
  std::string_view left_;
};

/// Z, +02:00, +0200 or +02; nothing is UTC as well.
bool read_offset(Scan& scan, int& minutes) {
  if (scan.done() || scan.skip('Z') || scan.skip('z')) return scan.done();
  const bool west = scan.skip('-');
  int hours = 0, rest = 0;
  if (!west && !scan.skip('+')) return false;
  if (!scan.digits(2, hours)) return false;
  if (!scan.done()) {
    scan.skip(':');
    if (!scan.digits(2, rest)) return false;
  }
  minutes = (west ? -1 : 1) * (60 * hours + rest);
  return scan.done();
}

/// Seconds of the day, less the offset.
bool read_time(Scan& scan, TimePoint& point) {
  int hour = 0, minute = 0, second = 0, offset = 0;
  if (!scan.digits(2, hour) || !scan.skip(':') || !scan.digits(2, minute)) return false;
  if (scan.skip(':')) {
    if (!scan.digits(2, second)) return false;
    if ((scan.skip('.') || scan.skip(',')) && !scan.fraction(point.second)) return false;
  }
  if (hour > 24 || minute > 59 || second > 60 || !read_offset(scan, offset)) return false;
  point.first += 3600 * hour + 60 * (minute - offset) + second;
  return true;
}

}  // namespace

std::optional<TimePoint> time_of_text(std::string_view text) {
  text = trim(text);
  Scan scan(text);
  int year = 0, month = 1, day = 1;
  if (!scan.digits(4, year) || !scan.skip('-')) {
    double number = 0;
    if (parse_cell(text, number) == CellKind::number) return time_of_number(number);
    return std::nullopt;
  }
  if (!scan.digits(2, month) || (scan.skip('-') && !scan.digits(2, day))) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  constexpr std::int64_t kDay = 86400;
  TimePoint point(kDay * std::chrono::sys_days(date).time_since_epoch().count(), 0);
  if (scan.done()) return point;
  if (!scan.skip('T') && !scan.skip('t') && !scan.skip(' ')) return std::nullopt;
  if (!read_time(scan, point)) return std::nullopt;
  return point;
}

TimePoint time_of_number(double value) {
  constexpr double kMost = 9e18;  // of 64 bits
  const double whole = std::floor(value);
  if (!(std::abs(whole) < kMost)) return {value > 0 ? INT64_MAX : INT64_MIN, value};
  return {static_cast<std::int64_t>(whole), value - whole};
}

}  // namespace weft::detail
