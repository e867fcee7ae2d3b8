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
};

/// out[i] = Σ_k weights[k] · columns[k][i]: the projection on a few columns.
template <class Real>
using Combine = void (*)(std::ptrdiff_t n, std::ptrdiff_t count, const Real* weights, const Real* const* columns,
                         Real* out);

/// out[i] = s · √(Σ_k columns[k][i]²).
using SpreadLoop = void (*)(std::ptrdiff_t n, std::ptrdiff_t count, float s, const float* const* columns, float* out);

/// out[i] = exp(−rate · max(0, square + squares[i] − 2·products[i])): the RBF kernel from inner products.
using RbfLoop = void (*)(std::ptrdiff_t n, double rate, double square, const double* squares, const double* products,
                         double* out);
/// out[i] = exp(−rate · Σ_k |columns[k][i] − point[k]|).
using LaplaceLoop = void (*)(std::ptrdiff_t n, std::ptrdiff_t count, double rate, const double* point,
                             const double* const* columns, double* out);

/// to[i·to_stride + t] = factor · (amplitudes[t] · from[t·from_stride + i]), i < rows, t < count: Φ as one row per row.
using TransposeLoop = void (*)(std::ptrdiff_t rows, std::ptrdiff_t count, const double* from,
                               std::ptrdiff_t from_stride, const double* amplitudes, double factor, double* to,
                               std::ptrdiff_t to_stride);

struct InstructionSet {
  const KernelSet* activations;  ///< one row per activation, in the order of formula::Activations
  Combine<double> combine_double;
  Combine<float> combine_float;
  SpreadLoop spread;
  RbfLoop rbf;
  LaplaceLoop laplace;
  TransposeLoop transpose;
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
