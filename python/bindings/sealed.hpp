// Classes whose objects only the library makes.
#pragma once

#include <pybind11/pybind11.h>

namespace weft::python {

/// Class.__new__ would make an object that holds no T, and pybind11 reads one there all the same: without a tp_new,
/// every way to it raises TypeError. pybind11 itself makes objects without it.
template <class T>
pybind11::class_<T> sealed_class(pybind11::module_& module, const char* name, const char* doc) {
  pybind11::class_<T> result(module, name, doc);
  reinterpret_cast<PyTypeObject*>(result.ptr())->tp_new = nullptr;
  return result;
}

}  // namespace weft::python
