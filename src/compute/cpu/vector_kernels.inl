// Included by one source file per instruction set, which defines
//   WEFT_KERNELS       the function to define (kernels_avx2 …)
//   WEFT_VECTOR_BYTES  32 …, or 0 for scalar code
//   WEFT_MVEC(f)       libmvec's name of f for that many doubles (_ZGVdN4v_##f …), WEFT_MVECF(f) for floats
// Only vector types of that width are instantiated here: code compiled for a wider set must never be shared with the
// rest of the program through an inline function.

#include "compute/activations/math.hpp"
#include "compute/cpu/vector_kernels.hpp"

#include <type_traits>
#include <utility>

#if WEFT_VECTOR_BYTES > 0
#include <immintrin.h>

namespace weft::detail::formula {

typedef double VectorD __attribute__((vector_size(WEFT_VECTOR_BYTES)));
typedef float VectorF __attribute__((vector_size(WEFT_VECTOR_BYTES)));

#define WEFT_VECTOR_FUNCTION(f)              \
  extern "C" VectorD WEFT_MVEC(f)(VectorD);  \
  extern "C" VectorF WEFT_MVECF(f)(VectorF); \
  static inline VectorD f(VectorD x) {       \
    return WEFT_MVEC(f)(x);                  \
  }                                          \
  static inline VectorF f(VectorF x) {       \
    return WEFT_MVECF(f)(x);                 \
  }
WEFT_VECTOR_FUNCTION(erf)
WEFT_VECTOR_FUNCTION(erfc)
WEFT_VECTOR_FUNCTION(exp)
WEFT_VECTOR_FUNCTION(log)
WEFT_VECTOR_FUNCTION(cos)
WEFT_VECTOR_FUNCTION(sin)

#if WEFT_VECTOR_BYTES == 64
// With a full mask because GCC 12 warns of an uninitialised number in the intrinsic without one (gcc bug 105593).
static inline VectorD sqrt(VectorD x) {
  return _mm512_maskz_sqrt_pd(static_cast<__mmask8>(0xFF), x);
}
static inline VectorF sqrt(VectorF x) {
  return _mm512_maskz_sqrt_ps(static_cast<__mmask16>(0xFFFF), x);
}
#elif WEFT_VECTOR_BYTES == 32
static inline VectorD sqrt(VectorD x) {
  return _mm256_sqrt_pd(x);
}
static inline VectorF sqrt(VectorF x) {
  return _mm256_sqrt_ps(x);
}
#else
static inline VectorD sqrt(VectorD x) {
  return _mm_sqrt_pd(x);
}
static inline VectorF sqrt(VectorF x) {
  return _mm_sqrt_ps(x);
}
#endif
static inline VectorD fabs(VectorD x) {
  typedef long long Bits __attribute__((vector_size(WEFT_VECTOR_BYTES)));
  return reinterpret_cast<VectorD>(reinterpret_cast<Bits>(x) & 0x7FFFFFFFFFFFFFFF);
}
static inline VectorF fabs(VectorF x) {
  typedef int Bits __attribute__((vector_size(WEFT_VECTOR_BYTES)));
  return reinterpret_cast<VectorF>(reinterpret_cast<Bits>(x) & 0x7FFFFFFF);
}
static inline VectorD select(decltype(VectorD{} < VectorD{}) condition, VectorD a, VectorD b) {
  return condition ? a : b;
}
static inline VectorF select(decltype(VectorF{} < VectorF{}) condition, VectorF a, VectorF b) {
  return condition ? a : b;
}

template <>
struct Constant<VectorD> {
  using Real = double;
};
template <>
struct Constant<VectorF> {
  using Real = float;
};

}  // namespace weft::detail::formula
#endif

#include "compute/activations/all.hpp"

