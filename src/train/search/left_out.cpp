#include "train/search/left_out.hpp"

#include "core/stopwatch.hpp"
#include "methods/method.hpp"

namespace weft::detail {

std::optional<Trial> validate_left_out(const Candidate& candidate, const Inputs& inputs, const Validation& validation,
                                       const FitOptions& fit, const Run& run) {
  const Stopwatch clock;
  const FitOptions options = with_choice(fit, candidate.lambda, candidate.bandwidth);
  const FittedMap made =
      make_map({candidate.family, options, inputs, {validation.rows, validation.rows}, validation.targets.task, run});
  const LeftOutPath path =
      method_of(options).left_out({made.map, validation.rows, validation.targets.task, options, candidate.family, run});
  if (!path.complete) return std::nullopt;
  const std::vector<ValidationScore> results =
      validation_scores(validation, path.scores, static_cast<Index>(path.lambdas.size()));
  const std::size_t best = best_of(validation.metric, results);
  Trial trial = trial_of(candidate, fit);
  set_scores(trial, results[best]);
  trial.lambda = path.lambdas[best];
  trial.seconds = clock.seconds();
  return trial;
}

}  // namespace weft::detail
