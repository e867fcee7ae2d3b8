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
/// One instance per type of option and not per field: there are more than a hundred fields.
template <class Member, class Set>
Option* add_field(App& app, const char* field, const Member& preset, const Set& set, const std::string& help) {
  using T = plain_type<Member>;
  const std::string name = option_name(field);
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

/// What sets a member to the value that the command line gives; one type per type of member.
template <class Member>
auto setter(Member& member, const char* field) {
  return [&member, field](const auto& value) { member = parsed_value<plain_type<Member>>(field, value); };
}

/// Adds one option per field (or for those in `only`); `options` must outlive the parse.
template <class Options>
void add_fields(App& app, Options& options, const std::string& group = "Options",
                const std::vector<std::string>& only = {}) {
  for_each_field<Options>([&](const auto& field) {
    if (!only.empty() && std::find(only.begin(), only.end(), field.name) == only.end()) return;
    auto& member = options.*field.member;
    const std::string help = field_help(field.help, member, field.allowed);
    add_field(app, field.name, member, setter(member, field.name), help)->group(group)->choices(field.allowed.choices);
  });
}

/// The table a command works on; `streamed`: it may come from standard input.
inline void add_data(App& app, std::string& data, bool streamed = false) {
  app.add_option("data", data,
                 fmt::format("CSV, TSV, LIBSVM, .npy, .npz or IDX file (gzip or not; \"part-*.csv\" for several){}, "
                             "sqlite:FILE?table=NAME, "
                             "postgresql://…?table=NAME or builtin:NAME",
                             streamed ? ", -" : ""))
      ->required();
}

}  // namespace weft::cli
