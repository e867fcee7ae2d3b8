// Included by vector_kernels.inl: distances between two sides of a kernel block, and kernels as functions of them.
//
// The loops over inputs hold a few rows of one side times a few vectors of the other in registers, so that one load
// serves several differences. Sums run over the inputs in their order, whatever the width of the vectors.

namespace weft::detail {
namespace {

/// Vectors held at once of a panel's columns: the sums of all its rows and what meets them fit into 16 registers.
constexpr std::ptrdiff_t kHeld = 2;

template <class Real>
struct PanelVectors {
  using V = typename VectorOf<Real>::Type;
  static constexpr std::ptrdiff_t kLanes = kLanesOf<Real>;
  static constexpr std::ptrdiff_t kStep = kHeld * kLanes;
  static_assert(kPanelColumns<Real> % kStep == 0);
};

template <class Real>
void l1_loop(std::ptrdiff_t count, const Real* a, const Real* b, bool add, Real* sums, std::ptrdiff_t stride) {
  using Panel = PanelVectors<Real>;
  using V = typename Panel::V;
  using formula::fabs;
  for (std::ptrdiff_t i = 0; i < kPanelColumns<Real>; i += Panel::kStep) {
    V sum[kPanelRows * kHeld];
    const auto place = [=](std::ptrdiff_t s) { return sums + s / kHeld * stride + i + s % kHeld * Panel::kLanes; };
    // Unrolled, or the compiler keeps the sums in memory.
#pragma GCC unroll 8
    for (std::ptrdiff_t s = 0; s < kPanelRows * kHeld; ++s) sum[s] = add ? load<V>(place(s), Whole{}) : V{};
    for (std::ptrdiff_t k = 0; k < count; ++k) {
      V column[kHeld];
      for (std::ptrdiff_t h = 0; h < kHeld; ++h)
        column[h] = load<V>(b + k * kPanelColumns<Real> + i + h * Panel::kLanes, Whole{});
      for (std::ptrdiff_t s = 0; s < kPanelRows * kHeld; ++s)
        sum[s] += fabs(column[s % kHeld] - a[k * kPanelRows + s / kHeld]);
    }
#pragma GCC unroll 8
    for (std::ptrdiff_t s = 0; s < kPanelRows * kHeld; ++s) store<V>(sum[s], place(s), Whole{});
  }
}

template <class Real>
void l1_row_loop(std::ptrdiff_t n, std::ptrdiff_t count, const Real* x, const Real* const* columns, Real* sums) {
  using V = typename VectorOf<Real>::Type;
  using formula::fabs;
  // Several cache lines of a column at a time: the columns lie far apart.
  constexpr std::ptrdiff_t kTogether = 8, kStep = kTogether * kLanesOf<Real>;
  std::ptrdiff_t first = 0;
  for (; first + kStep <= n; first += kStep) {
    V sum[kTogether] = {};
    for (std::ptrdiff_t k = 0; k < count; ++k)
      for (std::ptrdiff_t h = 0; h < kTogether; ++h)
        sum[h] += fabs(load<V>(columns[k] + first + h * kLanesOf<Real>, Whole{}) - x[k]);
    for (std::ptrdiff_t h = 0; h < kTogether; ++h) store<V>(sum[h], sums + first + h * kLanesOf<Real>, Whole{});
  }
  each_vector<Real>(n - first, [=](std::ptrdiff_t i, auto extent) {
    V sum = {};
    for (std::ptrdiff_t k = 0; k < count; ++k) sum += fabs(load<V>(columns[k] + first + i, extent) - x[k]);
    store<V>(sum, sums + first + i, extent);
  });
}

template <class Real>
bool squares_loop(std::ptrdiff_t n, Real square, const Real* squares, Real near, Real* x) {
  using V = typename VectorOf<Real>::Type;
  using formula::select;
  V least = {};  // of distance − near · sum, where that is negative
  each_vector<Real>(n, [=, &least](std::ptrdiff_t i, auto extent) {
    const V sum = load<V>(squares + i, extent) + square;
    const V distance = sum - Real{2} * load<V>(x + i, extent);
    const V zero = distance - distance;
    const V clamped = select(distance < zero, zero, distance);
    const V excess = clamped - near * sum;
    least = select(excess < least, excess, least);
    store<V>(clamped, x + i, extent);
  });
  Real lanes[kLanesOf<Real>];
  __builtin_memcpy(lanes, &least, sizeof(V));
  for (const Real lane : lanes)
    if (lane < 0) return true;
  return false;
}

/// body(u) with u the function V ↦ (rate·x)^power.
template <class Real, class Body>
void with_power(Decay decay, Body body) {
  using V = typename VectorOf<Real>::Type;
  using formula::exp;
  using formula::log;
  using formula::sqrt;
  const auto rate = static_cast<Real>(decay.rate);
  const auto power = static_cast<Real>(decay.power);
  if (decay.power == 1) return body([=](V x) { return rate * x; });
  if (decay.power == 0.5) return body([=](V x) { return sqrt(rate * x); });
  body([=](V x) { return exp(power * log(rate * x)); });  // 0 where x = 0: log gives −∞
}

inline void store_double(double v, double* to, Whole) {
  *to = v;
}
inline void store_double(float v, double* to, Whole) {
  *to = static_cast<double>(v);
}
#if WEFT_VECTOR_BYTES > 0
template <class Extent>
void store_double(const formula::VectorD& v, double* to, Extent extent) {
  store<formula::VectorD>(v, to, extent);
}
inline void store_double(const formula::VectorF& v, double* to, Whole) {
  typedef float Half __attribute__((vector_size(WEFT_VECTOR_BYTES / 2)));
  Half halves[2];
  __builtin_memcpy(halves, &v, sizeof(v));
  for (std::ptrdiff_t k = 0; k < 2; ++k)
    store<formula::VectorD>(__builtin_convertvector(halves[k], formula::VectorD),
                            to + k * static_cast<std::ptrdiff_t>(sizeof(Half) / sizeof(float)), Whole{});
}
inline void store_double(const formula::VectorF& v, double* to, Part part) {
  for (std::ptrdiff_t k = 0; k < part.count; ++k) to[k] = static_cast<double>(v[k]);
}
#else
inline void store_double(double, double*, Part) {}  // a number is never a part of one
inline void store_double(float, double*, Part) {}
#endif

template <class Real>
void kernel_values_loop(std::ptrdiff_t n, Decay decay, const Real* x, double* out) {
  using V = typename VectorOf<Real>::Type;
  using formula::exp;
  with_power<Real>(decay, [=](auto power) {
    each_vector<Real>(
        n, [=](std::ptrdiff_t i, auto extent) { store_double(exp(-power(load<V>(x + i, extent))), out + i, extent); });
  });
}

template <class Real>
void kernel_slopes_loop(std::ptrdiff_t n, Decay decay, Real* x) {
  using V = typename VectorOf<Real>::Type;
  using formula::exp;
  using formula::select;
  const auto factor = static_cast<Real>(-decay.power);
  with_power<Real>(decay, [=](auto power) {
    each_vector<Real>(n, [=](std::ptrdiff_t i, auto extent) {
      const V distance = load<V>(x + i, extent);
      const V zero = distance - distance;
      const V u = power(distance);
      store<V>(select(distance > zero, factor * (u / distance) * exp(-u), zero), x + i, extent);
    });
  });
}

/// 1, 0 or −1.
template <class V, class Real>
V sign_of(V x, Real one) {
  using formula::select;
  const V zero = {};
  return select(x > zero, zero + one, zero) - select(x < zero, zero + one, zero);
}

/// The products with ±1 and 0 are exact, whether or not they are fused with the sums.
template <class Real, std::ptrdiff_t kOutputs, std::ptrdiff_t kVectors>
void signs_of_input(std::ptrdiff_t panels, std::ptrdiff_t panel_step, const Real* a, const Real* b,
                    const SignWeights<Real>& weights, Real* out, std::ptrdiff_t out_step) {
  using Panel = PanelVectors<Real>;
  using V = typename Panel::V;
  static_assert(kPanelColumns<Real> % (kVectors * Panel::kLanes) == 0);
  for (std::ptrdiff_t i = 0; i < kPanelColumns<Real>; i += kVectors * Panel::kLanes) {
    V column[kVectors], sum[kOutputs][kVectors] = {};
    for (std::ptrdiff_t h = 0; h < kVectors; ++h) column[h] = load<V>(b + i + h * Panel::kLanes, Whole{});
    for (std::ptrdiff_t g = 0; g < panels; ++g)
      for (std::ptrdiff_t r = 0; r < kPanelRows; ++r) {
        const Real* weight = weights.data + (g * kPanelRows + r) * weights.stride + i;
        for (std::ptrdiff_t h = 0; h < kVectors; ++h) {
          const V sign = sign_of<V>(column[h] - a[g * panel_step + r], Real{1});
          for (std::ptrdiff_t o = 0; o < kOutputs; ++o)
            sum[o][h] += sign * load<V>(weight + o * weights.step + h * Panel::kLanes, Whole{});
        }
      }
    for (std::ptrdiff_t o = 0; o < kOutputs; ++o)
      for (std::ptrdiff_t h = 0; h < kVectors; ++h)
        store<V>(sum[o][h], out + o * out_step + i + h * Panel::kLanes, Whole{});
  }
}

template <class Real>
void signs_loop(std::ptrdiff_t panels, std::ptrdiff_t inputs, const Real* a, const Real* b,
                const SignWeights<Real>& weights, Real* out) {
  constexpr std::ptrdiff_t kWidth = kPanelColumns<Real>;
  const auto each_input = [&](auto body, std::ptrdiff_t first_output) {
    SignWeights<Real> some = weights;
    some.data += first_output * weights.step;
    for (std::ptrdiff_t j = 0; j < inputs; ++j)
      body(panels, inputs * kPanelRows, a + j * kPanelRows, b + j * kWidth, some,
           out + (first_output * inputs + j) * kWidth, inputs * kWidth);
  };
  constexpr std::ptrdiff_t kTogether = 4;
  // As many vectors as registers allow, but not more than a panel has: wide ones would reach beyond it.
  constexpr std::ptrdiff_t kVectors =
      kPanelColumns<Real> / kLanesOf<Real> < 4 ? kPanelColumns<Real> / kLanesOf<Real> : 4;
  std::ptrdiff_t o = 0;
  for (; o + kTogether <= weights.outputs; o += kTogether) each_input(signs_of_input<Real, kTogether, 1>, o);
  for (; o < weights.outputs; ++o) each_input(signs_of_input<Real, 1, kVectors>, o);
}

template <class Real>
constexpr DistanceKernels<Real> kDistances = {
    l1_loop<Real>,   l1_row_loop<Real>, squares_loop<Real>, kernel_values_loop<Real>, kernel_slopes_loop<Real>,
    signs_loop<Real>};

}  // namespace
}  // namespace weft::detail
