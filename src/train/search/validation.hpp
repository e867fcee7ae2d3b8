// What all configurations are validated on, and how: rows, their folds and targets.
#pragma once

#include <weft/tune.hpp>

#include "methods/map_set.hpp"
#include "methods/partitioned_block.hpp"
#include "objective/metric.hpp"

#include <vector>

namespace weft::detail {

struct Validation {
  const BlockSource& rows;
  Metric metric;
  Index folds = 0;
  std::vector<Index> fold_of;  ///< one per row
  Targets targets;

  /// The fold of a row, in the form that grouping rows by part needs; refers to this.
  PartOf part_of() const {
    return [this](Index row) { return fold_of[static_cast<std::size_t>(row)]; };
  }
};

/// Reads the targets and deals the rows out to folds, stratified by class. Throws where there are more folds than rows,
/// or than rows of a class.
Validation make_validation(const BlockSource& rows, const TargetInfo& target, Metric metric, Index folds,
                           std::uint64_t seed);

struct ValidationScore {
  std::vector<double> fold_scores;
  double score = 0;           ///< mean over folds
  double standard_error = 0;  ///< of that mean
};
ValidationScore validation_score(std::vector<double> fold_scores);
/// Gives the trial its scores.
void set_scores(Trial& trial, const ValidationScore& result);

/// The fits of one map without each of the folds, in several alternatives (λs, numbers of features).
struct FoldFits {
  Index alternatives = 0;
  std::vector<Matrix> coefficients;             ///< per fold, features × (alternatives · outputs)
  std::vector<std::vector<double>> intercepts;  ///< per fold, alternatives · outputs
};

/// Scores of all rows by the fits without their fold, one matrix per map of the set: (alternatives · outputs) × rows.
/// Empty when the time ended.
std::vector<Matrix> held_out_scores(MapSet& maps, const std::vector<FoldFits>& fits, const Validation& validation,
                                    const Run& run);

/// One result per alternative.
std::vector<ValidationScore> validation_scores(const Validation& validation, View<const double> scores,
                                               Index alternatives);

/// Position of the best result; of several, the first.
std::size_t best_of(Metric metric, const std::vector<ValidationScore>& results);

}  // namespace weft::detail
