#include "select/refits.hpp"

#include "core/stopwatch.hpp"
#include "fit/problem.hpp"
#include "select/row_filter.hpp"

namespace weft {

namespace {

/// Scores of the rows of fold f, by the fit without them.
void score_fold(const FitResult& fit, const FeatureMap& map, Index f, const Validation& validation, const Run& run,
                Matrix& scores) {
  std::vector<bool> keep;
  std::vector<Index> positions;
  for (const Index fold : validation.fold_of) {
    if (fold == f) positions.push_back(static_cast<Index>(keep.size()));
    keep.push_back(fold == f);
  }
  Matrix phi;
  filter_rows(validation.rows, std::move(keep))->for_each([&](const TrainingBlock& block) {
    phi.reshape(map.features(), block.rows());
    map.smoothings(block.x, phi.view(), run);
    Matrix part(scores.rows(), block.rows());
    linear_scores(fit.coefficients, fit.intercepts, phi, part.view(), run.thread_count());
    for (Index o = 0; o < part.rows(); ++o)
      for (Index i = 0; i < part.cols(); ++i)
        scores(o, positions[static_cast<std::size_t>(block.first_row + i)]) = part(o, i);
    return true;
  });
}

}  // namespace

std::optional<Trial> judge_by_refits(const Candidate& candidate, const Inputs& inputs, const Validation& validation,
                                     const FitOptions& fit, const Run& run) {
  const Stopwatch clock;
  FitOptions options = fit;
  options.lambda = candidate.lambda;
  options.calibrate = false;  // the metric calibrates scores itself
  const FeatureMap map = FeatureMap::draw(candidate.family, inputs);
  Matrix scores(validation.targets.outputs(), validation.rows.rows());
  bool probabilistic = false;
  for (Index f = 0; f < validation.folds; ++f) {
    std::vector<bool> keep;
    for (const Index fold : validation.fold_of) keep.push_back(fold != f);
    const auto rows = filter_rows(validation.rows, std::move(keep));
    const FitResult result = fit_problem({map, *rows, validation.targets.task, options, candidate.family, run});
    if (run.out_of_time()) return std::nullopt;
    probabilistic = result.probabilistic;
    score_fold(result, result.map ? *result.map : map, f, validation, run, scores);
  }
  const Judgement judgement = judge(
      fold_scores(validation.metric, validation.targets, scores, validation.fold_of, validation.folds, probabilistic));
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
