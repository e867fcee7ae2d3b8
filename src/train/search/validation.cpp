#include "train/search/validation.hpp"

#include <weft/error.hpp>

#include "core/at.hpp"
#include "linalg/linear_scores.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace weft::detail {

namespace {

Targets read_targets(const BlockSource& rows, Task task) {
  Targets targets{task, Matrix(rows.outputs(), rows.rows()), {}};
  rows.for_each([&](const TrainingBlock& block) {
    for (Index o = 0; o < block.y.rows; ++o)
      std::copy_n(block.y.row(o), block.rows(), targets.y.row(o) + block.first_row);
    if (block.weights != nullptr)
      targets.weights.insert(targets.weights.end(), block.weights, block.weights + block.rows());
    return true;
  });
  return targets;
}

/// A class with fewer rows than folds is predicted by some fits that have not seen it: of little use, but possible, and
/// what small tables often have. The area under the curve of such a fold does not exist.
void check_folds(const Validation& validation, const TargetInfo& target, Index folds, const Run& run) {
  const Index rows = validation.rows.rows();
  if (folds > rows)
    throw Error(ErrorKind::option, fmt::format("{} folds are more than the {} rows of the data", folds, rows),
                "‹folds›", fmt::format("use at most {}", rows));
  std::vector<Index> counts(target.classes.size(), 0);
  for (Index i = 0; i < rows && !counts.empty(); ++i) ++counts[at(validation.targets.class_of(i))];
  const auto fewest = std::min_element(counts.begin(), counts.end());
  if (fewest == counts.end() || *fewest >= folds) return;
  const std::string fact =
      fmt::format("class '{}' has {} row{} and is missing from some of {} folds",
                  target.classes[at(fewest - counts.begin())], *fewest, *fewest == 1 ? "" : "s", folds);
  const std::string remedy = *fewest < 2 ? std::string("leave that class out, or merge it with another")
                                         : fmt::format("use at most {} ‹folds›", *fewest);
  if (validation.metric == Metric::auc) throw Error(ErrorKind::option, fact, "‹folds›", remedy);
  run.warn(fact + "; " + remedy);
}

}  // namespace

Validation make_validation(const BlockSource& rows, const TargetInfo& target, Metric metric, Index folds,
                           std::uint64_t seed, const Run& run) {
  Validation validation{rows, metric, {}, read_targets(rows, target.task)};
  const RowRule& rule = rows.rule();
  std::vector<Index> classes;
  if (target.task != Task::regression)
    for (Index i = 0; i < rows.rows(); ++i) classes.push_back(validation.targets.class_of(i));
  if (rule.none()) check_folds(validation, target, folds, run);
  const bool named = rule.kind() == RowRule::Kind::folds;  // all of them, whatever their number
  validation.folds = rule.folds(rows.rows(), named ? rows.rows() : folds, classes, seed);
  return validation;
}

std::vector<std::string> rule_notes(const Validation& validation, const Setting<Index>& asked) {
  const RowRule& rule = validation.rows.rule();
  if (rule.none()) return {};
  const Index folds = validation.folds.parts - validation.folds.first();
  if (asked.given() && asked != folds)
    throw Error(ErrorKind::option, fmt::format("there are {} folds, because {}", folds, rule.describe()), "‹folds›",
                "leave it out, or use fewer");
  return {"validation: " + rule.describe()};
}

ValidationScore validation_score(std::vector<double> fold_scores) {
  const auto count = static_cast<double>(fold_scores.size());
  double mean = 0;
  for (const double score : fold_scores) mean += score / count;
  double squares = 0;
  for (const double score : fold_scores) squares += (score - mean) * (score - mean);
  const double error = fold_scores.size() > 1 ? std::sqrt(squares / (count - 1) / count) : 0;
  return {std::move(fold_scores), mean, error};
}

void set_scores(Trial& trial, const ValidationScore& result) {
  trial.fold_scores = result.fold_scores;
  trial.score = result.score;
  trial.standard_error = result.standard_error;
}

std::vector<double> fold_scores(const Validation& validation, View<const double> scores, bool probabilistic) {
  const Folds& folds = validation.folds;
  const Targets& targets = validation.targets;
  if (folds.first() == 0)
    return fold_scores(validation.metric, targets, scores, folds.of_row, folds.parts, probabilistic);
  std::vector<Index> predicted, fold_of;
  for (std::size_t i = 0; i < folds.of_row.size(); ++i)
    if (folds.of_row[i] >= folds.first()) {
      predicted.push_back(static_cast<Index>(i));
      fold_of.push_back(folds.of_row[i] - folds.first());
    }
  const auto count = static_cast<Index>(predicted.size());
  Targets some{targets.task, Matrix(targets.y.rows(), count), {}};
  Matrix own(scores.rows, count);
  for (Index i = 0; i < count; ++i) {
    const Index row = predicted[static_cast<std::size_t>(i)];
    for (Index o = 0; o < some.y.rows(); ++o) some.y(o, i) = targets.y(o, row);
    for (Index o = 0; o < own.rows(); ++o) own(o, i) = scores(o, row);
    if (!targets.weights.empty()) some.weights.push_back(targets.weights[static_cast<std::size_t>(row)]);
  }
  return fold_scores(validation.metric, some, own, fold_of, folds.parts - folds.first(), probabilistic);
}

std::vector<Matrix> held_out_scores(MapSet& maps, const std::vector<FoldFits>& fits, const Validation& validation,
                                    const Run& run) {
  std::vector<Matrix> all;
  for (const FoldFits& fit : fits)
    all.emplace_back(fit.alternatives * validation.targets.outputs(), validation.rows.rows());
  PartitionedBlock partitioned;
  Matrix scores;
  bool stopped = false;
  validation.rows.for_each([&](const TrainingBlock& block) {
    if (run.out_of_time()) {
      stopped = true;
      return false;
    }
    const TrainingBlock rows = partitioned.partition(block, validation.folds.parts, validation.folds.part_of());
    maps.start(rows.x, run);
    for (std::size_t k = 0; k < maps.size(); ++k) {
      const View<const double> phi = maps.features(k, rows.x, run);
      scores = Matrix(all[k].rows(), rows.rows());
      for (auto f = static_cast<std::size_t>(validation.folds.first()); f < fits[k].coefficients.size(); ++f) {
        const Index first = partitioned.starts()[f];
        const Index count = partitioned.starts()[f + 1] - first;
        linear_scores(fits[k].coefficients[f], fits[k].intercepts[f], phi.col_range(first, count),
                      scores.view().col_range(first, count), run.thread_count());
      }
      for (Index a = 0; a < scores.rows(); ++a)
        for (Index i = 0; i < rows.rows(); ++i)
          all[k](a, block.first_row + i) = scores(a, partitioned.to()[static_cast<std::size_t>(i)]);
    }
    return true;
  });
  if (stopped) all.clear();
  return all;
}

std::vector<ValidationScore> validation_scores(const Validation& validation, View<const double> scores,
                                               Index alternatives) {
  const Index outputs = validation.targets.outputs();
  std::vector<ValidationScore> results;
  for (Index a = 0; a < alternatives; ++a)
    results.push_back(validation_score(fold_scores(validation, scores.row_range(a * outputs, outputs), false)));
  return results;
}

std::size_t best_of(Metric metric, const std::vector<ValidationScore>& results) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < results.size(); ++k)
    if (better(metric, results[k].score, results[best].score)) best = k;
  return best;
}

}  // namespace weft::detail
