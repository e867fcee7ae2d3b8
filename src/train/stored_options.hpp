// Options as the texts a model keeps, and back.
#pragma once

#include <weft/fields.hpp>

#include <map>
#include <string>

#include <fmt/format.h>

namespace weft::detail {

using OptionTexts = std::map<std::string, std::string>;

template <class T>
std::string option_text(const T& value) {
  if constexpr (is_optional<T>::value)
    return value ? option_text(*value) : std::string{};
  else
    return fmt::format("{}", value);
}

template <class T>
T option_value(const std::string& text) {
  if constexpr (is_optional<T>::value)
    return text.empty() ? T{} : T{option_value<typename T::value_type>(text)};
  else if constexpr (std::is_same_v<T, std::string>)
    return text;
  else if constexpr (std::is_same_v<T, bool>)
    return text == "true";
  else if constexpr (std::is_floating_point_v<T>)
    return std::stod(text);
  else if constexpr (std::is_signed_v<T>)
    return static_cast<T>(std::stoll(text));
  else
    return static_cast<T>(std::stoull(text));
}

template <class Options>
void store_options(const Options& options, OptionTexts& into) {
  for_each_field<Options>([&](const auto& field) { into[field.name] = option_text(options.*field.member); });
}

/// Options that the texts do not name keep their defaults. A text that is not of its option's kind throws Error(model).
template <class Options>
Options stored_options(const OptionTexts& texts) {
  Options options;
  for_each_field<Options>([&](const auto& field) {
    const auto found = texts.find(field.name);
    if (found == texts.end()) return;
    auto& value = options.*field.member;
    try {
      value = option_value<std::remove_reference_t<decltype(value)>>(found->second);
    } catch (const std::logic_error&) {  // what std::sto… throws
      throw Error(ErrorKind::model, fmt::format("the model keeps '{}' for an option", found->second),
                  "--" + option_name(field.name), "train it again");
    }
  });
  return options;
}

}  // namespace weft::detail
