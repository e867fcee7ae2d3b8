// Relevance learned with random features: the rounds of methods/local/relevance.hpp, with gradients of a random-feature
// fit. A round draws features of inputs that are scaled by √G, divided by its largest entry; sparse projections and
// stumps draw variables in proportion to the deviations of their scaled columns.
#pragma once

#include "methods/local/relevance.hpp"

#include <weft/family.hpp>
#include <weft/inputs.hpp>
#include <weft/member.hpp>
#include <weft/objective.hpp>

namespace weft::detail {

inline constexpr const char* kFeaturesName = "random features";  ///< of members and candidates

/// Random features before anything is learned.
struct FeatureForm {
  FamilyOptions family;  ///< a sigma that was not given is searched
  Inputs inputs;         ///< the encoder's
  InputTransform base;   ///< the columns that features see; no factors
  Regularizer regularizer = Regularizer::automatic;
  std::optional<Index> most_features = {};  ///< of those that the family draws, in equal parts
  std::optional<double> lambda = {};        ///< of the mean loss; none: chosen on held-out rows
};

/// As learn_relevance does. A step's bandwidth is sigma, its λ that of the mean loss.
std::vector<RelevanceStep> learn_feature_relevance(const FeatureForm& form, std::span<const Fold> folds,
                                                   const LabelledRows* whole, Index rounds, const Run& run);

/// The relevance that a kernel with a factor per input has learned from these folds, with a sigma for the features.
RelevanceStep borrow_relevance(const FeatureForm& form, const RelevanceStep& kernel, std::span<const Fold> folds,
                               const Run& run);

/// A fit of all rows, and what fits without the held-out rows predict for those.
struct FeatureFit {
  Member member;
  Matrix held_scores;  ///< of all folds × outputs
  double lambda = 0;   ///< of the mean loss
};
FeatureFit fit_features(const FeatureForm& form, const RelevanceStep& step, const LabelledRows& all,
                        std::span<const Fold> folds, const Run& run);

}  // namespace weft::detail
