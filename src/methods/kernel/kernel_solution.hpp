// The equations of exact kernel ridge regression (docs/mathematics.md §6.1), with weights and an unpenalised intercept
// c:
//
//   min_f  (1/W) Σ w (y − c − f(x))² + λ‖f‖²,   f = Σ a_j k(x_j, ·),   W = Σ w.
//
// With S = diag(√w), s = S1, μ = Wλ and a = Sα they are (SKS + μI)α = S(y − c1) and, for c, sᵀα = 0. Without weights
// and intercept that is a = (K + nλI)⁻¹y. Residuals are Sr = μα and α = GSy for a matrix G that both ways below know,
// so that the error at row i of the fit that never saw it, at the same μ, is α_i/(s_i G_ii).
#pragma once

#include "linalg/symmetric_eigen.hpp"
#include "methods/kernel/scaled_kernel.hpp"

#include <functional>

namespace weft::detail {

struct KernelTargets {
  Matrix y;                   ///< n × outputs: S(y − shift)
  std::vector<double> roots;  ///< √w
  std::vector<double> shift;  ///< the weighted means where there is an intercept, else 0: large offsets cost no digits
  double weight = 0;          ///< W
};

KernelTargets gather_targets(const BlockSource& rows, bool intercept);

/// The fit at one μ.
struct KernelSolution {
  double mu = 0;
  Matrix alpha;                    ///< n × outputs
  std::vector<double> intercepts;  ///< outputs, less the shift
  std::vector<double> diagonal;    ///< G_ii; empty: the time ended before
  /// How well the equations were solved, where they were factorised.
  std::optional<RidgeReport> equations = {};
};

/// By Cholesky.
KernelSolution solve_kernel(const Problem& problem, const ScaledKernel& kernel, const KernelTargets& targets,
                            double mu);

/// Fits at any number of μ, each with its diagonal: by Cholesky on a GPU, else as KernelPath. None: the equations are
/// not positive definite at this μ. Takes what the processor holds of the kernel; all must outlive it.
using KernelFits = std::function<std::optional<KernelSolution>(double mu)>;
KernelFits kernel_fits(const Problem& problem, ScaledKernel& kernel, const KernelTargets& targets);

/// Any number of μ from one eigendecomposition of PSKSP, P the projection that removes u = s/‖s‖ where there is an
/// intercept: G = P(PSKSP + μI)⁻¹P. u is an eigenvector; it is given the mean eigenvalue in place of 0, so that taking
/// its share away again costs no digits however small μ is.
class KernelPath {
 public:
  /// Takes SKS. The targets must outlive it.
  KernelPath(Matrix kernel, const KernelTargets& targets, bool intercept);

  KernelSolution solve(double mu, int threads) const;

 private:
  void project(Matrix& kernel);
  void find_intercepts(KernelSolution& solution) const;

  const KernelTargets& targets_;
  std::vector<double> unit_;    // u; empty without an intercept
  std::vector<double> image_;   // SKSu
  double unit_eigenvalue_ = 0;  // that u was given
  SymmetricEigen eigen_;
  Matrix rotated_;  // eigenvectors × outputs
};

/// y − f₋ᵢ(x_i), n × outputs; 0 for rows without weight.
Matrix left_out_errors(const KernelSolution& solution, const KernelTargets& targets);

}  // namespace weft::detail
