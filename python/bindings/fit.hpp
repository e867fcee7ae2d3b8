// Fits, searches, fits in batches, and feature maps without a fit.
#pragma once

#include <pybind11/pybind11.h>

namespace weft::python {

void bind_fit(pybind11::module_& module);

}  // namespace weft::python
