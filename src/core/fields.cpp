#include <weft/fields.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft {

void Allowed::refuse(const char* name, const std::string& value) const {
  const std::string what = choices.empty() ? fmt::format("a finite number {}", describe()) : describe();
  throw Error(ErrorKind::option, fmt::format("'{}' is not allowed", value), option_mark(name),
              "it must be " + what.substr(0, what.find_last_not_of(' ') + 1));
}

void Allowed::check(const char* name, double value) const {
  if (!accepts(value)) refuse(name, fmt::format("{:g}", value));
}

std::string Allowed::describe() const {
  if (!choices.empty()) return fmt::format("one of {}", fmt::join(choices, ", "));
  const bool has_low = low > -std::numeric_limits<double>::infinity();
  const bool has_high = high < std::numeric_limits<double>::infinity();
  if (has_low && has_high)
    return fmt::format("in {}{:g}, {:g}{}", low_open ? '(' : '[', low, high, high_open ? ')' : ']');
  if (has_low) return fmt::format("{} {:g}", low_open ? ">" : ">=", low);
  if (has_high) return fmt::format("{} {:g}", high_open ? "<" : "<=", high);
  return {};
}

std::string option_name(const char* field_name) {
  std::string name = field_name;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

}  // namespace weft
