// Command-line options derived from an Options struct's fields(): one declaration, no second list.
#pragma once

#include <weft/fields.hpp>

#include "cli/app.hpp"
#include "cli/session.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace weft::cli {

template <class T>
std::string default_text(const T& value) {
  if constexpr (is_setting<T>::value)
    return default_text(*value);
  else if constexpr (is_optional<T>::value)
    return value ? default_text(*value) : std::string{};
  else if constexpr (std::is_floating_point_v<T>)
    return fmt::format("{:g}", value);
  else
    return fmt::format("{}", stored_value(value));
}

template <class T>
std::string field_help(const char* help, const T& value, const Allowed& allowed) {
  std::string text = in_command_line_words(help);
  if (const std::string range = allowed.describe(); !range.empty()) text += " (" + range + ")";
  if constexpr (!std::is_same_v<plain_type<T>, bool>)
    if (const std::string preset = default_text(value); !preset.empty()) text += " [" + preset + "]";
  return text;
}

/// What the command line gives an option of type T: a choice comes as its name.
template <class T>
auto parsed_value(const char* option, const auto& value) {
  if constexpr (Choice<T>)
    return parse_choice<T>(option, value);
  else
    return value;
}

/// Adds the option of a field; set(value) is called where it occurs. A bool that is on by default becomes --no-NAME.
/// `help`: in place of the field's own.
template <class Field, class Member, class Set>
Option* add_field(App& app, const Field& field, const Member& preset, Set set, std::string help = "") {
  using T = plain_type<Member>;
  const std::string name = option_name(field.name);
  if (help.empty()) help = field_help(field.help, preset, field.allowed);
  if constexpr (is_optional<T>::value) {
    return app.add_option_function<typename T::value_type>("--" + name, set, help);
  } else if constexpr (std::is_same_v<T, bool>) {
    // Not "!--no-NAME", which CLI11 shows as --no-NAME{false}.
    if (plain_value(preset))
      return app.add_flag_callback(
          "--no-" + name, [set] { set(false); }, "do not " + help);
    return app.add_flag_callback(
        "--" + name, [set] { set(true); }, help);
  } else if constexpr (Choice<T>) {
    return app.add_option_function<std::string>("--" + name, set, help);
  } else {
    return app.add_option_function<T>("--" + name, set, help);
  }
}

/// Adds one option per field (or for those in `only`); `options` must outlive the parse.
template <class Options>
void add_fields(App& app, Options& options, const std::string& group = "Options",
                const std::vector<std::string>& only = {}) {
  for_each_field<Options>([&](const auto& field) {
    if (!only.empty() && std::find(only.begin(), only.end(), field.name) == only.end()) return;
    auto& member = options.*field.member;
    using T = plain_type<std::remove_cvref_t<decltype(member)>>;
    add_field(app, field, member, [&member, name = field.name](const auto& value) {
      member = parsed_value<T>(name, value);
    })->group(group);
  });
}

/// The table a command works on; `streamed`: it may come from standard input.
inline void add_data(App& app, std::string& data, bool streamed = false) {
  app.add_option(
         "data", data,
         fmt::format("CSV, TSV, LIBSVM, .npy or IDX file (gzip or not){} or builtin:NAME", streamed ? ", -" : ""))
      ->required();
}

}  // namespace weft::cli
