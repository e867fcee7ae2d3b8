// An option is declared once: a member with its default, and one Field row with its name, range or choices and one
// sentence. The command line, --help, validation, model headers and language bindings are derived from the rows. Where
// it matters whether an option was given, its member is a Setting or a std::optional.
#pragma once

#include <weft/choices.hpp>
#include <weft/error.hpp>
#include <weft/setting.hpp>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace WEFT_PUBLIC weft {

/// The allowed values of an option: numbers are finite and lie in the interval, choices have one of the names. Texts
/// and bools are not restricted.
struct Allowed {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;   ///< the interval excludes `low`
  bool high_open = false;  ///< the interval excludes `high`
  std::vector<std::string> choices = {};

  static Allowed anything() { return {}; }
  static Allowed at_least(double low) { return {.low = low}; }
  static Allowed positive() { return {.low = 0, .low_open = true}; }
  static Allowed between(double low, double high) { return {.low = low, .high = high}; }
  static Allowed inside(double low, double high) {
    return {.low = low, .high = high, .low_open = true, .high_open = true};
  }

  bool accepts(double value) const {
    return std::isfinite(value) && (low_open ? value > low : value >= low) &&
           (high_open ? value < high : value <= high);
  }
  /// Throws weft::Error naming the option and what it may be where the value is not accepted.
  void check(const char* name, double value) const;
  [[noreturn]] void refuse(const char* name, const std::string& value) const;
  std::string describe() const;  ///< "> 0", "in [0, 1)", "one of a, b, c", or empty
};

template <Choice T>
Allowed allowed_choices() {
  constexpr auto names = choice_names(T{});
  return {.choices = {names.begin(), names.end()}};
}

/// The choice of this name; throws as Allowed::check does.
template <Choice T>
T parse_choice(const char* option, const std::string& name) {
  const std::optional<T> found = choice_named<T>(name);
  if (!found) allowed_choices<T>().refuse(option, name);
  return *found;
}

template <class T>
struct is_optional : std::false_type {};
template <class T>
struct is_optional<std::optional<T>> : std::true_type {};

template <class T>
struct is_setting : std::false_type {};
template <class T>
struct is_setting<Setting<T>> : std::true_type {};

/// The value type of a member: T for a Setting<T>, the member's own type otherwise.
template <class Member>
const auto& plain_value(const Member& member) {
  if constexpr (is_setting<Member>::value)
    return *member;
  else
    return member;
}
template <class Member>
using plain_type = std::remove_cvref_t<decltype(plain_value(std::declval<const Member&>()))>;

/// A value as texts and JSON keep it: the name of a choice, anything else as it is.
template <class Member>
decltype(auto) stored_value(const Member& member) {
  if constexpr (Choice<plain_type<Member>>)
    return name_of(plain_value(member));
  else
    return plain_value(member);
}

/// `Options` has a static `fields()` that returns a tuple of these.
template <class Options, class T>
struct Field {
  const char* name;
  T Options::*member;
  Allowed allowed;
  const char* help;

  Field(const char* name_, T Options::*member_, Allowed allowed_, const char* help_)
      : name(name_), member(member_), allowed(std::move(allowed_)), help(help_) {}
  /// Of a choice, which names its values.
  Field(const char* name_, T Options::*member_, const char* help_) requires Choice<plain_type<T>>
      : Field(name_, member_, allowed_choices<plain_type<T>>(), help_) {}
};

/// Whether the option was given: a Setting stores it, an optional then has a value.
template <class Member>
bool is_given(const Member& member) {
  if constexpr (is_setting<Member>::value)
    return member.given();
  else
    return member.has_value();
}

/// Calls visit(field) for every row of Options::fields(), in order of declaration.
template <class Options, class Visit>
void for_each_field(Visit&& visit) {
  std::apply([&](const auto&... field) { (visit(field), ...); }, Options::fields());
}

/// A field max_time is the option --max-time.
std::string option_name(const char* field_name);

/// Allowed::check of what a member holds, where it holds anything.
template <class T>
void check_value(const char* name, const T& value, const Allowed& allowed) {
  if constexpr (is_setting<T>::value) {
    check_value(name, *value, allowed);
  } else if constexpr (is_optional<T>::value) {
    if (value) check_value(name, *value, allowed);
  } else if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
    allowed.check(name, static_cast<double>(value));
  }
}

template <class Options>
void check_options(const Options& options) {
  for_each_field<Options>([&](const auto& field) { check_value(field.name, options.*field.member, field.allowed); });
}

}  // namespace weft
