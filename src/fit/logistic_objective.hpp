// The function a logistic fit minimises, and its preconditioner:
//
//   F(B, β) = (1/W) Σ_i w_i ℓ(β + Bᵀφ_i, y_i) + λ·tr BᵀRB,   W = Σ_i w_i
//
// ℓ is log(1 + exp(−yf)) for one output (y = ±1), and log Σ_k exp f_k − f_class for softmax. A point is one matrix,
// (T+1)×outputs: the coefficients B of the smoothings and, in the last row, the intercepts β.
//
// The preconditioner is the same for every output: P = (1/W) Σ_i ω_i φ_iφ_iᵀ + 2λR, φ_i with a constant 1 for the
// intercept. One output: ω = w·p(1−p), P is the Hessian. Softmax: the Hessian is (1/W) Σ_i w_i (diag p − ppᵀ)⊗φφᵀ;
// ω = w·Σ_k p_k(1−p_k)/(K−1) makes (I − 11ᵀ/K)⊗P equal to it where all classes are equally likely and wherever K = 2,
// and needs one Gram instead of K². Steps stay in the space of Σ_k f_k = const, where I⊗P and (I − 11ᵀ/K)⊗P agree.
#pragma once

#include "fit/feature_rows.hpp"
#include "fit/minimise.hpp"
#include "fit/penalty.hpp"
#include "linalg/ridge.hpp"

#include <cstdint>
#include <vector>

namespace weft {

/// Weight per class: binary has two (−1, +1), softmax one per output.
struct ClassWeights {
  std::vector<double> training;
  std::vector<double> held_out;
};

class LogisticObjective final : public SmoothObjective {
 public:
  /// A share `holdout` of the rows is held out, chosen by the family's seed: their loss is reported, not minimised.
  LogisticObjective(const Problem& problem, FeatureRows& rows, const Penalty& penalty, double holdout);

  Index features() const { return features_; }
  Index outputs() const { return outputs_; }
  ClassWeights class_weights() const;
  void train_on_all_rows() { holdout_ = 0; }  ///< keeps the preconditioner

  void set_lambda(double effective);  ///< what multiplies R
  /// The Gram of P at x, without a factorisation: enough for largest_ratio and a following set_lambda.
  bool measure(const Matrix& x);
  /// The largest over features of (data part / R) on the diagonal of P: the λ where the penalty starts to matter.
  double largest_ratio() const;
  Index grams() const { return grams_; }

  bool evaluate(const Matrix& x, ObjectiveValue& out) override;
  void precondition(Matrix& v) const override;
  bool stale() const override;
  bool renew(const Matrix& x) override;

 private:
  struct Sums {
    double weight = 0, loss = 0;
    double held_out_weight = 0, held_out_loss = 0;
    void add(const Sums& other);
  };
  struct Terms {
    Matrix slopes;                  // outputs × rows: w·∂ℓ/∂f, 0 for held-out rows
    std::vector<double> curvature;  // ω
    Sums sums;
  };
  bool held_out(Index row) const;
  Terms terms(const FeatureBlock& block, const Matrix& x) const;
  void add_penalty(const Matrix& x, ObjectiveValue& out) const;
  void factor();

  const Problem& problem_;
  FeatureRows& rows_;
  const Penalty& penalty_;
  double holdout_;
  Index features_;
  Index outputs_;
  int threads_;
  double lambda_ = 0;

  Matrix gram_;                // Σ ωφφᵀ, about the ω-weighted means where there is an intercept
  std::vector<double> means_;  // those means; zero without an intercept
  double curvature_ = 0;       // Σ ω
  double gram_weight_ = 0;     // W when the Gram was made
  ScaledFactor factor_;
  Index grams_ = 0;
  Index evaluations_since_ = 0;
};

}  // namespace weft
