// Random features with learned relevance as a candidate of a portfolio.
#pragma once

#include "methods/learned_relevance/feature_relevance.hpp"
#include "methods/local/assemble.hpp"

namespace weft::detail {

/// The problem's family, with this number of features if it is given, on all columns that vary, of two scalings the
/// ranks.
FeatureForm feature_form(const Problem& problem, const Matrix& x, std::optional<Index> features = {});

/// Whether there is any column but the bias.
bool sees_inputs(const FeatureForm& form);

/// Relevance that is learned on part of the rows.
LearnedForm learn_features(const FeatureForm& form, const MemberRows& rows, Index rounds, const Run& run);
/// That of a kernel with a factor per input, learned from the folds of `some` rows.
LearnedForm borrow_features(const FeatureForm& form, const LearnedForm& kernel, std::span<const Fold> some,
                            const Run& run);
/// `learned` must outlive the candidate.
MemberCandidate feature_candidate(const FeatureForm& form, const MemberRows& rows, const LearnedForm& learned,
                                  const Run& run);

}  // namespace weft::detail
