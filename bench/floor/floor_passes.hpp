// What the floor does to a row of projections: the smoothing and nothing else.
#pragma once

#include <cstddef>

/// z[i] ← the smoothing of z[i] with the row's spread terms p[i], q[i]; `phase` is added to the argument of cos.
template <class Real>
struct FloorPasses {
  void (*sign)(std::ptrdiff_t n, const Real* p, const Real* q, Real phase, Real* z);
  void (*relu)(std::ptrdiff_t n, const Real* p, const Real* q, Real phase, Real* z);
  void (*cosine)(std::ptrdiff_t n, const Real* p, const Real* q, Real phase, Real* z);
};
struct FloorPassSet {
  FloorPasses<double> in_double;
  FloorPasses<float> in_float;
};

const FloorPassSet& floor_passes_avx2();
const FloorPassSet& floor_passes_avx512();
