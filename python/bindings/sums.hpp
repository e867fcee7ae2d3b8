#pragma once

#include <pybind11/pybind11.h>

namespace weft::python {

void bind_sums(pybind11::module_& module);

}  // namespace weft::python
