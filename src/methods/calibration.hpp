// Probabilities for classifiers whose scores are no log-odds: a sigmoid per output, fitted to scores of rows that the
// scoring fit did not see.
#pragma once

#include "linalg/ridge.hpp"
#include "methods/problem.hpp"
#include "objective/penalty.hpp"

#include <cstdint>
#include <vector>

namespace weft::detail {

/// Scores and classes of rows, by output; without weights all are 1.
struct ScoredRows {
  std::vector<std::vector<double>> scores;
  std::vector<std::vector<std::uint8_t>> positive;
  std::vector<double> weights = {};

  explicit ScoredRows(Index outputs)
      : scores(static_cast<std::size_t>(outputs)), positive(static_cast<std::size_t>(outputs)) {}
  void add(const TrainingBlock& block, Index row, Index output, double score);
  void add_weights(const TrainingBlock& block);
  /// One per output.
  Calibration sigmoids() const;
  /// The same for all outputs, and 1/2 at the score 0 where there is one: the class with the largest probability is
  /// then the one that the scores predict.
  Calibration common_sigmoid() const;
};

/// Three folds by accumulator arithmetic: one pass for the folds' sums, three solves, one pass for the held-out scores.
Calibration calibrate(const Problem& problem, const Penalty& penalty, double effective_lambda);

/// The normal equations of a least-squares fit, as leaving one row out needs them.
struct SolvedEquations {
  ScaledFactor factor;
  std::vector<double> feature_means;  ///< empty without an intercept
  double weight = 0;                  ///< Σ w
};

/// A common sigmoid on a sample of rows, each scored by the fit without it: its residual is r/(1 − h), h the row's
/// leverage. `fit` has the coefficients and intercepts that solve the equations.
Calibration calibrate_by_leverage(const Problem& problem, const FitResult& fit, const SolvedEquations& equations);

/// The same on a fifth of the rows, scored by a second fit to the others; where that is not possible, for lack of rows
/// or time, on rows that `fit` has seen, with a warning in its report if the second fit fails. For linear models in a
/// feature map.
Calibration calibrate_by_second_fit(const Problem& problem, FitResult& fit, FitResult (*run)(const Problem&));

/// The same on a sample of these rows.
Calibration calibrate_on(const BlockSource& rows, const FeatureMap& map, const Matrix& coefficients,
                         const std::vector<double>& intercepts, const Run& run);

}  // namespace weft::detail
