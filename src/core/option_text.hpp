// Option values as text, and back: what model files and logs keep.
#pragma once

#include <weft/fields.hpp>

#include <stdexcept>
#include <string>

#include <fmt/format.h>

namespace weft::detail {

template <class T>
std::string option_text(const T& value) {
  if constexpr (is_setting<T>::value)
    return option_text(*value);
  else if constexpr (is_optional<T>::value)
    return value ? option_text(*value) : std::string{};
  else
    return fmt::format("{}", stored_value(value));
}

/// Throws std::logic_error where the text is not of this kind.
template <class T>
T option_value(const std::string& text) {
  if constexpr (is_optional<T>::value)
    return text.empty() ? T{} : T{option_value<typename T::value_type>(text)};
  else if constexpr (std::is_same_v<T, std::string>)
    return text;
  else if constexpr (Choice<T>)
    return choice_named<T>(text) ? *choice_named<T>(text) : throw std::invalid_argument(text);
  else if constexpr (std::is_same_v<T, bool>)
    return text == "true";
  else if constexpr (std::is_floating_point_v<T>)
    return std::stod(text);
  else if constexpr (std::is_signed_v<T>)
    return static_cast<T>(std::stoll(text));
  else
    return static_cast<T>(std::stoull(text));
}

}  // namespace weft::detail
