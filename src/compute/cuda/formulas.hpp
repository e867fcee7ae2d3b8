// The activations of the device: the formulas of compute/activations, by their place in the table of them all, and
// learned ones.
#pragma once

#include "compute/activations/all.hpp"
#include "compute/cuda/feature_kernels.hpp"

#include <string>

namespace weft::detail::cuda {

template <class... Rows>
int find_formula(formula::Table<Rows...>, const std::string& name) {
  int place = 0, found = -1;
  ((found = name == Rows::kName ? place : found, ++place), ...);
  return found;
}

template <class Visit, class... Rows>
void with_row(formula::Table<Rows...>, int place, const Visit& visit) {
  int at = 0;
  ((at++ == place ? visit(Rows{}) : void()), ...);
}

/// visit(h) with what has the functions of a formula.
template <class Visit>
void with_formula(const Formula& h, const Visit& visit) {
  switch (h.kind) {
    case Formula::Kind::built_in:
      return with_row(formula::Activations{}, h.place, visit);
    case Formula::Kind::bumps:
      return visit(Bumps{h.table});
    case Formula::Kind::splines:
      return visit(Splines{h.table});
  }
}

}  // namespace weft::detail::cuda
