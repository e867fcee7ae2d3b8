// Kernel ridge regression on rows in memory, with an unpenalised intercept c:
//
//   min_f  Σ w (y − c − f(x))² + λ‖f‖².
//
// Exact, f = Σ a_j k(x_j, ·) over all rows: (K + λW⁻¹)a = y − c1 and Σ a = 0. On landmarks z, f = Σ β_t k(z_t, ·):
// (K_nmᵀ W K_nm + λK_mm)β = K_nmᵀ W (y − c1), about the weighted means. λ is the number on the diagonal of K.
#pragma once

#include "methods/local/labelled_rows.hpp"

#include <weft/input_transform.hpp>
#include <weft/kernel.hpp>
#include <weft/run.hpp>

#include <optional>

namespace weft::detail {

struct KernelFit {
  Matrix coefficients;             ///< centres × outputs
  std::vector<double> intercepts;  ///< outputs
  std::vector<double> diagonal;    ///< of G, α = Gy, where asked for: the error of row i without itself is α_i/G_ii
};

/// `kernel`: K of the rows, whose lower triangle is overwritten. None: not positive definite at this λ.
std::optional<KernelFit> solve_exact(View<double> kernel, const Matrix& y, const std::vector<double>& weights,
                                     double lambda, bool with_diagonal, int threads);

/// Good enough to compare errors of held-out rows: in single precision where λ allows it. Leaves `kernel` as it is.
std::optional<KernelFit> solve_for_search(View<const double> kernel, const Matrix& y,
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

 private:
  Kernel kernel_;
  InputTransform transform_;
  Matrix landmarks_;
  Kernel::Prepared prepared_;
  Matrix kernel_matrix_;
  const Run& run_;
  Matrix gram_;     // m × m, lower triangle
  Matrix moments_;  // m × (outputs + 1): with w·y and with w
  std::vector<double> targets_;
  double weight_ = 0;
  Index rows_ = 0;
};

}  // namespace weft::detail
