#include <weft/fields.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft {

namespace {

/// What `value` is not: "at least 1", "greater than 0 and less than 1", "finite and at least 0".
std::string range_in_words(const Allowed& allowed, double value) {
  std::vector<std::string> parts;
  if (!std::isfinite(value)) parts.emplace_back("finite");
  if (std::isfinite(allowed.low))
    parts.push_back(fmt::format("{} {:g}", allowed.low_open ? "greater than" : "at least", allowed.low));
  if (std::isfinite(allowed.high))
    parts.push_back(fmt::format("{} {:g}", allowed.high_open ? "less than" : "at most", allowed.high));
  return fmt::format("{}", fmt::join(parts, " and "));
}

[[noreturn]] void throw_not_allowed(const char* name, const std::string& value, const std::string& allowed) {
  throw Error(ErrorKind::option, fmt::format("'{}' is not allowed", value), option_mark(name), "it must be " + allowed);
}

}  // namespace

void Allowed::refuse(const char* name, const std::string& value) const {
  throw_not_allowed(name, value, describe());
}

void Allowed::check(const char* name, double value) const {
  if (!accepts(value)) throw_not_allowed(name, fmt::format("{:g}", value), range_in_words(*this, value));
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
