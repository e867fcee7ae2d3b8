// Losses as Newton's method and iteratively reweighted least squares need them: value, slopes and curvatures of a row.
//
//                 score f is           slope ∂ℓ/∂f        curvature (weight of the row's φφᵀ)      f of no features
//   logistic      log-odds, y = ±1     −y·P(other class)  p(1 − p)                                 of the classes'
//   softmax       a logit per class    p_k − 1[k = y]     p_k(1 − p_k), on the diagonal            shares
//   squared       the mean             −2r, r = y − f     2                                        mean
//   poisson       log of the mean μ    μ − y              μ                                        log of the mean
//   huber         near the mean        −r, at most ±δ     1 for |r| ≤ δ, else δ/20|r|                median
//   absolute      the median           −tanh(r/2ε)        twice that of the quantile 1/2             median
//   quantile τ    the quantile         p − τ              max(p(1 − p)/ε, tanh(|r|/2ε)/40|r|)        quantile
//
// Absolute and quantile losses have a corner. They are smoothed to τr + ε·log(1 + exp(−r/ε)), p = 1/(1 + exp(r/ε))
// (Zheng 2011), which is above the loss by at most ε·log 2 and convex, with a width ε that the fit lets go to zero.
//
// The second derivatives p(1 − p)/ε, and 1[|r| ≤ δ] of Huber's loss, see only rows near the corner or within the
// threshold: steps go too far. The weights of the quadratic majorisers, tanh(|r|/2ε)/2|r| (Jaakkola & Jordan 2000;
// 1/2|r| of Hunter & Lange 2000 for ε → 0) and min(1, δ/|r|), never let a value rise, but steps are short, and they say
// little about how far away the minimum is. A twentieth of them, where the second derivative is less, has neither
// fault: a quantile of 1000 rows on 100 features took 18 Grams and 188 passes to a relative excess of 10⁻⁶, with second
// derivatives alone 30 and 402; with the majoriser the fit ended at 8·10⁻⁶ and claimed 10⁻⁶.
#pragma once

#include <weft/matrix.hpp>
#include <weft/regression_loss.hpp>

namespace weft::detail {

struct RowValue {
  double value = 0;  ///< what is minimised
  double exact = 0;  ///< without smoothing
  /// ℓ(f) + ℓ*(u) − uf, u the slope: what smoothing adds to the duality gap; 0 without smoothing.
  double gap = 0;
};

class RowLoss {
 public:
  virtual ~RowLoss() = default;
  virtual Index outputs() const = 0;
  /// The loss of row i of y (targets × rows). Its scores (outputs × rows) are overwritten with the slopes; curvature
  /// gets a weight per output and, last, what all outputs may share (see newton_objective.hpp).
  virtual RowValue row(View<const double> y, View<double> scores, View<double> curvature, Index i) const = 0;
  /// Whether a constant added to all scores of a row changes nothing: steps then keep their sum.
  virtual bool up_to_a_constant() const { return false; }
  virtual bool has_corner() const { return false; }
  virtual void smooth(double /*width*/) {}
};

/// Log loss: one output for two classes, coded ±1, else one per class.
class ClassLoss final : public RowLoss {
 public:
  explicit ClassLoss(Index outputs) : outputs_(outputs) {}
  Index outputs() const override { return outputs_; }
  RowValue row(View<const double> y, View<double> scores, View<double> curvature, Index i) const override;
  bool up_to_a_constant() const override { return outputs_ > 1; }

 private:
  Index outputs_;
};

/// Losses of numbers: a sum over the outputs.
class NumberLoss final : public RowLoss {
 public:
  NumberLoss(FittedLoss loss, Index targets) : loss_(std::move(loss)), outputs_(loss_.outputs(targets)) {}
  const FittedLoss& loss() const { return loss_; }
  Index outputs() const override { return outputs_; }
  RowValue row(View<const double> y, View<double> scores, View<double> curvature, Index i) const override;
  bool has_corner() const override;
  void smooth(double width) override { width_ = width; }
  /// The score that minimises the loss of one output over these rows; weights may be empty.
  double best_constant(std::vector<double> y, std::vector<double> weights, Index output) const;

 private:
  struct Term {
    double value, slope, curvature;
  };
  Term term(double score, double y, Index output) const;
  Term smoothed_quantile(double r, double quantile) const;

  FittedLoss loss_;
  Index outputs_;
  double width_ = 0;  // ε
};

/// The least y for which rows of y or less have at least this share of the weight. weights may be empty.
double weighted_quantile(std::vector<double> y, std::vector<double> weights, double share);

}  // namespace weft::detail
