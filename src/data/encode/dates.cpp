#include "data/encode/dates.hpp"

#include <charconv>
#include <chrono>
#include <cmath>

#include "data/encode/scaler.hpp"

namespace weft::detail {

namespace {

constexpr double kDaySeconds = 86400;

// Takes the parts of a text off its front.
class DateText {
 public:
  explicit DateText(std::string_view text) : text_(text) {}

  bool ended() const { return text_.empty(); }
  bool take(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  /// A number of exactly so many digits, at most `most`; false and nothing taken where there is none.
  bool digits(std::size_t count, int most, int& value) {
    if (text_.size() < count || text_.find_first_not_of("0123456789") < count) return false;
    std::from_chars(text_.data(), text_.data() + count, value);
    text_.remove_prefix(count);
    return value <= most;
  }
  /// The digits of a fraction, any number of them but none.
  bool fraction(double& value) {
    double unit = 1;
    bool any = false;
    for (int digit = 0; digits(1, 9, digit); any = true) value += digit * (unit /= 10);
    return any;
  }

 private:
  std::string_view text_;
};

// What follows the minutes; false where it is none of it.
bool parse_seconds_and_offset(DateText& text, double& seconds) {
  int whole = 0;
  double fraction = 0;
  if (text.take(':')) {
    if (!text.digits(2, 60, whole)) return false;  // 60: a leap second
    if ((text.take('.') || text.take(',')) && !text.fraction(fraction)) return false;
  }
  seconds += whole + fraction;
  if (text.ended() || text.take('Z') || text.take('z')) return text.ended();
  text.take(' ');
  const bool west = text.take('-');
  int hours = 0;
  int minutes = 0;
  if ((!west && !text.take('+')) || !text.digits(2, 23, hours)) return false;
  const bool colon = text.take(':');
  if ((colon || !text.ended()) && !text.digits(2, 59, minutes)) return false;
  seconds += (west ? 60 : -60) * (60 * hours + minutes);
  return text.ended();
}

}  // namespace

std::optional<double> parse_date(std::string_view text) {
  DateText rest(text);
  int year = 0, month = 0, day = 0, hour = 0, minute = 0;
  if (!rest.digits(4, 9999, year) || !rest.take('-') || !rest.digits(2, 12, month) || !rest.take('-') ||
      !rest.digits(2, 31, day))
    return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  double seconds = kDaySeconds * static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
  if (rest.ended()) return seconds;
  if (!rest.take('T') && !rest.take(' ') && !rest.take('t')) return std::nullopt;
  if (!rest.digits(2, 23, hour) || !rest.take(':') || !rest.digits(2, 59, minute)) return std::nullopt;
  seconds += 60 * (60 * hour + minute);
  if (!parse_seconds_and_offset(rest, seconds)) return std::nullopt;
  return seconds;
}

double date_part(DatePart part, double time, double start) {
  if (part == DatePart::seconds) return time - start;
  const double days = std::floor(time / kDaySeconds);
  if (part == DatePart::hour) return std::floor((time - days * kDaySeconds) / 3600);
  const std::chrono::sys_days day{std::chrono::days(static_cast<int>(days))};
  if (part == DatePart::weekday) return std::chrono::weekday(day).iso_encoding();
  const std::chrono::year_month_day date(day);
  if (part == DatePart::year) return static_cast<int>(date.year());
  return part == DatePart::month ? static_cast<unsigned>(date.month()) : static_cast<unsigned>(date.day());
}

void DateParts::write(const std::vector<Scaler>& scalers, const double* times, Index rows, Matrix& x, Index first_row,
                      Index first) const {
  const std::size_t each = scalers.size() / parts.size();
  for (std::size_t c = 0; c < scalers.size(); ++c) {
    const std::size_t p = c / each;
    double* out = x.row(first_row + static_cast<Index>(c)) + first;
    for (Index i = 0; i < rows; ++i) out[i] = std::isnan(times[i]) ? fills[p] : date_part(parts[p], times[i], start);
    scalers[c].apply(out, rows);
  }
}

}  // namespace weft::detail
