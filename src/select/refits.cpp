#include "select/refits.hpp"

#include "core/stopwatch.hpp"
#include "fit/problem.hpp"
#include "select/row_filter.hpp"

namespace weft {

std::optional<Trial> judge_by_refits(const Candidate& candidate, const Inputs& inputs, const Validation& validation,
                                     const FitOptions& fit, const Run& run) {
  const Stopwatch clock;
  FitOptions options = fit;
  options.lambda = candidate.lambda;
  options.calibrate = false;  // the metric calibrates scores itself
  const FeatureMap map = FeatureMap::draw(candidate.family, inputs);
  FoldFits fits{1, {}, {}};
  bool probabilistic = false;
  for (Index f = 0; f < validation.folds; ++f) {
    std::vector<bool> keep;
    for (const Index fold : validation.fold_of) keep.push_back(fold != f);
    const auto rows = filter_rows(validation.rows, std::move(keep));
    FitResult result = fit_problem({map, *rows, validation.targets.task, options, candidate.family, run});
    if (run.out_of_time()) return std::nullopt;
    probabilistic = result.probabilistic;
    fits.coefficients.push_back(std::move(result.coefficients));
    fits.intercepts.push_back(std::move(result.intercepts));
  }
  MapGroup group(map);
  const std::vector<Matrix> scores = held_out_scores(group, {fits}, validation, run);
  if (scores.empty()) return std::nullopt;
  const Judgement judgement = judge(fold_scores(validation.metric, validation.targets, scores.front(),
                                                validation.fold_of, validation.folds, probabilistic));
  Trial trial;
  trial.number = candidate.number;
  trial.family = candidate.family;
  trial.lambda = candidate.lambda;
  trial.fold_scores = judgement.fold_scores;
  trial.score = judgement.score;
  trial.standard_error = judgement.standard_error;
  trial.seconds = clock.seconds();
  return trial;
}

}  // namespace weft
