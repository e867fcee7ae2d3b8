// Algorithm 1 of Ma et al. 2025, lines 1 to 5: an activation learned with a pool of features, the score of each
// feature under it, and a choice among them. Learning and scoring serve any number of choices.
#pragma once

#include "methods/method.hpp"
#include "sampling/sample_map.hpp"

namespace weft::detail {

struct ScoredPool {
  FeatureMap candidates;           ///< with the family's own activation, from which the fit starts again
  ActivationPtr activation;        ///< ã
  Matrix gram;                     ///< of the candidates with ã, their mean square being 1; empty unless by leverage
  std::vector<double> alignments;  ///< with the target; empty if by leverage
  FitReport report;                ///< of the fit that found ã

  /// What `count` of the candidates are chosen by.
  std::vector<double> scores(Index count, const FamilyOptions& options, const Run& run) const;
  /// `count` of the candidates as options.sampling chooses, scaled by their importance weights Q.
  FeatureMap choose(Index count, const FamilyOptions& options, const Run& run) const;
};

/// λ of leverage scores, where none is given, leaves this many directions for each feature to choose. S features have
/// no more than S directions; 1/n, which leaves as many as n rows can tell apart, looks for features that matter to
/// those alone (docs/learned_activation.md).
inline constexpr double kDirectionsPerFeature = 2;

/// Features of the pool that ã is learned with. The pool's features are independent draws, so the first of them are a
/// smaller pool; ã is all that is wanted of them, N numbers that every feature and row shares, and learning with all
/// 3000 would cost a hundred times as much. The rows are those that score (options.sampling_rows).
inline constexpr Index kPoolLearners = 300;

/// The features of a fit; chosen among candidates by Ma et al. 2025, Algorithm 1, where the family's sampling asks for
/// that.
FittedMap make_learned_map(const MapRequest& request);

/// Learns ã as `options` say (lambda among them), then scores all candidates. The size of ã is a convention, so that λ
/// of the leverage scores counts in mean squares of the features.
ScoredPool score_pool(FeatureMap candidates, const SamplingRows& rows, Task task, const FitOptions& options,
                      const FamilyOptions& family, const Run& run);

}  // namespace weft::detail
