// The query of a request as a struct of options.
#pragma once

#include <weft/fields.hpp>

#include "data/readers/na_values.hpp"
#include "serve/request.hpp"

#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft::detail {

inline void read_value(const std::string& name, const std::string& text, bool& value) {
  if (text != "" && text != "1" && text != "0" && text != "true" && text != "false")
    throw Error(ErrorKind::option, fmt::format("{} is not true or false", shown(text)), name, "write true or false");
  value = text != "0" && text != "false";
}

inline void read_value(const std::string& name, const std::string& text, std::optional<double>& value) {
  double number = 0;
  if (parse_cell(text, number) != CellKind::number)
    throw Error(ErrorKind::option, fmt::format("{} is not a number", shown(text)), name, "write a number");
  value = number;
}

inline void read_value(const std::string& /*name*/, const std::string& text, std::string& value) {
  value = text;
}

/// Throws Error(option) for a name that is no field, and for a value that the field does not allow.
template <class Fields>
Fields query_fields(std::string_view query) {
  Fields result;
  for (const auto& [name, text] : parse_query(query)) {
    bool known = false;
    std::vector<std::string> names;
    for_each_field<Fields>([&, &name = name, &text = text](const auto& field) {
      names.emplace_back(field.name);
      if (name != field.name) return;
      read_value(name, text, result.*field.member);
      known = true;
    });
    if (!known)
      throw Error(ErrorKind::option, fmt::format("there is no option {}", shown(name)), "query",
                  fmt::format("the options are {}", fmt::join(names, ", ")));
  }
  check_options(result);
  return result;
}

}  // namespace weft::detail
