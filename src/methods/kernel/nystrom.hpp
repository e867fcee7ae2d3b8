// Kernel ridge regression on landmarks z_1 … z_M (Nyström), for any number of rows:
//
//   min_β  (1/W) Σ w (y − c − βᵀk(x))² + λ βᵀK_MM β,   k(x) = (k(z_t, x))_t,
//
// which is least squares on kernel sections with the RKHS penalty. Conjugate gradients, preconditioned by the
// kernel matrix of the landmarks (Falkon: Rudi, Carratino & Rosasco 2017): with K_MM = LLᵀ and RRᵀ = (1/M) LᵀDL + λI, D
// the landmarks' shares of the rows, β = L⁻ᵀR⁻ᵀγ and γ solves R⁻¹(L⁻¹ (1/W) K_nMᵀWK_nM L⁻ᵀ + λI)R⁻ᵀ γ = R⁻¹L⁻¹ (1/W)
// K_nMᵀWy, whose matrix is near the identity. The intercept takes the weighted means out of both sides.
#pragma once

#include "compute/worker.hpp"
#include "linalg/conjugate_gradient.hpp"
#include "methods/feature_rows.hpp"

namespace weft::detail {

class Nystrom {
 public:
  /// What a row's own weight is multiplied by: 0 leaves it out.
  using RowFactor = std::function<double(Index row)>;

  struct Solution {
    Matrix coefficients;             ///< M × outputs
    std::vector<double> intercepts;  ///< outputs
    ConjugateGradientResult search;  ///< x is γ
    double train_mse = 0;            ///< to the accuracy of the search
  };

  /// Factors K_MM. Throws Error(data) where it is not a kernel matrix.
  Nystrom(const Problem& problem, double cache_bytes);

  /// Sets the rows of the next fits, and reads them once.
  void fit_rows(RowFactor factor);

  /// `start` (M × outputs, or empty) is where the search begins.
  Solution solve(double lambda, const Matrix& start, const ConjugateGradientOptions& options);

  /// Σ w (y − f(x))² / Σ w in units of the variance among the fitted rows, w weights times factors: the mean over
  /// outputs that vary.
  double relative_error(const Solution& solution, const RowFactor& factor);

  double jitter() const { return jitter_; }  ///< on the diagonal of K_MM, over its mean
  double mean_diagonal() const { return mean_diagonal_; }
  const FeatureRows& rows() const { return rows_; }

 private:
  /// Sums over the fitted rows.
  struct Moments {
    double weight = 0;
    std::vector<double> target_means;   ///< 0 without an intercept
    std::vector<double> feature_means;  ///< likewise
    std::vector<double> variances;      ///< of the targets about those means
    Matrix cross;                       ///< Σ w (y − mean) k, M × outputs
    bool complete = false;              ///< the time sufficed
  };
  void factor_kernel();
  void square_factor();
  void sum_targets();
  void precondition(double lambda);
  bool apply(double lambda, const Matrix& gamma, Matrix& out);
  bool multiply(const Matrix& beta, Matrix& out);
  double weight(const FeatureBlock& block, Index i, const RowFactor& factor) const;

  const Problem& problem_;
  int threads_;
  Worker worker_;
  FeatureRows rows_;
  RowFactor factor_;
  double jitter_ = 0;
  double mean_diagonal_ = 0;
  Matrix lower_;           // L
  Matrix square_;          // (1/M) LᵀDL, about the mean with an intercept; lower triangle
  Matrix preconditioner_;  // R
  Moments moments_;
};

FitResult fit_nystrom(const Problem& problem);

}  // namespace weft::detail
