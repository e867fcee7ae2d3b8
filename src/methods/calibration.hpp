// Scores of rows by fits that did not see them: by leverages, folds or a second fit. Probabilities of classifiers whose
// scores are no log-odds are calibrated on them.
#pragma once

#include "linalg/ridge.hpp"
#include "methods/problem.hpp"
#include "objective/penalty.hpp"

#include <functional>
#include <vector>

namespace weft::detail {

/// Three folds by accumulator arithmetic: one pass for the folds' sums, three solves, one pass for the held-out scores.
ScoredRows score_folds(const Problem& problem, const Penalty& penalty, double effective_lambda);

/// The normal equations of a least-squares fit, as leaving one row out needs them.
struct SolvedEquations {
  ScaledFactor factor;
  std::vector<double> feature_means;  ///< empty without an intercept
  double weight = 0;                  ///< Σ w
};

/// Which rows score_by_leverage scores, of so many: by their numbers alone.
std::function<bool(Index row)> scored_rows(Index rows, Task task);

/// A sample of rows, each scored by the fit without it: its residual is r/(1 − h), h the row's leverage. `fit` has the
/// coefficients and intercepts that solve the equations.
ScoredRows score_by_leverage(const Problem& problem, const FitResult& fit, const SolvedEquations& equations);
/// The same where all of the problem's rows are that sample.
ScoredRows score_all_by_leverage(const Problem& sample, const FitResult& fit, const SolvedEquations& equations);

/// A fifth of the rows, held out by their rule and scored by a second fit to the others. Where that is not possible,
/// for lack of rows or time, rows that `fit` has seen, by ScoredBy::none, with a warning in its report if the second
/// fit fails. For linear models in a feature map.
LeftOut score_by_second_fit(const Problem& problem, FitResult (*run)(const Problem&), FitResult& fit);

/// A sample of these rows, scored by this model.
ScoredRows score_rows(const BlockSource& rows, Task task, const FeatureMap& map, const Matrix& coefficients,
                      const std::vector<double>& intercepts, const Run& run);

}  // namespace weft::detail
