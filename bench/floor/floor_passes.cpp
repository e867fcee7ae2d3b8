// Compiled with -ffast-math, under which glibc's headers let the compiler call libmvec: nothing here is weft's.
#include "floor_passes.hpp"

#include <cmath>

namespace {

template <class Real>
void sign(std::ptrdiff_t n, const Real* p, const Real*, Real, Real* z) {
  for (std::ptrdiff_t i = 0; i < n; ++i) z[i] = std::erf(z[i] * p[i]);
}

template <class Real>
void relu(std::ptrdiff_t n, const Real* p, const Real* q, Real, Real* z) {
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    const Real t = z[i] * p[i];
    z[i] = q[i] * std::exp(-t * t) + Real(0.5) * z[i] * std::erfc(-t);
  }
}

template <class Real>
void cosine(std::ptrdiff_t n, const Real*, const Real*, Real phase, Real* z) {
  for (std::ptrdiff_t i = 0; i < n; ++i) z[i] = std::cos(z[i] + phase);
}

constexpr FloorPassSet kPasses = {{sign<double>, relu<double>, cosine<double>},
                                  {sign<float>, relu<float>, cosine<float>}};

}  // namespace

const FloorPassSet& FLOOR_PASSES() {
  return kPasses;
}
