#include "objective/metric.hpp"

#include <weft/error.hpp>

#include "core/log_sigmoid.hpp"
#include "model/ranked_scores.hpp"
#include "objective/platt.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace weft::detail {

namespace {

Index guess(const Targets& targets, View<const double> scores, Index row) {
  if (targets.outputs() == 1) return scores(0, row) > 0 ? 1 : 0;
  Index best = 0;
  for (Index o = 1; o < targets.outputs(); ++o)
    if (scores(o, row) > scores(best, row)) best = o;
  return best;
}

double squares(const Targets& targets, View<const double> scores, Index row) {
  double sum = 0;
  for (Index o = 0; o < targets.outputs(); ++o) {
    const double difference = scores(o, row) - targets.y(o, row);
    sum += difference * difference;
  }
  return sum / static_cast<double>(targets.outputs());
}

/// Mean over the rows of each fold of what `value` gives for a row.
template <class Value>
std::vector<double> fold_means(const Targets& targets, std::span<const Index> fold_of, Index folds, Value value) {
  std::vector<double> sums(static_cast<std::size_t>(folds), 0.0);
  std::vector<double> weights(static_cast<std::size_t>(folds), 0.0);
  for (Index i = 0; i < targets.rows(); ++i) {
    const auto fold = static_cast<std::size_t>(fold_of[static_cast<std::size_t>(i)]);
    sums[fold] += targets.weight(i) * value(i);
    weights[fold] += targets.weight(i);
  }
  for (std::size_t f = 0; f < sums.size(); ++f) sums[f] /= weights[f];
  return sums;
}

std::vector<double> fold_areas(const Targets& targets, View<const double> scores, std::span<const Index> fold_of,
                               Index folds) {
  std::vector<RankedScores> ranked(static_cast<std::size_t>(folds));
  for (Index i = 0; i < targets.rows(); ++i)
    ranked[static_cast<std::size_t>(fold_of[static_cast<std::size_t>(i)])].add(targets.weight(i), scores(0, i),
                                                                               targets.y(0, i) > 0);
  std::vector<double> areas;
  for (RankedScores& fold : ranked) areas.push_back(fold.area().value_or(std::numeric_limits<double>::quiet_NaN()));
  return areas;
}

/// Log-odds of every output: the sigmoid of a fold is fitted to the scores of the other folds; of the only fold, where
/// there is one, to its own.
Matrix calibrated(const Targets& targets, View<const double> scores, std::span<const Index> fold_of, Index folds) {
  Matrix odds(scores.rows, scores.cols);
  for (Index o = 0; o < scores.rows; ++o)
    for (Index f = 0; f < folds; ++f) {
      std::vector<double> seen;
      std::vector<std::uint8_t> positive;
      std::vector<double> weights;
      for (Index i = 0; i < scores.cols; ++i) {
        if (folds > 1 && fold_of[static_cast<std::size_t>(i)] == f) continue;
        seen.push_back(scores(o, i));
        positive.push_back(targets.y(o, i) > 0 ? 1 : 0);
        if (!targets.weights.empty()) weights.push_back(targets.weight(i));
      }
      const Sigmoid sigmoid = fit_sigmoid(seen, positive, weights);
      for (Index i = 0; i < scores.cols; ++i)
        if (fold_of[static_cast<std::size_t>(i)] == f) odds(o, i) = -(sigmoid.slope * scores(o, i) + sigmoid.offset);
    }
  return odds;
}

/// −log of the probability of the row's class: the logistic function of log-odds, or the softmax of logits or of the
/// logarithms of one-against-rest probabilities, as predictions have it.
double log_loss(const Targets& targets, View<const double> odds, Index row, bool logits) {
  const Index truth = targets.class_of(row);
  double log_probability = 0;
  if (targets.outputs() == 1) {
    log_probability = log_sigmoid(truth == 1 ? odds(0, row) : -odds(0, row));
  } else {
    const auto value = [&](Index o) { return logits ? odds(o, row) : log_sigmoid(odds(o, row)); };
    double largest = value(0);
    for (Index o = 1; o < targets.outputs(); ++o) largest = std::max(largest, value(o));
    double sum = 0;
    for (Index o = 0; o < targets.outputs(); ++o) sum += std::exp(value(o) - largest);
    log_probability = value(truth) - largest - std::log(sum);
  }
  return -std::max(log_probability, std::log(std::numeric_limits<double>::min()));
}

}  // namespace

Metric metric_for(Metric asked, Task task) {
  const bool numbers = task == Task::regression;
  if (asked == Metric::automatic) return numbers ? Metric::mse : Metric::error;
  if (asked == Metric::loss)
    throw Error(ErrorKind::option, "the fit has no loss of its own", "‹metric›",
                "use ‹fit› newton or kernel-newton, or another metric");
  if (numbers && asked != Metric::mse)
    throw Error(ErrorKind::option, fmt::format("{} needs classes, and the target is numeric", name_of(asked)),
                "‹metric›", "use mse, or ‹task› classification if the numbers are classes");
  if (asked == Metric::auc && task != Task::binary)
    throw Error(ErrorKind::option, "the area under the ROC curve needs two classes", "‹metric›",
                "use error or logloss");
  return asked;
}

bool better(Metric metric, double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return !std::isnan(a);
  return larger_is_better(metric) ? a > b : a < b;
}

Index Targets::class_of(Index row) const {
  if (task == Task::regression) return 0;
  if (outputs() == 1) return y(0, row) > 0 ? 1 : 0;
  Index k = 0;
  while (y(k, row) < 0) ++k;
  return k;
}

std::vector<double> fold_scores(Metric metric, const Targets& targets, View<const double> scores,
                                std::span<const Index> fold_of, Index folds, bool probabilistic) {
  switch (metric) {
    case Metric::mse:
      return fold_means(targets, fold_of, folds, [&](Index i) { return squares(targets, scores, i); });
    case Metric::error:
      return fold_means(targets, fold_of, folds,
                        [&](Index i) { return guess(targets, scores, i) == targets.class_of(i) ? 0.0 : 1.0; });
    case Metric::auc:
      return fold_areas(targets, scores, fold_of, folds);
    case Metric::logloss:
    case Metric::automatic:
    case Metric::loss:
      break;
  }
  const Matrix odds = probabilistic ? Matrix() : calibrated(targets, scores, fold_of, folds);
  const View<const double> used = probabilistic ? scores : View<const double>(odds);
  return fold_means(targets, fold_of, folds, [&](Index i) { return log_loss(targets, used, i, probabilistic); });
}

}  // namespace weft::detail
