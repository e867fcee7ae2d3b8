#include "cli/method_arguments.hpp"

#include "cli/options.hpp"

#include <weft/tune.hpp>

#include <set>

#include <fmt/ranges.h>

namespace weft::cli {

namespace {

/// `choice`: also, where the option has choices, that it is one of them; empty: any.
bool has_option(const MethodOptions& options, const std::string& name, const std::string& choice = "") {
  bool found = false;
  for_each_own_field(options, [&](const auto& field, const auto&) {
    const std::vector<std::string>& choices = field.allowed.choices;
    const bool any = choice.empty() || choices.empty();
    found =
        found || (field.name == name && (any || std::find(choices.begin(), choices.end(), choice) != choices.end()));
  });
  return found;
}

/// The help of every method for its option of this name; equal texts appear once.
std::string shared_help(const std::string& option) {
  std::vector<std::pair<std::string, std::string>> said;  // methods, help
  for (const MethodRow& method : method_table())
    for_each_own_field(method.options, [&](const auto& field, const auto& preset) {
      if (field.name != option) return;
      const std::string help = field_help(field.help, preset, field.allowed);
      const auto same = std::find_if(said.begin(), said.end(), [&](const auto& other) { return other.second == help; });
      if (same == said.end())
        said.emplace_back(method.name, help);
      else
        same->first += ", " + method.name;
    });
  std::string text;
  for (const auto& [methods, help] : said) text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", methods, help);
  return text;
}

/// Of every method that has the option.
std::vector<std::string> choices_of(const std::string& option) {
  std::vector<std::string> all;
  for (const MethodRow& method : method_table())
    for_each_own_field(method.options, [&](const auto& field, const auto&) {
      if (field.name != option) return;
      for (const std::string& name : field.allowed.choices)
        if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
    });
  return all;
}

/// Options that the search has as well, which declares them.
bool belongs_to_search(const std::string& option) {
  bool found = false;
  for_each_field<TuneOptions>([&](const auto& field) { found = found || field.name == option; });
  return found;
}

/// Options of one method stand under its name, those of several together.
std::string group_of(const MethodRow& method, const std::vector<std::string>& users) {
  return users.size() > 1 ? "Fit, options of several methods" : fmt::format("--fit {} ({})", method.name, method.help);
}

}  // namespace

void MethodArguments::add_to(App& app) {
  std::vector<std::string> names;
  for (const MethodRow& method : method_table()) names.push_back(method.name);
  app.add_option(
         "--fit", name_,
         fmt::format("method (one of {}); not given: portfolio, or least-squares where options of random features "
                     "are given",
                     fmt::join(names, ", ")))
      ->group("Fit")
      ->choices(names);
  std::set<std::string> added;
  for (const MethodRow& method : method_table())
    for_each_own_field(method.options, [&](const auto& field, const auto& preset) {
      const std::string option = field.name;
      if (belongs_to_search(option) || !added.insert(option).second) return;
      const std::vector<std::string> users = methods_with(option);
      const auto add = [this, option](const Value& value) { given_.push_back({option, value}); };
      const std::string help = users.size() > 1 ? shared_help(option) : field_help(field.help, preset, field.allowed);
      add_field(app, field.name, preset, add, help)->group(group_of(method, users))->choices(choices_of(option));
    });
}

template <class T>
T MethodArguments::value_as(const Value& value) {
  return std::visit(
      [](const auto& given) -> T {
        if constexpr (std::is_convertible_v<decltype(given), T>)
          return static_cast<T>(given);
        else
          throw std::bad_variant_access();
      },
      value);
}

void MethodArguments::set(MethodOptions& options, const Given& given) {
  for_each_own_field(options, [&](const auto& own, auto& member) {
    using T = plain_type<std::remove_cvref_t<decltype(member)>>;
    if (own.name != given.option) return;
    if constexpr (Choice<T>)
      member = parse_choice<T>(own.name, value_as<std::string>(given.value));
    else if constexpr (is_optional<T>::value)
      member = value_as<typename T::value_type>(given.value);
    else
      member = value_as<T>(given.value);
  });
}

bool MethodArguments::suits(const std::string& method) const {
  const MethodOptions options = method_options(method);
  return std::all_of(given_.begin(), given_.end(), [&](const Given& given) {
    const auto* text = std::get_if<std::string>(&given.value);
    return has_option(options, given.option, text != nullptr ? *text : "");
  });
}

bool MethodArguments::gives(const std::string& option) const {
  return std::any_of(given_.begin(), given_.end(), [&](const Given& given) { return given.option == option; });
}

MethodOptions MethodArguments::options(const std::string& fallback) const {
  const std::string& name = named() ? name_ : fallback;
  MethodOptions options = method_options(name);
  for (const Given& given : given_) {
    if (!has_option(options, given.option)) throw_not_used(name, given.option);
    set(options, given);
  }
  return options;
}

}  // namespace weft::cli
