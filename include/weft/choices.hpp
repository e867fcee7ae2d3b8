// Options with a closed set of values are enums, and the names of their values are declared once, next to the enum and
// in its order:
//   enum class Fruit { apple, pear };
//   constexpr auto choice_names(Fruit) { return std::array{"apple", "pear"}; }
// The command line, help, Python, model files and error messages have the names from there.
#pragma once

#include <weft/visibility.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

namespace WEFT_PUBLIC weft {

template <class T>
concept Choice = std::is_enum_v<T> && requires(T value) {
  choice_names(value);
};

template <Choice T>
constexpr const char* name_of(T value) {
  return choice_names(value)[static_cast<std::size_t>(value)];
}

template <Choice T>
constexpr std::optional<T> choice_named(std::string_view name) {
  constexpr auto names = choice_names(T{});
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? std::nullopt : std::optional(static_cast<T>(found - names.begin()));
}

}  // namespace weft
