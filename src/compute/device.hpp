// What a device does for weft: blocks of features and kernel values, products, factorisations and solutions. The CPU
// (cpu/) is the reference that every other device is tested against, operation by operation.
//
// Matrices are row-major views of memory that the caller owns: of the process or, where the device has memory of its
// own, of that. It copies what lies in the memory of the process for the call, so that every operation is right with
// any views, and fast with its own (DeviceMatrix). A result in the memory of the process is there when the call
// returns; one in the device's is there for the later calls of the same thread, and for others after finish(). Several
// threads may call at once. Results depend on the arguments but never on the number of threads.
#pragma once

#include <weft/feature_map.hpp>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace weft::detail {

class Device;

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

/// What devices have made of something for later calls: the centres of a map, the landmarks of a kernel. It lives as
/// long as that does, and its copies share it.
class DeviceCopies {
 public:
  /// That of `device`, made by `make` when it is first asked for.
  template <class Copy, class Make>
  const Copy& of(const Device& device, const Make& make) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<void>& copy = copies_[&device];
    if (!copy) copy = std::shared_ptr<void>(std::make_shared<Copy>(make()));
    return *static_cast<const Copy*>(copy.get());
  }

 private:
  std::mutex mutex_;
  std::map<const Device*, std::shared_ptr<void>> copies_;
};

/// The parts of a map, below each other, and where devices keep what they make of them (none: made for every call).
struct FeatureParts : std::span<const FeaturePart> {
  DeviceCopies* copies = nullptr;

  FeatureParts(std::span<const FeaturePart> parts, DeviceCopies* copies_ = nullptr)
      : std::span<const FeaturePart>(parts), copies(copies_) {}
  FeatureParts(const std::vector<FeaturePart>& parts, DeviceCopies* copies_ = nullptr)
      : FeatureParts(std::span(parts), copies_) {}
};

struct Tridiagonal;

class Device {
 public:
  using Parts = FeatureParts;

  virtual ~Device() = default;

  // Memory of its own; the CPU's is that of the process.
  virtual bool has_own_memory() const = 0;
  virtual void* allocate(std::size_t bytes) const = 0;
  virtual void release(void* memory) const noexcept = 0;
  /// Either side may be in either memory.
  virtual void copy(View<const double> from, View<double> to) const = 0;
  virtual void copy(View<const float> from, View<float> to) const = 0;
  virtual void clear(View<double> matrix) const = 0;  ///< zeros
  /// Numbers that are made on their way there: `make(first, rows)` writes some rows of `to`, from `first` on, into
  /// memory of the host.
  using MakeRows = std::function<void(Index first, View<double> rows)>;
  virtual void send(View<double> to, const MakeRows& make) const = 0;
  virtual void finish() const = 0;  ///< waits for what this thread has asked for
  /// Bytes of it that nobody has; infinite for the CPU, where the budget of the job decides (core/memory.hpp).
  virtual double free_memory() const = 0;

  // What it has operations for; the CPU has them for everything.
  virtual bool computes(const FeaturePart& part) const = 0;
  virtual bool computes(Kernel::Kind kind) const = 0;

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
  /// out(i, j) = a(i, j) · factors[j].
  virtual void scale_columns(View<const double> a, const double* factors, View<double> out, int threads) const = 0;
  virtual void scale_columns(View<const float> a, const float* factors, View<float> out, int threads) const = 0;
  virtual double dot(Index n, const double* x, const double* y) const = 0;
  virtual double norm(Index n, const double* x) const = 0;
  virtual void add_scaled(Index n, double alpha, const double* x, double* y) const = 0;  ///< y += alpha · x

  // Lower triangles of symmetric matrices.
  virtual void copy_lower(View<const double> from, View<double> to) const = 0;
  virtual void copy_lower(View<const double> from, View<float> to) const = 0;
  virtual void add_to_diagonal(View<double> a, const double* values) const = 0;
  virtual void add_to_diagonal(View<float> a, const double* values) const = 0;
  /// Σ_j |A_ij| for every row i of the symmetric A whose lower triangle is given; not finite where an entry is not.
  virtual std::vector<double> absolute_sums(View<const double> lower) const = 0;
  /// out(s, t) = gram(s, t) − (sums_s/weight)·sums_t + lambda · penalty(s, t), and jitter more on the diagonal.
  virtual void penalised_normal(View<const double> gram, const double* sums, double weight, double lambda,
                                View<const double> penalty, double jitter, View<double> out) const = 0;
  /// out(s, t) = (gram(s, t) + lambda · penalty(s, t)) · scale_s · scale_t below the diagonal, 0 where a scale is 0,
  /// and 1 + jitter on it. A penalty without data has nothing below the diagonal; out may be gram.
  virtual void scaled_normal(View<const double> gram, View<const double> penalty, double lambda, const double* scale,
                             double jitter, View<double> out, int threads) const = 0;

  // Factorisations; only lower triangles are read or written.
  /// Overwrites the lower triangle of a (n×n) with L, A = LLᵀ. False, with a left half done: not positive definite, or
  /// not finite.
  virtual bool factor(View<double> a, int threads) const = 0;
  virtual bool factor(View<float> a, int threads) const = 0;
  /// rhs (n×k) ← L⁻¹ rhs, or L⁻ᵀ rhs.
  virtual void solve_lower(View<const double> lower, bool transposed, View<double> rhs, int threads) const = 0;
  virtual void solve_lower(View<const float> lower, bool transposed, View<float> rhs, int threads) const = 0;
  /// The diagonal of (LLᵀ)⁻¹, from columns of L⁻¹: a few at a time, so that it needs no second matrix.
  virtual std::vector<double> inverse_diagonal(View<const double> lower, int threads) const = 0;
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

/// Loads the library that cpu() multiplies with, milliseconds before the first product would. What goes wrong is left
/// to that product to report.
void load_products() noexcept;

}  // namespace weft::detail
