// The functions activations are written in, for one number. The vector versions (vector_kernels.inl) overload the same
// names, so a formula is written once and serves the scalar truth and every instruction set.
#pragma once

#include <cmath>
#include <numbers>

namespace weft::detail::formula {

inline constexpr double kSqrtHalf = std::numbers::sqrt2 / 2;
inline constexpr double kInvSqrt2Pi = 0.39894228040143267794;

inline double erf(double x) {
  return std::erf(x);
}
inline double erfc(double x) {
  return std::erfc(x);
}
inline double exp(double x) {
  return std::exp(x);
}
inline double cos(double x) {
  return std::cos(x);
}
inline double sin(double x) {
  return std::sin(x);
}
inline float erf(float x) {
  return std::erf(x);
}
inline float erfc(float x) {
  return std::erfc(x);
}
inline float exp(float x) {
  return std::exp(x);
}
inline float cos(float x) {
  return std::cos(x);
}
inline float sin(float x) {
  return std::sin(x);
}

/// A constant in the precision of V. Specialised for vectors.
template <class V>
struct Constant {
  using Real = V;
};
template <class V>
inline constexpr typename Constant<V>::Real real(double value) {
  return static_cast<typename Constant<V>::Real>(value);
}

}  // namespace weft::detail::formula
