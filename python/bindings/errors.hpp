// C++ errors as Python exceptions, in Python's words.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <utility>
#include <vector>

namespace weft::python {

/// Options whose parameter has another name in Python: (option, parameter).
const std::vector<std::pair<std::string, std::string>>& renamed_options();

/// "‹lambda_holdout›" becomes "lambda_holdout", "‹lambda›" becomes "lam".
std::string in_python_words(const std::string& text);

void bind_errors(pybind11::module_& module);

}  // namespace weft::python
