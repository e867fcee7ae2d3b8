#include "options.hpp"

#include "errors.hpp"

#include <weft/certify.hpp>
#include <weft/prune.hpp>
#include <weft/tune.hpp>

namespace py = pybind11;

namespace weft::python {

void throw_wrong_type(const char* name, const char* wanted, py::handle value) {
  throw py::type_error(in_python_words("--" + option_name(name)) + ": wants " + wanted + ", not " +
                       py::repr(value).cast<std::string>());
}

namespace {

template <class T>
const char* type_name() {
  if constexpr (is_optional<T>::value)
    return type_name<typename T::value_type>();
  else if constexpr (std::is_same_v<T, std::string>)
    return "str";
  else if constexpr (std::is_same_v<T, bool>)
    return "bool";
  else
    return std::is_floating_point_v<T> ? "float" : "int";
}

/// A field as the generator of the signatures reads it.
template <class Options>
py::list rows_of() {
  py::list rows;
  const Options defaults;
  for_each_field<Options>([&](const auto& field) {
    using T = std::decay_t<decltype(defaults.*field.member)>;
    py::dict row;
    row["name"] = field.name;
    row["type"] = type_name<T>();
    row["optional"] = is_optional<T>::value;
    row["default"] = defaults.*field.member;
    row["allowed"] = field.allowed.describe();
    row["choices"] = field.allowed.choices;
    row["help"] = field.help;
    rows.append(row);
  });
  return rows;
}

}  // namespace

void bind_options(py::module_& module) {
  module.def(
      "fields",
      [] {
        py::dict groups;
        groups["family"] = rows_of<FamilyOptions>();
        groups["fit"] = rows_of<FitOptions>();
        groups["encode"] = rows_of<EncodeOptions>();
        groups["tune"] = rows_of<TuneOptions>();
        groups["run"] = rows_of<RunOptions>();
        groups["certify"] = rows_of<CertifyOptions>();
        groups["prune"] = rows_of<PruneOptions>();
        return groups;
      },
      "Every option of the library: its rows of include/weft, by group.");
  module.def("fit_reads", &fit_reads, py::arg("fit"), py::arg("option"), "Whether a fit reads an option.");
}

}  // namespace weft::python
