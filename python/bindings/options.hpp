// Option structs from dictionaries of Python values, by their fields.
#pragma once

#include <weft/fit.hpp>
#include <weft/run.hpp>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <type_traits>

namespace weft::python {

[[noreturn]] void throw_wrong_type(const char* name, const char* wanted, pybind11::handle value);

template <class T>
T option_from(const char* name, pybind11::handle value) {
  namespace py = pybind11;
  if constexpr (is_optional<T>::value) {
    if (value.is_none()) return {};
    return option_from<typename T::value_type>(name, value);
  } else if constexpr (Choice<T>) {
    return parse_choice<T>(name, option_from<std::string>(name, value));
  } else if constexpr (std::is_same_v<T, std::string>) {
    // Widths may be words or numbers.
    const bool number = PyNumber_Check(value.ptr()) != 0 && !py::isinstance<py::bool_>(value);
    if (!number && !py::isinstance<py::str>(value)) throw_wrong_type(name, "a text", value);
    return py::str(value).cast<std::string>();
  } else {
    constexpr bool kBool = std::is_same_v<T, bool>;
    const char* wanted = kBool ? "True or False" : std::is_floating_point_v<T> ? "a number" : "an integer in range";
    if (!kBool && py::isinstance<py::bool_>(value)) throw_wrong_type(name, wanted, value);
    try {
      return value.cast<T>();
    } catch (const py::cast_error&) {
      throw_wrong_type(name, wanted, value);
    }
  }
}

/// What the dictionary holds and differs from its default is given; checked. A key that is not a field of
/// Options is an error in the package.
template <class Options>
Options options_from(const pybind11::dict& values) {
  Options options;
  std::size_t used = 0;
  for_each_field<Options>([&](const auto& field) {
    if (!values.contains(field.name)) return;
    auto& member = options.*field.member;
    using Member = std::remove_cvref_t<decltype(member)>;
    auto value = option_from<plain_type<Member>>(field.name, values[field.name]);
    ++used;
    if constexpr (is_setting<Member>::value)
      if (value == *member) return;
    member = std::move(value);
  });
  if (used != values.size()) throw pybind11::key_error("options that weft does not have");
  check_options(options);
  return options;
}

/// The other way round.
template <class Options>
pybind11::dict dict_from(const Options& options) {
  pybind11::dict values;
  for_each_field<Options>([&](const auto& field) { values[field.name] = stored_value(options.*field.member); });
  return values;
}

/// "fit" names the method; options that it does not use are refused.
FitOptions fit_options_from(const pybind11::dict& values);

void bind_options(pybind11::module_& module);

}  // namespace weft::python
