#include "options.hpp"

#include "errors.hpp"

#include <weft/certify.hpp>
#include <weft/explanation.hpp>
#include <weft/prune.hpp>
#include <weft/tune.hpp>

namespace py = pybind11;

namespace weft::python {

namespace {

/// The first key that is neither an option of all methods nor of this one.
[[noreturn]] void throw_unused(const FitOptions& options, const py::dict& values) {
  for (const auto& [key, value] : values) {
    const auto name = key.cast<std::string>();
    bool known = name == "fit";
    for_each_fit_field(options, [&](const auto& field, const auto&) { known = known || field.name == name; });
    if (!known && !methods_with(name).empty()) throw_not_used(method_name(options.method), name);
  }
  throw py::key_error("options that weft does not have");
}

}  // namespace

FitOptions fit_options_from(const py::dict& values) {
  FitOptions options;
  if (values.contains("fit")) options.method = method_options(option_from<std::string>("fit", values["fit"]));
  std::size_t used = values.contains("fit") ? 1 : 0;
  for_each_fit_field(options, [&](const auto& field, auto& member) {
    if (!values.contains(field.name)) return;
    member = option_from<plain_type<std::remove_cvref_t<decltype(member)>>>(field.name, values[field.name]);
    ++used;
  });
  if (used != values.size()) throw_unused(options, values);
  check_options(options);
  return options;
}

void throw_wrong_type(const char* name, const char* wanted, py::handle value) {
  throw py::type_error(in_python_words(option_mark(name)) + ": must be " + wanted + ", not " +
                       py::repr(value).cast<std::string>());
}

namespace {

template <class T>
const char* type_name() {
  if constexpr (is_optional<T>::value)
    return type_name<typename T::value_type>();
  else if constexpr (std::is_same_v<T, std::string> || Choice<T>)
    return "str";
  else if constexpr (std::is_same_v<T, bool>)
    return "bool";
  else
    return std::is_floating_point_v<T> ? "float" : "int";
}

/// A field as the generator of the signatures reads it.
template <class Field, class Member>
py::dict row_of(const Field& field, const Member& preset) {
  using T = plain_type<Member>;
  py::dict row;
  row["name"] = field.name;
  row["type"] = type_name<T>();
  row["optional"] = is_optional<T>::value;
  row["default"] = stored_value(preset);
  row["allowed"] = field.allowed.describe();
  row["choices"] = field.allowed.choices;
  row["help"] = field.help;
  return row;
}

template <class Options>
py::list rows_of() {
  py::list rows;
  const Options defaults;
  for_each_field<Options>([&](const auto& field) { rows.append(row_of(field, defaults.*field.member)); });
  return rows;
}

py::list rows_of(const MethodOptions& options) {
  py::list rows;
  for_each_own_field(options, [&](const auto& field, const auto& preset) { rows.append(row_of(field, preset)); });
  return rows;
}

/// The choice of the method, the options common to all methods, then the others: the first of each name.
py::list fit_rows() {
  const std::string preset = method_name(MethodOptions{});
  py::list rows;
  py::dict method;
  std::vector<std::string> names;
  for (const MethodRow& row : method_table()) names.push_back(row.name);
  method["name"] = "fit";
  method["type"] = "str";
  method["optional"] = false;
  method["default"] = preset;
  method["allowed"] = Allowed{.choices = names}.describe();
  method["choices"] = names;
  method["help"] = "method that fits the model";
  rows.append(method);
  for (const py::handle row : rows_of<FitOptions>()) rows.append(row);
  py::dict seen;
  for (const MethodRow& row : method_table())
    for (const py::handle field : rows_of(row.options)) {
      const py::object name = field["name"];
      if (!seen.contains(name)) rows.append(field);
      seen[name] = true;
    }
  return rows;
}

py::list method_rows() {
  py::list rows;
  for (const MethodRow& method : method_table()) {
    py::dict row;
    row["name"] = method.name;
    row["help"] = method.help;
    row["batches"] = method.batches;
    row["fields"] = rows_of(method.options);
    rows.append(row);
  }
  return rows;
}

}  // namespace

void bind_options(py::module_& module) {
  module.def(
      "fields",
      [] {
        py::dict groups;
        groups["family"] = rows_of<FamilyOptions>();
        groups["fit"] = fit_rows();
        groups["encode"] = rows_of<EncodeOptions>();
        groups["tune"] = rows_of<TuneOptions>();
        groups["run"] = rows_of<RunOptions>();
        groups["certify"] = rows_of<CertifyOptions>();
        groups["explain"] = rows_of<ExplainOptions>();
        groups["prune"] = rows_of<PruneOptions>();
        return groups;
      },
      "Every option of the library: its rows of include/weft, by group.");
  module.def("methods", &method_rows, "The methods, each with the options that it has besides those of all.");
}

}  // namespace weft::python
