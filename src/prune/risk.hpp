// Mean loss and error rate of several pruned models in one pass over the rows.
#pragma once

#include "methods/problem.hpp"
#include "objective/loss.hpp"

#include <vector>

namespace weft::detail {

/// One pruned weight function, as coefficients of all T smoothings, and what it adds to them.
struct Pruned {
  Matrix coefficients;             ///< T × outputs
  std::vector<double> intercepts;  ///< outputs
};

struct RowMeans {
  double risk = 0;
  double error = 0;  ///< classes only
};

/// The loss a model was fitted with: squared for least squares and lasso, softmax for several classes of logistic, else
/// a Loss per output. Means over outputs; numbers are in units of the target's variance, which makes a loss of 0.01
/// mean the same for every target.
class Risk {
 public:
  Risk(const ModelParts& parts, const FitOptions& options, const BlockSource& rows);

  /// One pass, for all of `models`.
  std::vector<RowMeans> measure(const FeatureMap& map, const std::vector<Pruned>& models, const Run& run) const;
  /// The most the risk can change when output o moves by at most moves[o] everywhere and |f_o| ≤ reach[o].
  double most_change(const std::vector<double>& moves, const std::vector<double>& reach) const;

 private:
  void read_targets();
  double loss(View<const double> scores, View<const double> y, Index row) const;
  bool wrong(View<const double> scores, View<const double> y, Index row) const;

  const BlockSource& rows_;
  Task task_;
  bool softmax_;
  Loss loss_;
  double weight_ = 0;              // Σ w
  std::vector<double> units_;      // outputs: 1 over the variance of a number, 1 for classes
  std::vector<double> largest_y_;  // outputs
};

}  // namespace weft::detail
