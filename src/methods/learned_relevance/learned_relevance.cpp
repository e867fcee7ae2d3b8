#include "methods/learned_relevance/learned_relevance.hpp"

#include "core/at.hpp"
#include "core/stopwatch.hpp"
#include "methods/learned_relevance/feature_candidate.hpp"
#include "methods/local/assemble.hpp"
#include "methods/local/held_out.hpp"

namespace weft::detail {

FitResult fit_learned_relevance(const Problem& problem) {
  const auto& own = problem.options.own<LearnedRelevanceOptions>();
  const Stopwatch clock;
  const MemberRows rows(problem);
  FitResult result;
  FeatureForm form = feature_form(problem, rows.all.x);
  form.regularizer = own.regularizer;
  form.lambda = problem.options.lambda;
  if (!problem.family.features.given()) form.most_features = rows.all.rows();
  if (!sees_inputs(form)) {
    assemble_constant(problem, rows, result);
    return result;
  }
  const LearnedForm learned = learn_features(form, rows, own.relevance, problem.run);
  std::vector<MemberCandidate> candidates;
  candidates.push_back(feature_candidate(form, rows, learned, problem.run));
  const MemberCandidate& candidate = candidates.front();
  result.report.set("lambda", candidate.plans.front().lambda);
  result.report.set("sigma", candidate.plans.front().bandwidth);
  result.report.set("held_out_error", candidate.error);
  result.report.set("held_out_rows", static_cast<double>(held_rows(rows.split)));
  assemble(problem, rows, candidates, {1.0}, clock.seconds(), result);
  return result;
}

}  // namespace weft::detail
