// The floor under an l1 block: one subtraction, one absolute value and one addition per input and pair, from panels
// that were packed before timing, and nothing else: sums are stored in the order of the panels. What a block of kernel
// values needs besides, one exponential per value stored in double, is a pass of its own.
#pragma once

#include <cstddef>

constexpr std::ptrdiff_t kFloorRows = 4;
template <class Real>
constexpr std::ptrdiff_t kFloorColumns = 128 / static_cast<std::ptrdiff_t>(sizeof(Real));

template <class Real>
struct AbsFloor {
  /// sums: panels of a × panels of b, each kFloorRows × kFloorColumns.
  void (*sums)(std::ptrdiff_t inputs, std::ptrdiff_t a_panels, const Real* a, std::ptrdiff_t b_panels, const Real* b,
               Real* sums);
  void (*exponentials)(std::ptrdiff_t n, Real rate, const Real* sums, double* out);
};
struct AbsFloors {
  AbsFloor<double> in_double;
  AbsFloor<float> in_float;
};
AbsFloors abs_floor_avx2();
AbsFloors abs_floor_avx512();
