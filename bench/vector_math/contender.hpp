// One vector library at one instruction set: weft's own kernels compiled over it, and its bare functions.
#pragma once

#include <cstddef>

// The kernels are templates over vector types that several contenders share: each contender calls weft's namespace by a
// name of its own, or the linker would keep one contender's code for all of them.
#if defined(CONTENDER)
#define CONTENDER_PASTE(name) weft_over_##name
#define CONTENDER_NAMESPACE(name) CONTENDER_PASTE(name)
#define weft CONTENDER_NAMESPACE(CONTENDER)
#endif

template <class Real>
struct ContenderKernels {
  using Smooth = void (*)(std::ptrdiff_t n, const Real* mu, Real offset, const Real* p, const Real* q, Real* out);
  using Function = void (*)(std::ptrdiff_t n, const Real* x, Real* out);
  Smooth sign, relu, cosine;
  Function erf, erfc, exp, cos;
};

struct Contender {
  const char* library;
  const char* instructions;
  ContenderKernels<double> in_double;
  ContenderKernels<float> in_float;
};

const Contender& scalar_none();
const Contender& libmvec_avx2();
const Contender& libmvec_avx512();
const Contender& sleef_avx2();
const Contender& sleef_avx512();
const Contender& xsimd_avx2();
const Contender& xsimd_avx512();
