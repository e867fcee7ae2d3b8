#include "errors.hpp"

#include <weft/error.hpp>

#include <pybind11/stl.h>

#include <exception>
#include <filesystem>

namespace py = pybind11;

namespace weft::python {

const std::vector<std::pair<std::string, std::string>>& renamed_options() {
  // As scikit-learn calls them; lambda is a keyword, and an attribute called fit would hide the method.
  static const std::vector<std::pair<std::string, std::string>> names = {
      {"features", "n_features"}, {"lambda", "lam"},     {"global", "global_landmarks"},
      {"seed", "random_state"},   {"threads", "n_jobs"}, {"fit", "algorithm"},
      {"group", "groups"},        {"time", "times"},     {"folds_column", "folds"}};
  return names;
}

std::string in_python_words(const std::string& text) {
  return with_options_named(text, [](const std::string& field) {
    const bool off = field.starts_with("no_");
    std::string name = off ? field.substr(3) : field;
    for (const auto& [from, to] : renamed_options())
      if (from == name) name = to;
    return off ? name + "=False" : name;
  });
}

namespace {

PyObject* exception_for(const Error& error) {
  std::error_code ignored;
  switch (error.kind()) {
    case ErrorKind::file:
      return std::filesystem::exists(error.place(), ignored) ? PyExc_OSError : PyExc_FileNotFoundError;
    case ErrorKind::memory:
      return PyExc_MemoryError;
    case ErrorKind::cancelled:
      return PyExc_KeyboardInterrupt;
    case ErrorKind::data:
    case ErrorKind::option:
    case ErrorKind::model:
      break;
  }
  return PyExc_ValueError;
}

}  // namespace

void bind_errors(py::module_& module) {
  // NOLINTNEXTLINE(performance-unnecessary-value-param): the signature is pybind11's
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const Error& error) {
      // The signal that cancelled the job is still waiting: its handler raises, now instead of once more later.
      if (error.kind() == ErrorKind::cancelled && PyErr_CheckSignals() != 0) return;
      PyErr_SetString(exception_for(error), in_python_words(error.marked()).c_str());
    }
  });
  module.def("renamed_options", &renamed_options, "Options whose parameter has another name: (option, parameter).");
  module.def("in_python_words", &in_python_words, py::arg("text"),
             "A text of the library with parameters for options.");
}

}  // namespace weft::python