namespace weft::detail {
namespace {

#if WEFT_VECTOR_BYTES > 0
template <class Real>
struct VectorOf {
  using Type = formula::VectorD;
};
template <>
struct VectorOf<float> {
  using Type = formula::VectorF;
};
#else
template <class Real>
struct VectorOf {
  using Type = Real;
};
#endif
template <class Real>
constexpr std::ptrdiff_t kLanesOf = WEFT_VECTOR_BYTES > 0
                                        ? WEFT_VECTOR_BYTES / static_cast<std::ptrdiff_t>(sizeof(Real))
                                        : 1;

/// A whole vector, or the first `count` elements of the last one.
struct Whole {};
struct Part {
  std::ptrdiff_t count;
};

template <class V, class Real>
V load(const Real* from, Whole) {
  V v;
  __builtin_memcpy(&v, from, sizeof(V));
  return v;
}
// The last, partial vector goes through the same instructions as the others (padded with its first element, which
// raises no exception): a value never depends on where a block was cut.
template <class V, class Real>
V load(const Real* from, Part part) {
  constexpr std::ptrdiff_t kLanes = kLanesOf<Real>;
  Real padded[kLanes];
  for (std::ptrdiff_t k = 0; k < kLanes; ++k) padded[k] = from[k < part.count ? k : 0];
  return load<V>(padded, Whole{});
}

template <class V, class Real>
void store(const V& v, Real* to, Whole) {
  __builtin_memcpy(to, &v, sizeof(V));
}
template <class V, class Real>
void store(const V& v, Real* to, Part part) {
  __builtin_memcpy(to, &v, static_cast<std::size_t>(part.count) * sizeof(Real));
}

/// body(i, extent) for the vectors that start at i = 0, kLanes, …; the loop over whole ones carries no test of n.
template <class Real, class Body>
void each_vector(std::ptrdiff_t n, Body body) {
  constexpr std::ptrdiff_t kLanes = kLanesOf<Real>;
  std::ptrdiff_t i = 0;
  for (; i + kLanes <= n; i += kLanes) body(i, Whole{});
  if (i < n) body(i, Part{n - i});
}

template <class Row, class Real>
void value_loop(std::ptrdiff_t n, const Real* z, Real offset, Real* out) {
  using V = typename VectorOf<Real>::Type;
  each_vector<Real>(n, [=](std::ptrdiff_t i, auto extent) {
    store<V>(Row::template value<V>(load<V>(z + i, extent) + offset), out + i, extent);
  });
}

template <class Row, class Real>
void smooth_loop(std::ptrdiff_t n, const Real* mu, Real offset, const Real* p, const Real* q, Real* out) {
  using V = typename VectorOf<Real>::Type;
  each_vector<Real>(n, [=](std::ptrdiff_t i, auto extent) {
    store<V>(Row::template smooth<V>(load<V>(mu + i, extent) + offset, load<V>(p + i, extent), load<V>(q + i, extent)),
             out + i, extent);
  });
}

/// body(count) with the usual small counts as constants: the loops over them are unrolled, their weights and pointers
/// stay in registers.
template <class Body>
void with_count(std::ptrdiff_t count, Body body) {
  switch (count) {
    case 2:
      return body(std::integral_constant<std::ptrdiff_t, 2>{});
    case 3:
      return body(std::integral_constant<std::ptrdiff_t, 3>{});
    case 4:
      return body(std::integral_constant<std::ptrdiff_t, 4>{});
    default:
      return body(count);
  }
}

template <class Real>
void combine_loop(std::ptrdiff_t n, std::ptrdiff_t count, const Real* weights, const Real* const* columns, Real* out) {
  using V = typename VectorOf<Real>::Type;
  const auto combine = [=](auto counted) {
    each_vector<Real>(n, [=](std::ptrdiff_t i, auto extent) {
      V sum = weights[0] * load<V>(columns[0] + i, extent);
      for (std::ptrdiff_t k = 1; k < counted; ++k) sum += weights[k] * load<V>(columns[k] + i, extent);
      store<V>(sum, out + i, extent);
    });
  };
  // Unrolled, the compiler fuses other multiplications with additions: double keeps the loop, and so its bits.
  if constexpr (std::is_same_v<Real, float>)
    with_count(count, combine);
  else
    combine(count);
}

void spread_loop(std::ptrdiff_t n, std::ptrdiff_t count, float s, const float* const* columns, float* out) {
  using V = typename VectorOf<float>::Type;
  using formula::sqrt;
  with_count(count, [=](auto counted) {
    each_vector<float>(n, [=](std::ptrdiff_t i, auto extent) {
      V sum = load<V>(columns[0] + i, extent);
      sum *= sum;
      for (std::ptrdiff_t k = 1; k < counted; ++k) {
        const V column = load<V>(columns[k] + i, extent);
        sum += column * column;
      }
      store<V>(s * sqrt(sum), out + i, extent);
    });
  });
}

template <class Row>
void slopes_loop(std::ptrdiff_t n, const double* mu, double offset, const double* nu, double* first, double* second) {
  using V = typename VectorOf<double>::Type;
  each_vector<double>(n, [=](std::ptrdiff_t i, auto extent) {
    const formula::Slopes<V> slopes =
        Row::template slopes<V>(load<V>(mu + i, extent) + offset, load<V>(nu + i, extent));
    store<V>(slopes.first, first + i, extent);
    store<V>(slopes.second, second + i, extent);
  });
}

template <class Row>
void terms_loop(std::ptrdiff_t n, const float* nu, float* p, float* q) {
  using V = typename VectorOf<float>::Type;
  each_vector<float>(n, [=](std::ptrdiff_t i, auto extent) {
    const formula::Terms<V> terms = Row::template terms<V>(load<V>(nu + i, extent));
    store<V>(terms.p, p + i, extent);
    store<V>(terms.q, q + i, extent);
  });
}

#if WEFT_VECTOR_BYTES > 0
/// The elements of `a` whose position has the bit kStep and those of `b` whose position does not have it change places.
template <int kStep, int... j>
void exchange(formula::VectorD& a, formula::VectorD& b, std::integer_sequence<int, j...>) {
  constexpr int kLanes = sizeof...(j);
  const formula::VectorD low = a, high = b;
  a = __builtin_shufflevector(low, high, ((j & kStep) == 0 ? j : kLanes + j - kStep)...);
  b = __builtin_shufflevector(low, high, ((j & kStep) == 0 ? j + kStep : kLanes + j)...);
}

/// Transposes a square of vectors: bit after bit of the positions changes sides.
template <int kStep = 1>
void transpose_square(formula::VectorD* square) {
  constexpr int kLanes = WEFT_VECTOR_BYTES / sizeof(double);
  if constexpr (kStep < kLanes) {
    for (int j = 0; j < kLanes; ++j)
      if ((j & kStep) == 0) exchange<kStep>(square[j], square[j + kStep], std::make_integer_sequence<int, kLanes>());
    transpose_square<2 * kStep>(square);
  }
}
#else
void transpose_square(const double*) {}
#endif

void transpose_loop(std::ptrdiff_t rows, std::ptrdiff_t count, const double* from, std::ptrdiff_t from_stride,
                    const double* amplitudes, double factor, double* to, std::ptrdiff_t to_stride) {
  using V = typename VectorOf<double>::Type;
  constexpr std::ptrdiff_t kLanes = kLanesOf<double>;
  const auto rest = [=](std::ptrdiff_t i, std::ptrdiff_t end, std::ptrdiff_t t) {
    for (; i < end; ++i)
      for (std::ptrdiff_t s = t; s < count; ++s)
        to[i * to_stride + s] = factor * (amplitudes[s] * from[s * from_stride + i]);
  };
  std::ptrdiff_t i = 0;
  for (; i + kLanes <= rows; i += kLanes) {
    std::ptrdiff_t t = 0;
    for (; t + kLanes <= count; t += kLanes) {
      V square[kLanes];
      for (std::ptrdiff_t k = 0; k < kLanes; ++k)
        square[k] = factor * (amplitudes[t + k] * load<V>(from + (t + k) * from_stride + i, Whole{}));
      transpose_square(square);
      for (std::ptrdiff_t k = 0; k < kLanes; ++k) store<V>(square[k], to + (i + k) * to_stride + t, Whole{});
    }
    rest(i, i + kLanes, t);
  }
  rest(i, rows, 0);
}

// Roots, squares and rounding are exact to the last bit in vectors of any width, which the compiler makes of these
// loops.
void powers_loop(std::ptrdiff_t n, int doublings, double* x) {
  for (; doublings > 0; --doublings)
    for (std::ptrdiff_t i = 0; i < n; ++i) x[i] *= x[i];
  for (; doublings < 0; ++doublings)
    for (std::ptrdiff_t i = 0; i < n; ++i) x[i] = __builtin_sqrt(x[i]);
}

void round_loop(std::ptrdiff_t n, const double* from, float* to) {
  for (std::ptrdiff_t i = 0; i < n; ++i) to[i] = static_cast<float>(from[i]);
}

}  // namespace
}  // namespace weft::detail

#include "compute/cpu/distance_loops.inl"

namespace weft::detail {
namespace {

template <class Table>
struct Instances;
template <class... Rows>
struct Instances<formula::Table<Rows...>> {
  static constexpr KernelSet kKernels[] = {{{value_loop<Rows, double>, smooth_loop<Rows, double>},
                                            {value_loop<Rows, float>, smooth_loop<Rows, float>},
                                            terms_loop<Rows>,
                                            slopes_loop<Rows>}...};
  static constexpr InstructionSet kSet = {kKernels,       combine_loop<double>, combine_loop<float>,
                                          spread_loop,    kDistances<double>,   kDistances<float>,
                                          transpose_loop, powers_loop,          round_loop};
};

}  // namespace

const InstructionSet& WEFT_KERNELS() {
  return Instances<formula::Activations>::kSet;
}

}  // namespace weft::detail
