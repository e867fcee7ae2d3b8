// Included by one source per library, which defines WEFT_MVEC and WEFT_MVECF as vector_kernels.inl requires. The
// build gives CONTENDER (the function to define), its names and WEFT_VECTOR_BYTES.
#include "contender.hpp"

#define WEFT_KERNELS kernels
#include "compute/cpu/vector_kernels.inl"

namespace weft {

using namespace detail;
namespace {

#define CONTENDER_FUNCTION(f)                                                                                      \
  template <class Real>                                                                                            \
  void f##_loop(std::ptrdiff_t n, const Real* x, Real* out) {                                                      \
    using V = typename VectorOf<Real>::Type;                                                                       \
    each_vector<Real>(                                                                                             \
        n, [=](std::ptrdiff_t i, auto extent) { store<V>(formula::f(load<V>(x + i, extent)), out + i, extent); }); \
  }
CONTENDER_FUNCTION(erf)
CONTENDER_FUNCTION(erfc)
CONTENDER_FUNCTION(exp)
CONTENDER_FUNCTION(cos)

template <class Real>
constexpr ContenderKernels<Real> kContenderKernels = {smooth_loop<formula::Sign, Real>,
                                                      smooth_loop<formula::Relu, Real>,
                                                      smooth_loop<formula::Cos, Real>,
                                                      erf_loop<Real>,
                                                      erfc_loop<Real>,
                                                      exp_loop<Real>,
                                                      cos_loop<Real>};

}  // namespace
}  // namespace weft

const Contender& CONTENDER() {
  static const Contender contender = {CONTENDER_NAME, CONTENDER_SET, weft::kContenderKernels<double>,
                                      weft::kContenderKernels<float>};
  return contender;
}
