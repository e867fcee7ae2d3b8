// Kernel ridge regression on rows in memory, with an unpenalised intercept c:
//
//   min_f  Σ w (y − c − f(x))² + λ‖f‖².
//
// Exact, f = Σ a_j k(x_j, ·) over all rows: (K + λW⁻¹)a = y − c1 and Σ a = 0. On landmarks z, f = Σ β_t k(z_t, ·):
// (K_nmᵀ W K_nm + λK_mm)β = K_nmᵀ W (y − c1), about the weighted means. λ is the number on the diagonal of K.
#pragma once

#include "compute/device_matrix.hpp"
#include "methods/local/labelled_rows.hpp"

#include <weft/input_transform.hpp>
#include <weft/kernel.hpp>
#include <weft/run.hpp>

#include <optional>

namespace weft::detail {

struct KernelFit {
  Matrix coefficients;             ///< centres × outputs
  std::vector<double> intercepts;  ///< outputs
};

/// K of the rows of x, inputs × rows, on the device that computes it; only entries on and below the diagonal, which is
/// what the solvers below read.
DeviceMatrix<double> lower_kernel(const Kernel& kernel, View<const double> x, const Run& run,
                                  Precision precision = Precision::float64);

/// `kernel`: K of the rows, whose lower triangle is overwritten. None: not positive definite at this λ.
std::optional<KernelFit> solve_exact(DeviceMatrix<double>& kernel, const Matrix& y, const std::vector<double>& weights,
                                     double lambda, int threads);

/// A fit of all rows, and what a fit of the first ones predicts for the others.
struct HeldOutFit {
  KernelFit fit;
  Matrix held_scores;  ///< the other rows × outputs
};

/// Both from one factorisation: the factor of the first rows is the leading block of the factor of all. `first_y`:
/// targets of the first rows in their own fit.
std::optional<HeldOutFit> solve_with_held_out(DeviceMatrix<double>& kernel, const Matrix& y, const Matrix& first_y,
                                              const std::vector<double>& weights, double lambda, int threads);

/// Good enough to compare errors of held-out rows: in single precision where λ allows it. Leaves `kernel` as it is.
std::optional<KernelFit> solve_for_search(const DeviceMatrix<double>& kernel, const Matrix& y,
                                          const std::vector<double>& weights, double lambda, int threads);

/// Sums over rows for any number of λ.
class LandmarkEquations {
 public:
  /// landmarks: encoded inputs × m. `run` must outlive it.
  LandmarkEquations(const Kernel& kernel, InputTransform transform, const Matrix& landmarks, Index outputs,
                    const Run& run);

  void add(const LabelledRows& rows);
  /// None: not positive definite at this λ.
  std::optional<KernelFit> solve(double lambda) const;
  const Matrix& landmarks() const { return landmarks_; }  ///< transformed
  std::vector<double> target_means() const;
  Index rows() const { return rows_; }  ///< added so far
  const Device& device() const { return gram_.device(); }

 private:
  Kernel kernel_;
  InputTransform transform_;
  Matrix landmarks_;
  Kernel::Prepared prepared_;
  const Run& run_;
  DeviceMatrix<double> kernel_matrix_;
  DeviceMatrix<double> gram_;     // m × m, lower triangle
  DeviceMatrix<double> moments_;  // m × (outputs + 1): with w·y and with w
  std::vector<double> targets_;
  double weight_ = 0;
  Index rows_ = 0;
};

}  // namespace weft::detail
