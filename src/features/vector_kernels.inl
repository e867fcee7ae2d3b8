// Included by one source file per instruction set, which defines
//   WEFT_KERNELS       the function to define (kernels_avx2 …)
//   WEFT_VECTOR_BYTES  32 …, or 0 for scalar code
//   WEFT_MVEC(f)       libmvec's name of f for that many doubles (_ZGVdN4v_##f …), WEFT_MVECF(f) for floats
// Only vector types of that width are instantiated here: code compiled for a wider set must never be shared with the
// rest of the program through an inline function.

#include "features/activations/math.hpp"
#include "features/vector_kernels.hpp"

#if WEFT_VECTOR_BYTES > 0
namespace weft::formula {

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
WEFT_VECTOR_FUNCTION(cos)
WEFT_VECTOR_FUNCTION(sin)

template <>
struct Constant<VectorD> {
  using Real = double;
};
template <>
struct Constant<VectorF> {
  using Real = float;
};

}  // namespace weft::formula
#endif

#include "features/activations/all.hpp"

namespace weft {
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

// The last, partial vector goes through the same instructions as the others (padded with its first element, which
// raises no exception): a value never depends on where a block was cut.
template <class V, class Real>
V load(const Real* from, std::ptrdiff_t count) {
  V v;
  if (count * sizeof(Real) >= sizeof(V)) {
    __builtin_memcpy(&v, from, sizeof(V));
  } else {
    Real padded[sizeof(V) / sizeof(Real)];
    for (std::size_t k = 0; k < sizeof(V) / sizeof(Real); ++k)
      padded[k] = from[static_cast<std::ptrdiff_t>(k) < count ? k : 0];
    __builtin_memcpy(&v, padded, sizeof(V));
  }
  return v;
}

template <class V, class Real>
void store(const V& v, Real* to, std::ptrdiff_t count) {
  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(Real);
  if (bytes >= sizeof(V))
    __builtin_memcpy(to, &v, sizeof(V));
  else
    __builtin_memcpy(to, &v, bytes);
}

template <class Row, class Real>
void value_loop(std::ptrdiff_t n, const Real* z, Real offset, Real* out) {
  using V = typename VectorOf<Real>::Type;
  constexpr std::ptrdiff_t kLanes = sizeof(V) / sizeof(Real);
  for (std::ptrdiff_t i = 0; i < n; i += kLanes)
    store<V>(Row::template value<V>(load<V>(z + i, n - i) + offset), out + i, n - i);
}

template <class Row, class Real>
void smooth_loop(std::ptrdiff_t n, const Real* mu, Real offset, const Real* p, const Real* q, Real* out) {
  using V = typename VectorOf<Real>::Type;
  constexpr std::ptrdiff_t kLanes = sizeof(V) / sizeof(Real);
  for (std::ptrdiff_t i = 0; i < n; i += kLanes)
    store<V>(Row::template smooth<V>(load<V>(mu + i, n - i) + offset, load<V>(p + i, n - i), load<V>(q + i, n - i)),
             out + i, n - i);
}

template <class Real>
void combine_loop(std::ptrdiff_t n, std::ptrdiff_t count, const Real* weights, const Real* const* columns, Real* out) {
  using V = typename VectorOf<Real>::Type;
  constexpr std::ptrdiff_t kLanes = sizeof(V) / sizeof(Real);
  for (std::ptrdiff_t i = 0; i < n; i += kLanes) {
    V sum = weights[0] * load<V>(columns[0] + i, n - i);
    for (std::ptrdiff_t k = 1; k < count; ++k) sum += weights[k] * load<V>(columns[k] + i, n - i);
    store<V>(sum, out + i, n - i);
  }
}

template <class Table>
struct Instances;
template <class... Rows>
struct Instances<formula::Table<Rows...>> {
  static constexpr KernelSet kKernels[] = {
      {{value_loop<Rows, double>, smooth_loop<Rows, double>}, {value_loop<Rows, float>, smooth_loop<Rows, float>}}...};
  static constexpr InstructionSet kSet = {kKernels, combine_loop<double>, combine_loop<float>};
};

}  // namespace

const InstructionSet& WEFT_KERNELS() {
  return Instances<formula::Activations>::kSet;
}

}  // namespace weft
