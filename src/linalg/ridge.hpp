// The regularised normal equations of docs/mathematics.md §5.2:
//
//   A a = rhs,   A = gram + λR + εI   (gram, R: T×T symmetric, positive semidefinite; rhs, a: T×k)
//
// Columns of Φ can differ by orders of magnitude, so A is scaled to a unit diagonal, D A D with D = diag(A)^(−1/2), and
// that is what is factored. A zero column gets the coefficient zero, as does one whose penalty overflows.
#pragma once

#include "compute/device_matrix.hpp"
#include "compute/worker.hpp"

#include <weft/matrix.hpp>

#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace weft::detail {

/// What is added to the unit diagonal where the factorisation fails: ten times as much each time. Rank-deficient
/// single-precision sums need 1e-5; beyond the last the matrix is not a Gram matrix.
inline constexpr double kFirstJitter = 1e-15;
inline constexpr double kLastJitter = 1e-3;
/// A factorisation can get through a singular matrix on rounding errors alone; its solutions would have no correct
/// digit.
inline constexpr double kLeastReciprocalCondition = 0.1 * std::numeric_limits<double>::epsilon();
inline constexpr int kMaxRefinements = 2;

/// How well the equations were solved, all of it about the scaled matrix D A D.
struct RidgeReport {
  double reciprocal_condition = 0;  ///< of the factored matrix, jitter included
  double jitter = 0;                ///< added to the unit diagonal because the factorisation failed without
  int refinement_steps = 0;         ///< that made the residual smaller
  double relative_residual = 0;  ///< ‖D(rhs − A a)‖ / ‖D rhs‖ without jitter, the largest over right-hand sides
};

/// A, whose entries may be held or computed when they are asked for.
class RidgeMatrix {
 public:
  virtual ~RidgeMatrix() = default;
  virtual std::vector<double> diagonal() const = 0;
  /// lower ← the lower triangle of D A D with 1 + jitter on the diagonal, D = diag(scale).
  virtual void scaled_lower(const std::vector<double>& scale, double jitter, DeviceMatrix<double>& lower) const = 0;
  /// rhs − A x.
  virtual Matrix residual(View<const double> rhs, View<const double> x) const = 0;
};

/// The lower triangle of a symmetric matrix of the host where a device computes with it: a copy, which the copies of
/// this share, or the matrix itself where the device has no memory of its own.
class LowerOnDevice {
 public:
  LowerOnDevice() = default;
  /// An empty matrix stands for none.
  LowerOnDevice(const Device& device, View<const double> host);

  View<const double> host() const { return host_; }
  View<const double> there() const { return copy_ ? copy_->view() : host_; }

 private:
  View<const double> host_;
  std::shared_ptr<const DeviceMatrix<double>> copy_;
};

/// D and the Cholesky factor of D A D (+ jitter): applies A⁻¹ without forming it. The factor stays in the memory of the
/// device that made it.
class ScaledFactor {
 public:
  ScaledFactor() = default;
  ScaledFactor(DeviceMatrix<double> lower, std::vector<double> scale)
      : lower_(std::make_shared<const DeviceMatrix<double>>(std::move(lower))), scale_(std::move(scale)) {}

  void solve(View<double> rhs, int threads) const;  ///< rhs (T×k) ← A⁻¹ rhs
  /// For each size s: the solution of the first s equations in the first s unknowns, s×k. The factor of a leading block
  /// is the leading block of the factor, so a size costs O(s²).
  std::vector<Matrix> solve_leading(View<const double> rhs, std::span<const Index> sizes) const;
  std::vector<double> inverse_diagonal(int threads) const;
  /// φᵀA⁻¹φ for every column φ of phi (T×rows): the predictive variance of that row.
  std::vector<double> inverse_forms(View<const double> phi, int threads) const;
  /// The factor of A itself, D⁻¹L; a zero column of A stands as one of the identity.
  Matrix unscaled_lower() const;

 private:
  const Device& device() const { return lower_->device(); }

  std::shared_ptr<const DeviceMatrix<double>> lower_;  // shared by copies
  std::vector<double> scale_;                          // the diagonal of D; 0 for a zero column
};

struct RidgeSolution {
  Matrix coefficients;  ///< T×k
  ScaledFactor factor;
  RidgeReport report;
};

/// gram + λR + εI for any λ, all of whose T² work a device does. The matrices belong to the caller and are checked.
class RidgeEquations {
 public:
  RidgeEquations(const Device& device, LowerOnDevice gram, LowerOnDevice regulariser, double epsilon)
      : device_(device), gram_(std::move(gram)), regulariser_(std::move(regulariser)), epsilon_(epsilon) {}

  RidgeSolution solve(double lambda, View<const double> rhs, int threads) const;
  /// rhs − A a.
  Matrix residual(double lambda, View<const double> rhs, View<const double> coefficients, int threads) const;

 private:
  class AtLambda;

  const Device& device_;
  LowerOnDevice gram_, regulariser_;
  double epsilon_;
};

/// Reads the lower triangles of gram and regulariser; an empty regulariser stands for the identity. Throws Error(data)
/// when an entry is not finite or when A is not positive semidefinite even to rounding.
RidgeSolution solve_regularised(View<const double> gram, View<const double> regulariser, double lambda, double epsilon,
                                View<const double> rhs, Worker worker);
/// The same for any A; rhs must be finite.
RidgeSolution solve_ridge(const RidgeMatrix& a, View<const double> rhs, Worker worker);

/// Throws what solve_regularised would throw for these inputs before it starts.
void check_ridge_inputs(View<const double> gram, View<const double> regulariser, View<const double> rhs, int threads);
void check_ridge_strength(double lambda, double epsilon);

/// ‖D residual‖ / ‖D rhs‖ with D = diag(scale), the largest over right-hand sides.
double relative_residual(View<const double> residual, View<const double> rhs, const std::vector<double>& scale);

}  // namespace weft::detail
