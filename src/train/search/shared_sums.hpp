// Evaluating least-squares configurations by sums over rows: one pass builds the sums of every fold, the training sums
// of a fold are the sum of the others, and all λs of a configuration share one decomposition per fold.
#pragma once

#include "methods/fold_rows.hpp"
#include "objective/penalty.hpp"
#include "train/search/search_space.hpp"
#include "train/search/validation.hpp"

#include <optional>

namespace weft::detail {

/// Whether fits of this map see row coordinates in place of its features (MapSet): where there are twice as many
/// features as rows or more, and the penalty is a ridge.
bool fits_in_row_coordinates(const FeatureMap& map, const Validation& validation, const FitOptions& options);

/// The sums of every part of the rows, one PartSums per map.
std::vector<PartSums> accumulate_folds(MapSet& maps, const Validation& validation, const FitOptions& options,
                                       const Run& run);

/// The sums that a fold is predicted from, and those of all rows.
Accumulator training_sums(const PartSums& sums, const Folds& folds, std::size_t fold);
Accumulator sum_of_all(const PartSums& sums);

/// Adds to the intercepts what the sums subtracted from the targets: fits then give scores.
void add_shift(const PartSums& sums, FoldFits& fits);

/// Least-squares fits that predict each of the folds, one alternative per λ (effective; an infinite one leaves the
/// intercept).
FoldFits fit_path(const PartSums& sums, const Folds& folds, const Penalty& penalty, std::span<const double> lambdas,
                  const FitOptions& options, const Run& run);

/// mse by the sums of the held-out folds, without looking at a row again.
std::vector<ValidationScore> validation_scores(const PartSums& sums, const Folds& folds, const FoldFits& fits,
                                               const Run& run);

/// The same for row coordinates, whose sums do not have the features' variances.
std::vector<double> lambda_grid_of_rows(const FeatureMap& map, const Validation& validation, bool intercept,
                                        Index count, const Run& run);

/// Seconds of the parts of a search that sharing makes cheaper.
struct Sharing {
  double projecting = 0;          ///< spent
  double projecting_alone = 0;    ///< had every configuration projected for itself
  double accumulating = 0;        ///< features and sums
  double accumulating_alone = 0;  ///< had every fold been fitted by itself

  /// Those of one of several batches that were validated at a time.
  void add(const Sharing& other, double at_a_time) {
    projecting += other.projecting / at_a_time;
    projecting_alone += other.projecting_alone / at_a_time;
    accumulating += other.accumulating / at_a_time;
    accumulating_alone += other.accumulating_alone / at_a_time;
  }
};

/// One trial per candidate; all are of one family and draw, their maps differ in σ and γ. Nothing when the time ended.
std::optional<std::vector<Trial>> validate_batch(const std::vector<Candidate>& candidates, const Inputs& inputs,
                                                 const Validation& validation, const FitOptions& fit, Index lambdas,
                                                 const Run& run, Sharing& sharing);

/// Memory that each candidate of a batch holds; what a batch of any size holds besides is a few T × T matrices.
double batch_bytes(double features, double rows, double outputs, double lambdas, double folds, bool by_sums);

}  // namespace weft::detail
