// Analysis of fitted models and of features: certificates, pruning, activations, leverage scores.
#pragma once

#include <pybind11/pybind11.h>

namespace weft::python {

void bind_analysis(pybind11::module_& module);

}  // namespace weft::python
