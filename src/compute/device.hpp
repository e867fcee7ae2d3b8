// What a device does for weft: blocks of features and kernel values, products, factorisations and solutions. The CPU
// (cpu/) is the reference that every other device is tested against, operation by operation.
//
// Matrices are row-major views of memory that the caller owns and the device can read and write; for the CPU that is
// any memory of the process. A call returns when its result is there, and several threads may call at once. Results
// depend on the arguments but never on the number of threads.
#pragma once

#include <weft/matrix.hpp>

#include <span>
#include <vector>

namespace weft {
class Activation;
class Kernel;
struct FeaturePart;
struct PreparedRows;
struct Run;
}  // namespace weft

namespace weft::detail {

/// What a product multiplies: a matrix or its transpose.
struct Operand {
  View<const double> matrix;
  bool transposed = false;

  Operand(View<const double> matrix_, bool transposed_ = false) : matrix(matrix_), transposed(transposed_) {}
  Operand(View<double> matrix_) : matrix(matrix_) {}
  Operand(const Matrix& matrix_) : matrix(matrix_) {}
  Index rows() const { return transposed ? matrix.cols : matrix.rows; }
  Index cols() const { return transposed ? matrix.rows : matrix.cols; }
};
inline Operand transpose(View<const double> matrix) {
  return {matrix, true};
}

/// Elements of a vector that lie `stride` apart; their number follows from the matrix they meet.
template <class T>
struct Strided {
  T* data;
  Index stride = 1;
  Strided(T* data_, Index stride_ = 1) : data(data_), stride(stride_) {}
};

/// A = Q H Qᵀ with H tridiagonal.
struct Tridiagonal {
  Matrix reflectors;  ///< n×n: A when it is given, then the reflectors that Q is the product of
  std::vector<double> diagonal, off, tau;
};

class Device {
 public:
  using Parts = std::span<const FeaturePart>;

  virtual ~Device() = default;

  // Feature blocks: x is inputs × rows, phi features × rows, the parts below each other. FeatureMap's functions of the
  // same names say what they compute.
  virtual void smoothings(Parts parts, View<const double> x, View<double> phi, const Run& run) const = 0;
  virtual void smoothings(Parts parts, View<const double> x, View<float> phi, const Run& run) const = 0;
  virtual void project(Parts parts, View<const double> x, View<double> projections, const Run& run) const = 0;
  virtual void smooth_projected(Parts parts, View<const double> x, View<const double> projections, double sigma,
                                View<double> phi, const Run& run) const = 0;
  virtual void activate_projected(Parts parts, View<const double> x, View<const double> projections,
                                  const Activation& h, View<double> phi, const Run& run) const = 0;
  /// Gradients of Σ_t coefficients(t, o)·phi_t: out(o·inputs + j, i) is the derivative of output o in input j at row i.
  virtual void feature_gradients(Parts parts, View<const double> x, View<const double> coefficients, View<double> out,
                                 const Run& run) const = 0;
  /// out (rows × features) = factor · amplitude_t · phi(t, i), transposed.
  virtual void transpose_features(View<const double> phi, const double* amplitudes, double factor,
                                  View<double> out) const = 0;

  /// Kernel blocks: out(t, i) = k(a_t, b_i) with a inputs × m, prepared by the kernel, and b inputs × m'. `lower`: only
  /// entries on and below the diagonal are needed.
  virtual void kernel_values(const Kernel& kernel, View<const double> a, const PreparedRows& prepared,
                             View<const double> b, View<double> out, bool lower, const Run& run) const = 0;
  /// Gradients of Σ_t coefficients(t, o) k(a_t, ·) at the rows of b, for kernels of distances: out(o·inputs + j, i) is
  /// the derivative of output o in input j at b_i. Terms of rows that are equal are 0.
  virtual void kernel_gradients(const Kernel& kernel, View<const double> a, const PreparedRows& prepared,
                                View<const double> coefficients, View<const double> b, View<double> out,
                                const Run& run) const = 0;

