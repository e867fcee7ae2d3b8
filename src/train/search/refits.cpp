#include "train/search/refits.hpp"

#include "core/stopwatch.hpp"
#include "data/rows/row_filter.hpp"
#include "linalg/linear_scores.hpp"
#include "methods/method.hpp"
#include "methods/problem.hpp"

namespace weft::detail {

namespace {

/// Scores of the rows of one fold by a fit to those that train it. False when the time ended.
bool score_fold(const Candidate& candidate, const Inputs& inputs, const Validation& validation,
                const FitOptions& options, Index fold, const Run& run, Matrix& scores, bool& probabilistic) {
  std::vector<bool> trains, keep;
  for (const Index of_row : validation.folds.of_row) {
    trains.push_back(validation.folds.trains(of_row, fold));
    keep.push_back(of_row == fold);
  }
  const auto rows = filter_rows(validation.rows, std::move(trains));
  const auto held_out = filter_rows(validation.rows, keep);
  const FittedMap made = make_map({candidate.family, options, inputs, {*rows, *rows}, validation.targets.task, run});
  const FitResult fit =
      method_of(options).run({made.map, *rows, validation.targets.task, options, candidate.family, run, made.shares});
  const FeatureMap& map = fit.map ? *fit.map : made.map;
  probabilistic = fit.probabilistic;
  std::vector<Index> positions;
  for (std::size_t i = 0; i < keep.size(); ++i)
    if (keep[i]) positions.push_back(static_cast<Index>(i));
  Matrix phi, part;
  held_out->for_each([&](const TrainingBlock& block) {
    phi.reshape(map.features(), block.rows());
    map.smoothings(block.x, phi.view(), run);
    part.reshape(scores.rows(), block.rows());
    linear_scores(fit.coefficients, fit.intercepts, phi, part.view(), run.thread_count());
    for (Index o = 0; o < part.rows(); ++o)
      for (Index i = 0; i < part.cols(); ++i)
        scores(o, positions[static_cast<std::size_t>(block.first_row + i)]) = part(o, i);
    return true;
  });
  return !run.out_of_time();
}

}  // namespace

std::optional<Trial> validate_by_refits(const Candidate& candidate, const Inputs& inputs, const Validation& validation,
                                        const FitOptions& fit, const Run& run) {
  const Stopwatch clock;
  FitOptions options = with_choice(fit, candidate.lambda, candidate.bandwidth);
  set_own_value(options.method, "calibrate", false);  // the metric calibrates scores itself
  Matrix scores(validation.targets.outputs(), validation.targets.rows());
  bool probabilistic = false;
  for (Index f = validation.folds.first(); f < validation.folds.parts; ++f)
    if (!score_fold(candidate, inputs, validation, options, f, run, scores, probabilistic)) return std::nullopt;
  Trial trial = trial_of(candidate, fit);
  set_scores(trial, validation_score(fold_scores(validation, scores, probabilistic)));
  trial.seconds = clock.seconds();
  return trial;
}

}  // namespace weft::detail
