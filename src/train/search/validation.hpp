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
  Folds folds;
  Targets targets;
};

/// Reads the targets and deals the rows out to folds, stratified by class, as their rule has it. Throws where there are
/// more folds than rows where there is no rule; warns where there are more than rows of a class.
Validation make_validation(const BlockSource& rows, const TargetInfo& target, Metric metric, Index folds,
                           std::uint64_t seed, const Run& run = {});

/// What there is to say about the rows' rule. Throws where another number of folds was asked for than it makes.
std::vector<std::string> rule_notes(const Validation& validation, const Setting<Index>& asked);

struct ValidationScore {
  std::vector<double> fold_scores;
  double score = 0;           ///< mean over folds
  double standard_error = 0;  ///< of that mean
};
ValidationScore validation_score(std::vector<double> fold_scores);
/// Gives the trial its scores.
void set_scores(Trial& trial, const ValidationScore& result);

/// One score per fold that is predicted: scores is outputs × rows, each row's from the fit that predicts its fold.
std::vector<double> fold_scores(const Validation& validation, View<const double> scores, bool probabilistic);

/// The fits of one map that predict each of the folds, in several alternatives (λs, numbers of features).
struct FoldFits {
  Index alternatives = 0;
  std::vector<Matrix> coefficients;  ///< per fold, features × (alternatives · outputs); empty: not predicted
  std::vector<std::vector<double>> intercepts;  ///< per fold, alternatives · outputs
};

/// Scores of all rows by the fits that predict their fold, one matrix per map of the set: (alternatives · outputs) ×
/// rows; 0 where the fold is not predicted. Empty when the time ended.
std::vector<Matrix> held_out_scores(MapSet& maps, const std::vector<FoldFits>& fits, const Validation& validation,
                                    const Run& run);

/// One result per alternative.
std::vector<ValidationScore> validation_scores(const Validation& validation, View<const double> scores,
                                               Index alternatives);

/// Position of the best result; of several, the first.
std::size_t best_of(Metric metric, const std::vector<ValidationScore>& results);

}  // namespace weft::detail
