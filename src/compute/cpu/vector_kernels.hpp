// Elementwise activation kernels, compiled once per instruction set and chosen when the program starts.
//
// The vector erf, erfc, exp, cos and sin are glibc's libmvec: bench/vector_math compares it with xsimd and SLEEF on
// these very kernels (speed and error) and holds the figures. Where libmvec is missing, the scalar set does the same in
// libm.
#pragma once

#include <cstddef>

namespace weft::detail {

/// Rows that a map hands to the kernels at once: their numbers stay in the first-level cache.
inline constexpr std::ptrdiff_t kStripRows = 256;

template <class Real>
struct VectorKernels {
  void (*value)(std::ptrdiff_t n, const Real* z, Real offset, Real* out);
  void (*smooth)(std::ptrdiff_t n, const Real* mu, Real offset, const Real* p, const Real* q, Real* out);
};

struct KernelSet {
  VectorKernels<double> in_double;
  VectorKernels<float> in_float;
  /// The spread terms of nu; those in double are computed by scalar code, which keeps their bits on every processor.
  void (*terms)(std::ptrdiff_t n, const float* nu, float* p, float* q);
  /// The derivatives of the smoothing in mu, at mu + offset.
  void (*slopes)(std::ptrdiff_t n, const double* mu, double offset, const double* nu, double* first, double* second);
};

/// out[i] = Σ_k weights[k] · columns[k][i]: the projection on a few columns.
template <class Real>
using Combine = void (*)(std::ptrdiff_t n, std::ptrdiff_t count, const Real* weights, const Real* const* columns,
                         Real* out);

/// out[i] = s · √(Σ_k columns[k][i]²).
using SpreadLoop = void (*)(std::ptrdiff_t n, std::ptrdiff_t count, float s, const float* const* columns, float* out);

/// Panels: what the registers hold of two sides of a kernel block. A panel of one side is kPanelRows of its rows, input
/// after input; one of the other is kPanelColumns<Real>, two cache lines.
inline constexpr std::ptrdiff_t kPanelRows = 4;
template <class Real>
inline constexpr std::ptrdiff_t kPanelColumns = 128 / static_cast<std::ptrdiff_t>(sizeof(Real));

/// A kernel as a function of x, a distance or a squared one: k = exp(−(rate·x)^power).
struct Decay {
  double rate;
  double power;
};

/// weights_o(t, i) = data[o·step + t·stride + i].
template <class Real>
struct SignWeights {
  const Real* data;
  std::ptrdiff_t outputs;
  std::ptrdiff_t step;
  std::ptrdiff_t stride;
};

template <class Real>
struct DistanceKernels {
  /// sums[r·stride + i] = Σ_k |b[k·kPanelColumns + i] − a[k·kPanelRows + r]|, in the order of k; `add`: to what is
  /// there.
  void (*l1)(std::ptrdiff_t count, const Real* a, const Real* b, bool add, Real* sums, std::ptrdiff_t stride);
  /// sums[i] = Σ_k |columns[k][i] − x[k]|, in the order of k: distances of one row to n others.
  void (*l1_row)(std::ptrdiff_t n, std::ptrdiff_t count, const Real* x, const Real* const* columns, Real* sums);
  /// x[i] = max(0, square + squares[i] − 2·x[i]): squared distances from inner products. True: one of them is less than
  /// near · (square + squares[i]).
  bool (*squares)(std::ptrdiff_t n, Real square, const Real* squares, Real near, Real* x);
  void (*values)(std::ptrdiff_t n, Decay decay, const Real* x, double* out);  ///< k(x)
  void (*slopes)(std::ptrdiff_t n, Decay decay, Real* x);                     ///< x ← k'(x), 0 where x = 0
  /// out[(o·inputs + j)·kPanelColumns + i] = Σ_t weights_o(t, i) · sign(b[j·kPanelColumns + i] − a_t[j]) over the rows
  /// t of all panels of a, in their order.
  void (*signs)(std::ptrdiff_t panels, std::ptrdiff_t inputs, const Real* a, const Real* b,
                const SignWeights<Real>& weights, Real* out);
};

/// to[i·to_stride + t] = factor · (amplitudes[t] · from[t·from_stride + i]), i < rows, t < count: Φ as one row per row.
using TransposeLoop = void (*)(std::ptrdiff_t rows, std::ptrdiff_t count, const double* from,
                               std::ptrdiff_t from_stride, const double* amplitudes, double factor, double* to,
                               std::ptrdiff_t to_stride);

/// x[i] ← x[i]^(2^doublings), |doublings| squares or roots: what k(x)^(2^doublings) is for kernels of distances.
using PowersLoop = void (*)(std::ptrdiff_t n, int doublings, double* x);

/// to[i] = from[i], rounded.
using RoundLoop = void (*)(std::ptrdiff_t n, const double* from, float* to);

struct InstructionSet {
  const KernelSet* activations;  ///< one row per activation, in the order of formula::Activations
  Combine<double> combine_double;
  Combine<float> combine_float;
  SpreadLoop spread;
  DistanceKernels<double> distances_double;
  DistanceKernels<float> distances_float;
  TransposeLoop transpose;
  PowersLoop powers;
  RoundLoop round;
};

const InstructionSet& kernels_scalar();
#if defined(WEFT_HAVE_LIBMVEC)
const InstructionSet& kernels_sse2();
const InstructionSet& kernels_avx2();
const InstructionSet& kernels_avx512();
#endif

struct KernelChoice {
  const char* instructions;
  const InstructionSet* set;
};
/// The widest set this processor runs; WEFT_INSTRUCTIONS=scalar|sse2|avx2|avx512 in the environment asks for a
/// narrower.
const KernelChoice& chosen_kernels();

}  // namespace weft::detail
