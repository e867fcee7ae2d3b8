#include "cli/method_arguments.hpp"

#include "cli/options.hpp"

#include <set>

#include <fmt/ranges.h>

namespace weft::cli {

namespace {

bool has_option(const MethodOptions& options, const std::string& name) {
  bool found = false;
  for_each_own_field(options, [&](const auto& field, const auto&) { found = found || field.name == name; });
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
  app.add_option("--fit", name_, fmt::format("method (one of {}) [{}]", fmt::join(names, ", "), name_))->group("Fit");
  std::set<std::string> added;
  for (const MethodRow& method : method_table())
    for_each_own_field(method.options, [&](const auto& field, const auto& preset) {
      const std::string option = field.name;
      if (!added.insert(option).second) return;
      const std::vector<std::string> users = methods_with(option);
      const auto set = [this, option](const auto& value) {
        given_.push_back({option, [option, value](MethodOptions& options) {
                            for_each_own_field(options, [&](const auto& own, auto& member) {
                              if constexpr (std::is_assignable_v<decltype(member), decltype(value)>)
                                if (own.name == option) member = value;
                            });
                          }});
      };
      const std::string whose = users.size() > 1 ? fmt::format("; {}", fmt::join(users, ", ")) : "";
      add_field(app, field, preset, set, whose)->group(group_of(method, users));
    });
}

MethodOptions MethodArguments::options() const {
  MethodOptions options = method_options(name_);
  for (const Given& given : given_) {
    if (!has_option(options, given.option)) throw_not_used(name_, given.option);
    given.set(options);
  }
  return options;
}

}  // namespace weft::cli
