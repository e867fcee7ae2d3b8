#include "methods/learned_activation/learned_pool.hpp"

#include "features/draws.hpp"
#include "methods/learned_activation/learned_activation.hpp"

#include <algorithm>
#include <numeric>

namespace weft::detail {

namespace {

// Scores hardly move with ã, so that it need not have settled as the fit's own activation must.
constexpr double kLeastTolerance = 1e-4;

FitResult learn(const FeatureMap& candidates, const BlockSource& rows, Task task, const FitOptions& given,
                const FamilyOptions& family, const Run& run) {
  FitOptions options = given;
  auto& own = std::get<LearnedActivationOptions>(options.method);
  own.tolerance = std::max<double>(own.tolerance, kLeastTolerance);
  own.objective = own.pool_objective;
  if (own.objective == LearnedObjective::balanced) options.lambda.reset();
  std::vector<Index> first(static_cast<std::size_t>(std::min(kPoolLearners, candidates.features())));
  std::iota(first.begin(), first.end(), Index{0});
  const FeatureMap learners = candidates.subset(first);
  return fit_learned_activation({learners, rows, task, options, family, run});
}

}  // namespace

std::vector<double> ScoredPool::scores(Index count, const FamilyOptions& options, const Run& run) const {
  if (!by_leverage(options.sampling)) return alignments;
  const double lambda = options.sampling_lambda
                            ? *options.sampling_lambda
                            : lambda_of_dimension(gram, kDirectionsPerFeature * static_cast<double>(count));
  return leverage_scores(gram, lambda, run.thread_count());
}

FeatureMap ScoredPool::choose(Index count, const FamilyOptions& options, const Run& run) const {
  const ChosenFeatures choice = choose_candidates(scores(count, options, run), count, options);
  return candidates.subset(choice.positions, choice.scales);
}

ScoredPool score_pool(FeatureMap candidates, const SamplingRows& rows, Task task, const FitOptions& options,
                      const FamilyOptions& family, const Run& run) {
  const auto some = scoring_rows(rows.labelled, family);
  FitResult learned = learn(candidates, some ? *some : rows.labelled, task, options, family, run);
  const ActivationPtr activation = learned.map->parts().front().family.activation;
  const FeatureMap activated = candidates.with_activation(activation);
  ScoredPool pool{std::move(candidates), activation, {}, {}, std::move(learned.report)};
  if (by_leverage(family.sampling)) {
    pool.gram = candidate_gram(activated, rows.inputs, family, run);
    double mean_square = 0;  // the trace, for G has 1/M₀
    for (Index t = 0; t < pool.gram.rows(); ++t) mean_square += pool.gram(t, t);
    for (Index t = 0; t < pool.gram.rows(); ++t)
      for (Index u = 0; u <= t; ++u) pool.gram(t, u) /= mean_square;
  } else {
    pool.alignments = candidate_alignments(activated, rows.labelled, family, run);
  }
  return pool;
}

FittedMap make_learned_map(const MapRequest& request) {
  const auto& [family, options, inputs, rows, task, run, custom] = request;
  if (!samples_from_data(family.sampling)) return {sample_map(family, inputs, rows, run, custom)};
  ScoredPool pool = score_pool(draw_candidates(family, inputs, run, custom), rows, task, options, family, run);
  FittedMap result{pool.choose(chosen_count(family, inputs, custom), family, run)};
  result.report.warnings = std::move(pool.report.warnings);
  for (std::string& warning : result.report.warnings) warning.insert(0, "pool: ");
  result.report.set("pool", static_cast<double>(pool.candidates.features()));
  if (const std::optional<double> lambda = pool.report.number("lambda")) result.report.set("pool_lambda", *lambda);
  return result;
}

}  // namespace weft::detail
