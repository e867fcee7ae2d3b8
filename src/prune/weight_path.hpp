// The lasso of Dubé & Marchand 2023, eq. 60, for every output, and the coefficients of its survivors:
//
//   min_c (1/2T) ‖α − β(c)‖² + λ‖c‖₁
//
// in the unknowns of a geometry, each output in units of its own norm, so that one λ penalises all outputs equally.
#pragma once

#include "prune/geometry.hpp"

namespace weft::detail {

class WeightPath {
 public:
  /// coefficients: T × outputs, the weight functions α. Of features that repeat each other the first takes over the
  /// coefficients of the others: the lasso alone would have no reason to drop one of a pair.
  WeightPath(Geometry geometry, View<const double> coefficients);

  /// The smallest λ that removes all features of every output.
  double lambda_max() const;
  /// Shares (outputs × T) that solve the lasso, started at `start` (those of a larger λ, or empty).
  Matrix solve(double lambda, const Matrix& start, const Run& run) const;
  /// Coefficients (T × outputs) of shares.
  Matrix coefficients(const Matrix& shares) const { return from_units(geometry_, shares, target_.log_norms); }
  /// α itself, repeats merged.
  Matrix whole() const { return coefficients(target_.shares); }
  /// The coefficients on these features alone that come closest to α, T × outputs with zeros elsewhere.
  Matrix project(const std::vector<Index>& features, int threads) const;

 private:
  void merge_repeats();

  Geometry geometry_;
  UnitWeights target_;
  Matrix cross_;  // outputs × T: correlations · target
};

/// Features that any output uses: rows of T × outputs coefficients that are not 0.
std::vector<Index> used_features(View<const double> coefficients);

}  // namespace weft::detail
