// xsimd is header-only: its functions are given the names vector_kernels.inl will declare, and are inlined from here.
#include "contender.hpp"

#include <xsimd/xsimd.hpp>

#if WEFT_VECTOR_BYTES == 64
using Arch = xsimd::avx512dq;
#define WEFT_MVEC(f) xsimd_avx512_double_##f
#define WEFT_MVECF(f) xsimd_avx512_float_##f
#else
using Arch = xsimd::fma3<xsimd::avx2>;
#define WEFT_MVEC(f) xsimd_avx2_double_##f
#define WEFT_MVECF(f) xsimd_avx2_float_##f
#endif

namespace weft::detail::formula {

typedef double VectorD __attribute__((vector_size(WEFT_VECTOR_BYTES)));
typedef float VectorF __attribute__((vector_size(WEFT_VECTOR_BYTES)));

#define XSIMD_FUNCTION(f)                                                             \
  extern "C" inline __attribute__((always_inline)) VectorD WEFT_MVEC(f)(VectorD x) {  \
    return VectorD(xsimd::f(xsimd::batch<double, Arch>(x)).data);                     \
  }                                                                                   \
  extern "C" inline __attribute__((always_inline)) VectorF WEFT_MVECF(f)(VectorF x) { \
    return VectorF(xsimd::f(xsimd::batch<float, Arch>(x)).data);                      \
  }
XSIMD_FUNCTION(erf)
XSIMD_FUNCTION(erfc)
XSIMD_FUNCTION(exp)
XSIMD_FUNCTION(log)
XSIMD_FUNCTION(cos)
XSIMD_FUNCTION(sin)

}  // namespace weft::detail::formula

#include "contender.inl"
