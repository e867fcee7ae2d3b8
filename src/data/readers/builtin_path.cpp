#include "data/readers/builtin_path.hpp"

#include "data/text.hpp"

#include <charconv>
#include <cmath>

#include <fast_float/fast_float.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft::detail {

namespace {

constexpr std::string_view kPrefix = "builtin:";

template <class T>
bool parse_setting(std::string_view text, T& value) {
  const char* end = text.data() + text.size();
  if constexpr (std::is_floating_point_v<T>) {
    const auto result = fast_float::from_chars(text.data(), end, value);
    return result.ec == std::errc{} && result.ptr == end && std::isfinite(value);
  } else {
    const auto result = std::from_chars(text.data(), end, value);
    return result.ec == std::errc{} && result.ptr == end;
  }
}

void apply_setting(std::string_view key, std::string_view text, const std::string& path, GenerateOptions& options) {
  bool known = false;
  std::vector<std::string> names;
  for_each_field<GenerateOptions>([&](const auto& field) {
    names.emplace_back(field.name);
    if (key != field.name) return;
    known = true;
    auto& value = options.*field.member;
    if (!parse_setting(text, value))
      throw Error(
          ErrorKind::option, fmt::format("{} is not a valid value for {}", shown(text), key), path,
          fmt::format("give a {}, such as {}={}",
                      std::is_floating_point_v<std::remove_reference_t<decltype(value)>> ? "number" : "whole number",
                      key, GenerateOptions{}.*field.member));
    check_value(field.name, value, field.allowed);
  });
  if (!known)
    throw Error(ErrorKind::option, fmt::format("built-in data have no setting {}", shown(key)), path,
                fmt::format("the settings are {}", fmt::join(names, ", ")));
}

}  // namespace

bool is_builtin_path(const std::string& path) {
  return std::string_view(path).substr(0, kPrefix.size()) == kPrefix;
}

BuiltinPath parse_builtin_path(const std::string& path) {
  BuiltinPath result;
  const std::string_view rest = std::string_view(path).substr(kPrefix.size());
  const std::size_t colon = rest.find(':');
  result.name = rest.substr(0, colon);
  if (result.name.empty())
    throw Error(ErrorKind::option, "the built-in data set has no name", path,
                fmt::format("write builtin:NAME with one of {}", fmt::join(generator_names(), ", ")));
  if (colon == std::string_view::npos) return result;
  for (const std::string& setting : split_list(rest.substr(colon + 1))) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos)
      throw Error(ErrorKind::option, fmt::format("{} is not key=value", shown(setting)), path,
                  "write builtin:NAME:rows=1000,seed=1,noise=0.1");
    const std::string_view text = setting;
    apply_setting(trim(text.substr(0, equals)), trim(text.substr(equals + 1)), path, result.options);
  }
  return result;
}

}  // namespace weft::detail
