#include "train/search/refits.hpp"

#include "core/stopwatch.hpp"
#include "data/rows/row_filter.hpp"
#include "linalg/linear_scores.hpp"
#include "methods/method.hpp"
#include "methods/problem.hpp"

namespace weft::detail {

namespace {

/// What the fits to all folds but one say of it.
struct FoldScores {
  Matrix scores;               ///< outputs × rows
  bool probabilistic = false;  ///< as in FitResult
  std::vector<double> losses;  ///< mean of each fold, where the fit's loss is the metric
};

/// Mean over the rows of a fold and the outputs. The threshold of the Huber loss differs from fit to fit: they are
/// compared by the absolute loss.
double mean_loss(const Validation& validation, FittedLoss loss, const Matrix& scores, Index fold) {
  if (loss.kind == RegressionLoss::huber) loss = {RegressionLoss::absolute};
  double sum = 0, weight = 0;
  for (Index i = 0; i < scores.cols(); ++i) {
    if (validation.folds.of_row[static_cast<std::size_t>(i)] != fold) continue;
    const double w = validation.targets.weight(i);
    weight += w;
    for (Index o = 0; o < scores.rows(); ++o)
      sum += w * loss.value(scores(o, i), validation.targets.y(loss.target_of(o), i), o);
  }
  return sum / weight / static_cast<double>(scores.rows());
}

/// Scores of the rows of one fold by a fit to those that train it. False when the time ended.
bool score_fold(const Candidate& candidate, const Inputs& inputs, const Validation& validation,
                const FitOptions& options, Index fold, const Run& run, FoldScores& all) {
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
  all.probabilistic = fit.probabilistic;
  Matrix& scores = all.scores;
  scores.reshape(static_cast<Index>(fit.intercepts.size()), validation.targets.rows());
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
  if (validation.metric == Metric::loss) all.losses.push_back(mean_loss(validation, fit.loss, scores, fold));
  return !run.out_of_time();
}

}  // namespace

std::optional<Trial> validate_by_refits(const Candidate& candidate, const Inputs& inputs, const Validation& validation,
                                        const FitOptions& fit, const Run& run) {
  const Stopwatch clock;
  FitOptions options = with_choice(fit, candidate.lambda, candidate.bandwidth);
  set_own_value(options.method, "calibrate", false);  // the metric calibrates scores itself
  FoldScores all;
  for (Index f = validation.folds.first(); f < validation.folds.parts; ++f)
    if (!score_fold(candidate, inputs, validation, options, f, run, all)) return std::nullopt;
  Trial trial = trial_of(candidate, fit);
  set_scores(trial, validation_score(validation.metric == Metric::loss
                                         ? all.losses
                                         : fold_scores(validation, all.scores, all.probabilistic)));
  trial.seconds = clock.seconds();
  return trial;
}

}  // namespace weft::detail
