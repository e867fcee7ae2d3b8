#include "methods/learned_relevance/feature_candidate.hpp"

#include "core/at.hpp"
#include "core/stopwatch.hpp"
#include "methods/local/held_out.hpp"

#include <algorithm>

namespace weft::detail {

namespace {

constexpr Index kLearningRows = 10000;
constexpr Index kLearningHeld = 5000;

}  // namespace

FeatureForm feature_form(const Problem& problem, const Matrix& x, std::optional<Index> features) {
  FeatureForm form{problem.family, problem.map.inputs(), {}};
  const std::vector<ColumnKind>& kinds = problem.columns;
  const bool ranked = std::find(kinds.begin(), kinds.end(), ColumnKind::ranked) != kinds.end();
  for (Index j = 0; j < x.rows(); ++j) {
    const ColumnKind kind = kinds[at(j)];
    if (kind == ColumnKind::bias || (!(ranked && kind == ColumnKind::standardised) && column_range(x, j) > 0))
      form.base.columns.push_back(j);
  }
  if (features) form.family.features = *features;
  form.family = resolve_family(form.family, form.base.inputs(form.inputs).variables());
  return form;
}

bool sees_inputs(const FeatureForm& form) {
  return !form.base.columns.empty() && form.base.inputs(form.inputs).variables() > 0;
}

LearnedForm learn_features(const FeatureForm& form, const MemberRows& rows, Index rounds, const Run& run) {
  const std::vector<Fold> some = shrink(rows.split, kLearningRows, kLearningHeld);
  const LabelledRows* whole = rows.split.size() > 1 ? &rows.all : nullptr;
  LearnedForm learned;
  learned.form.name = kFeaturesName;
  learned.step = best_step(learn_feature_relevance(form, some, whole, rounds, run));
  return learned;
}

LearnedForm borrow_features(const FeatureForm& form, const LearnedForm& kernel, std::span<const Fold> some,
                            const Run& run) {
  LearnedForm learned;
  learned.form.name = kFeaturesName;
  learned.step = borrow_relevance(form, kernel.step, some, run);
  return learned;
}

MemberCandidate feature_candidate(const FeatureForm& form, const MemberRows& rows, const LearnedForm& learned,
                                  const Run& run) {
  const Stopwatch clock;
  FeatureFit fit = fit_features(form, learned.step, rows.all, rows.split, run);
  MemberCandidate candidate;
  candidate.learned = &learned;
  MemberPlan plan;
  plan.form.name = learned.form.name;
  plan.shape = MemberPlan::Shape::features;
  plan.size = fit.member.features();
  plan.bandwidth = learned.step.learned.bandwidth;
  plan.lambda = fit.lambda;
  candidate.plans.push_back(std::move(plan));
  candidate.members.push_back(std::move(fit.member));
  candidate.held_scores = std::move(fit.held_scores);
  candidate.error = held_out_error(rows.split, candidate.held_scores);
  candidate.seconds = clock.seconds();
  return candidate;
}

}  // namespace weft::detail