  // Products.
  /// c ← alpha · a · b + beta · c.
  virtual void multiply(double alpha, Operand a, Operand b, double beta, View<double> c) const = 0;
  /// y ← alpha · a · x + beta · y.
  virtual void multiply_vector(double alpha, Operand a, Strided<const double> x, double beta,
                               Strided<double> y) const = 0;
  /// out (n×k) += alpha · A · x for the symmetric A whose lower triangle is given.
  virtual void add_symmetric_product(double alpha, View<const double> lower, View<const double> x, View<double> out,
                                     int threads) const = 0;
  /// x (n×k) ← Lᵀx.
  virtual void multiply_lower_transposed(View<const double> lower, View<double> x) const = 0;
  /// scores (k × rows) = coefficientsᵀ · phi + intercepts; coefficients T×k, phi T×rows.
  virtual void scores(View<const double> coefficients, const double* intercepts, View<const double> phi,
                      View<double> scores, int threads) const = 0;
  /// gram (T×T, lower triangle) += rooted · rootedᵀ and moments (T×k) += phi · rightᵀ; right is k×rows. In single
  /// precision the products of a few hundred rows are summed before they join the double sums.
  virtual void add_sums(View<const double> rooted, View<const double> phi, View<const double> right, View<double> gram,
                        View<double> moments, int threads) const = 0;
  virtual void add_sums(View<const float> rooted, View<const float> phi, View<const float> right, View<double> gram,
                        View<double> moments, int threads) const = 0;
  virtual double dot(Index n, const double* x, const double* y) const = 0;
  virtual double norm(Index n, const double* x) const = 0;
  virtual void add_scaled(Index n, double alpha, const double* x, double* y) const = 0;  ///< y += alpha · x

  // Factorisations; only lower triangles are read or written.
  /// Overwrites the lower triangle of a (n×n) with L, A = LLᵀ. False, with a left half done: not positive definite, or
  /// not finite.
  virtual bool factor(View<double> a, int threads) const = 0;
  virtual bool factor(View<float> a, int threads) const = 0;
  /// rhs (n×k) ← L⁻¹ rhs, or L⁻ᵀ rhs.
  virtual void solve_lower(View<const double> lower, bool transposed, View<double> rhs, int threads) const = 0;
  virtual void solve_lower(View<const float> lower, bool transposed, View<float> rhs, int threads) const = 0;
  /// LAPACK's estimate of 1 / (‖A‖₁ ‖A⁻¹‖₁) for A = LLᵀ, given ‖A‖₁ from before the factorisation.
  virtual double reciprocal_condition(View<const double> lower, double one_norm) const = 0;
  /// Both triangles of a symmetric a (n×n) ← its eigenvectors, one a row, with their eigenvalues in ascending order.
  /// False: no convergence.
  virtual bool eigen(View<double> a, std::vector<double>& values) const = 0;
  /// Both triangles of a ← L⁻¹ a L⁻ᵀ.
  virtual void divide_both_sides(View<const double> lower, View<double> a) const = 0;
  /// reflectors hold both triangles of A.
  virtual void tridiagonalise(Tridiagonal& a) const = 0;
  /// vectors (any number × n, one vector a row) ← Q or Qᵀ times each. One call at a time: LAPACK changes the reflectors
  /// while it works.
  virtual void rotate(Tridiagonal& a, bool transposed, View<double> vectors) const = 0;
  /// vectors ← (H + shift·I)⁻¹ vectors. False: not positive definite. `rcond` is the reciprocal condition.
  virtual bool solve_tridiagonal(const Tridiagonal& a, double shift, View<double> vectors, double& rcond) const = 0;
};

/// The processor, with vector instructions and BLAS kernels chosen at run time.
const Device& cpu();

}  // namespace weft::detail
