// The functions that activations are written in, for one number on the host or on a device. The vector versions
// (cpu/vector_kernels.inl) overload the same names, so that a formula is written once: it is the scalar reference, the
// code of every instruction set and the code of a GPU.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#if defined(__CUDACC__)
#define WEFT_HOST_DEVICE __host__ __device__
#else
#define WEFT_HOST_DEVICE
#endif

namespace weft::detail::formula {

inline constexpr double kSqrtHalf = std::numbers::sqrt2 / 2;
inline constexpr double kInvSqrt2Pi = 0.39894228040143267794;

#define WEFT_SCALAR_FUNCTION(name)                \
  WEFT_HOST_DEVICE inline double name(double x) { \
    return ::name(x);                             \
  }                                               \
  WEFT_HOST_DEVICE inline float name(float x) {   \
    return ::name##f(x);                          \
  }
WEFT_SCALAR_FUNCTION(erf)
WEFT_SCALAR_FUNCTION(erfc)
WEFT_SCALAR_FUNCTION(exp)
WEFT_SCALAR_FUNCTION(log)
WEFT_SCALAR_FUNCTION(cos)
WEFT_SCALAR_FUNCTION(sin)
WEFT_SCALAR_FUNCTION(sqrt)
WEFT_SCALAR_FUNCTION(fabs)
#undef WEFT_SCALAR_FUNCTION

/// a where the condition holds, else b; both are computed.
template <class V>
WEFT_HOST_DEVICE inline V select(bool condition, V a, V b) {
  return condition ? a : b;
}

/// A constant in the precision of V. Specialised for vectors.
template <class V>
struct Constant {
  using Real = V;
};
template <class V>
WEFT_HOST_DEVICE inline constexpr typename Constant<V>::Real real(double value) {
  return static_cast<typename Constant<V>::Real>(value);
}

/// What a smoothing needs of the spread ν of a row: computed once per row and group of columns, in the precision of
/// the features.
template <class V>
struct Terms {
  V p{};
  V q{};
};

/// Derivatives of a smoothing S(μ, ν) in μ. That in ν is ν·second: Gaussian smoothing solves the heat equation.
template <class V>
struct Slopes {
  V first;
  V second;
};

}  // namespace weft::detail::formula
