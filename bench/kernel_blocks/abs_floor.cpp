#include "abs_floor.hpp"

#include <cmath>

namespace {

template <class Real>
struct Of {
  typedef double V __attribute__((vector_size(ABS_FLOOR_BYTES)));
  typedef long long Bits __attribute__((vector_size(ABS_FLOOR_BYTES)));
  static constexpr long long kMask = 0x7FFFFFFFFFFFFFFF;
};
template <>
struct Of<float> {
  typedef float V __attribute__((vector_size(ABS_FLOOR_BYTES)));
  typedef int Bits __attribute__((vector_size(ABS_FLOOR_BYTES)));
  static constexpr int kMask = 0x7FFFFFFF;
};

/// Four rows times two vectors.
template <class Real>
void add_inputs(std::ptrdiff_t inputs, const Real* a, const Real* b, Real* out) {
  using V = typename Of<Real>::V;
  using Bits = typename Of<Real>::Bits;
  constexpr std::ptrdiff_t kLanes = sizeof(V) / sizeof(Real);
  V s00 = {}, s01 = {}, s10 = {}, s11 = {}, s20 = {}, s21 = {}, s30 = {}, s31 = {};
  const auto size = [](V d) { return reinterpret_cast<V>(reinterpret_cast<Bits>(d) & Of<Real>::kMask); };
  for (std::ptrdiff_t k = 0; k < inputs; ++k, a += kFloorRows, b += kFloorColumns<Real>) {
    V x, y;
    __builtin_memcpy(&x, b, sizeof(V));
    __builtin_memcpy(&y, b + kLanes, sizeof(V));
    s00 += size(x - a[0]);
    s01 += size(y - a[0]);
    s10 += size(x - a[1]);
    s11 += size(y - a[1]);
    s20 += size(x - a[2]);
    s21 += size(y - a[2]);
    s30 += size(x - a[3]);
    s31 += size(y - a[3]);
  }
  const V sums[] = {s00, s01, s10, s11, s20, s21, s30, s31};
  for (std::ptrdiff_t r = 0; r < kFloorRows; ++r)
    __builtin_memcpy(out + r * kFloorColumns<Real>, sums + 2 * r, 2 * sizeof(V));
}

// Panels of b stay in the first-level cache while those of a pass by.
template <class Real>
void block(std::ptrdiff_t inputs, std::ptrdiff_t a_panels, const Real* a, std::ptrdiff_t b_panels, const Real* b,
           Real* sums) {
  constexpr std::ptrdiff_t kWidth = kFloorColumns<Real>, kSize = kFloorRows * kWidth;
  for (std::ptrdiff_t p = 0; p < b_panels; ++p)
    for (std::ptrdiff_t g = 0; g < a_panels; ++g)
      for (std::ptrdiff_t i = 0; i < kWidth;
           i += std::ptrdiff_t{2} * ABS_FLOOR_BYTES / static_cast<std::ptrdiff_t>(sizeof(Real)))
        add_inputs(inputs, a + g * inputs * kFloorRows, b + p * inputs * kWidth + i,
                   sums + (p * a_panels + g) * kSize + i);
}

template <class Real>
void exponentials(std::ptrdiff_t n, Real rate, const Real* sums, double* out) {
  for (std::ptrdiff_t i = 0; i < n; ++i) out[i] = static_cast<double>(std::exp(-rate * sums[i]));
}

}  // namespace

AbsFloors ABS_FLOOR() {
  return {{block<double>, exponentials<double>}, {block<float>, exponentials<float>}};
}
