#include "fit/learned_pool.hpp"

#include <algorithm>
#include <numeric>

namespace weft {

namespace {

// Scores hardly move with ã, so that it need not have settled as the fit's own activation must.
constexpr double kLeastTolerance = 1e-4;

FitResult learn(const FeatureMap& candidates, const BlockSource& rows, Task task, const FitOptions& given,
                const FamilyOptions& family, const Run& run) {
  FitOptions options = given;
  options.tolerance = std::max(options.tolerance, kLeastTolerance);
  std::vector<Index> first(static_cast<std::size_t>(std::min(kPoolLearners, candidates.features())));
  std::iota(first.begin(), first.end(), Index{0});
  const FeatureMap learners = candidates.subset(first);
  return fit_learned_activation({learners, rows, task, options, family, run});
}

}  // namespace

FeatureMap ScoredPool::choose(Index count, const FamilyOptions& options) const {
  const Choice choice = choose_candidates(scores, count, options);
  return candidates.subset(choice.positions, choice.scales);
}

ScoredPool score_pool(FeatureMap candidates, const SamplingRows& rows, Task task, const FitOptions& options,
                      const FamilyOptions& family, const Run& run) {
  const auto some = judging_rows(rows.labelled, family);
  FitResult learned = learn(candidates, some ? *some : rows.labelled, task, options, family, run);
  const ActivationPtr activation = learned.map->parts().front().family.activation;
  std::vector<double> scores = candidate_scores(candidates.with_activation(activation), family, rows, run, true);
  return {std::move(candidates), activation, std::move(scores), std::move(learned.report)};
}

}  // namespace weft
