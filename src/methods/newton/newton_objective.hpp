// The function that Newton's method minimises for a loss of row_loss.hpp, and its preconditioner:
//
//   F(B, β) = (1/W) Σ_i w_i ℓ(β + Bᵀφ_i, y_i) + λ·tr BᵀRB,   W = Σ_i w_i
//
// A point is one matrix, (T+1)×outputs: the coefficients B of the smoothings and, in the last row, the intercepts β.
// The preconditioner is P_k = (1/W) Σ_i ω_ik φφᵀ + 2λR for output k, φ with a constant 1 for the intercept and ω_k the
// weight w times the loss's curvature: the Hessian of losses that do not couple the outputs, or near it.
//
// The Hessian of softmax is (1/W) Σ_i w_i (diag p − ppᵀ)⊗φφᵀ + 2λ·I⊗R. The preconditioner keeps its blocks on the
// diagonal, ω_k = w·p_k(1−p_k), followed by the projection to Σ_k f_k = const, where all steps stay. The first
// Gram, at p that is the same for all rows, and every one where memory does not allow a block per class, is shared by
// the classes: ω = w·Σ_k p_k(1−p_k)/(K−1), exact for K = 2 and for equally likely classes. (Quantiles share the mean of
// their weights in the same way.) On noisy sectors (5 classes,
// 300 features, λ = 1e-5) a relative excess of 1e-12 took 39 passes with blocks; with the shared Gram, renewed or not,
// and with 10 or 100 curvature pairs, 100 iterations did not get there.
#pragma once

#include "linalg/accumulator.hpp"
#include "linalg/minimise.hpp"
#include "linalg/ridge.hpp"
#include "methods/feature_rows.hpp"
#include "objective/penalty.hpp"
#include "objective/row_loss.hpp"

#include <cstdint>
#include <vector>

namespace weft::detail {

/// What the preconditioner was made of, and since when: enough to make it again.
struct PreconditionerState {
  Matrix point;
  bool all_rows = false;  ///< also of those that are held out
  Index grams = 0;        ///< made so far
  Index evaluations = 0;  ///< of the objective, since
};

/// A point of the search as the device of the rows needs it.
struct NewtonPoint {
  DeviceMatrix<double> coefficients;  ///< T × outputs
  const double* intercepts;           ///< of the matrix that it was made of
  NewtonPoint(const Device& device, const Matrix& x);
};

class NewtonObjective final : public SmoothObjective {
 public:
  /// A share `holdout` of the rows is held out, by their rule and the family's seed: their loss is reported, not
  /// minimised. `loss` may change its smoothing between evaluations.
  NewtonObjective(const Problem& problem, const RowLoss& loss, FeatureRows& rows, const Penalty& penalty,
                  double holdout, bool block_per_output);

  Index features() const { return features_; }
  Index outputs() const { return outputs_; }
  bool held_out(Index row) const;
  void train_on_all_rows() { held_out_ = {}; }  ///< keeps the preconditioner

  void set_lambda(double effective);  ///< what multiplies R
  /// The Gram of P at x, without a factorisation: enough for largest_ratio and a following set_lambda.
  bool measure(const Matrix& x);
  /// The largest over features of (data part / R) on the diagonal of P: the λ where the penalty starts to matter.
  double largest_ratio() const;
  Index grams() const { return made_.grams; }
  const PreconditionerState& preconditioner() const { return made_; }
  /// Makes P as it was then, in one pass, but for its factorisation, which a following set_lambda makes. False: out of
  /// time.
  bool restore(const PreconditionerState& state);

  bool evaluate(const Matrix& x, ObjectiveValue& out) override;
  void precondition(Matrix& v) const override;
  bool stale() const override;
  bool renew(const Matrix& x) override;

 private:
  struct Sums {
    double weight = 0, loss = 0, gap = 0;
    double held_out_weight = 0, held_out_loss = 0;
    void add(const Sums& other);
    static constexpr Index kNumbers = 5;
    void add_to(double* numbers) const;
    static Sums of(const double* numbers);
  };
  struct Terms {
    Matrix slopes;     // outputs × rows: w·∂ℓ/∂f, 0 for held-out rows
    Matrix curvature;  // (outputs + 1) × rows: ω_k and, last, the shared ω
    Sums sums;
  };
  struct Block {
    Matrix gram;                // Σ ωφφᵀ, about the ω-weighted means where there is an intercept
    std::vector<double> means;  // those means; zero without an intercept
    double curvature = 0;       // Σ ω
    ScaledFactor factor;
  };
  /// Of P at a point, before they are centred.
  struct Grams {
    std::vector<Accumulator> sums;
    double weight = 0;
  };
  Grams sum_grams(const Matrix& x, Index count, bool& finished);
  Terms terms(const FeatureBlock& block, const NewtonPoint& point) const;
  void add_penalty(const Matrix& x, ObjectiveValue& out) const;
  Block make_block(const Accumulator& sums) const;
  void factor();

  const Problem& problem_;
  const RowLoss& loss_;
  FeatureRows& rows_;
  const Penalty& penalty_;
  PartOf held_out_;  // empty: none
  Index features_;
  Index outputs_;
  int threads_;
  bool block_per_output_;
  Index patience_;  // evaluations before the preconditioner is stale
  double lambda_ = 0;

  std::vector<Block> blocks_;  // one per output, or one for all
  double gram_weight_ = 0;     // W when the Grams were made
  PreconditionerState made_;
};

}  // namespace weft::detail
