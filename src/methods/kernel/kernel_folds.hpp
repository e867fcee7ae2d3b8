// Exact kernel ridge regression validated by the folds of the rows' rule, where leaving one row out would leave others
// of its group, or later ones, in the fit.
#pragma once

#include "methods/kernel/kernel_solution.hpp"

namespace weft::detail {

class KernelFolds {
 public:
  /// All must outlive it.
  KernelFolds(const Problem& problem, const ScaledKernel& kernel, const KernelTargets& targets);

  /// y − f(x), n × outputs, f the fit to the parts that train the row's, with the λ of the mean loss that μ is for all
  /// rows; 0 for rows that are not predicted and for those without weight. A factorisation per fold.
  Matrix errors(double mu) const;
  /// Σ w e² / Σ w over the predicted rows, per output.
  std::vector<double> mean_squares(const Matrix& errors) const;
  bool predicts(Index row) const { return folds_.of_row[static_cast<std::size_t>(row)] >= folds_.first(); }
  double weight() const { return weight_; }  ///< of the predicted rows

 private:
  struct FoldRows {
    std::vector<Index> trained, held;
    double weight = 0;  ///< of those that train
  };
  FoldRows rows_of(Index fold) const;
  void predict(Index fold, double mu, Matrix& errors) const;

  const Problem& problem_;
  const ScaledKernel& kernel_;
  const KernelTargets& targets_;
  Folds folds_;
  double weight_ = 0;
};

}  // namespace weft::detail
