#include "model/intervals.hpp"

#include "core/at.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace weft::detail {

namespace {

void check_intervals(const Model& model, const IntervalOptions& options, const Conformity& scores) {
  check_options(options);
  const bool classes = model.target().task != Task::regression;
  if (options.interval_by_class && !classes)
    throw Error(ErrorKind::option, "a regression has no classes", "‹interval_by_class›", "leave it out");
  if (options.interval_by_class && !options.interval)
    throw Error(ErrorKind::option, "there is no share to cover", "‹interval_by_class›", "give ‹interval› as well");
  if (!options.interval) return;
  check_no_quantiles(model);
  if (classes) model.check_probabilities("interval");
  if (scores.empty())
    throw Error(ErrorKind::option, "this model has no scores of rows that were predicted without them", "‹interval›",
                "train it again with ‹intervals›, or give labelled rows that it was not fitted to with ‹calibrate›");
}

}  // namespace

void check_no_quantiles(const Model& model) {
  if (model.parts().loss.is_quantile())
    throw Error(ErrorKind::option, "a model of quantiles predicts ends of intervals itself", "‹interval›",
                "leave it out and use the columns of the quantiles, or train with another ‹loss›");
}

Intervals::Intervals(const Model& model, const PredictOptions& options)
    : task_(model.target().task), wanted_(options.intervals.interval.has_value()) {
  if (model.parts().loss.kind == RegressionLoss::poisson) least_ = 0;
  const Conformity& scores = options.conformity ? *options.conformity : model.parts().conformity;
  check_intervals(model, options.intervals, scores);
  if (!wanted_) return;
  const double level = level_ = *options.intervals.interval;
  if (task_ == Task::regression) {
    // Each end may fail for half of what is left, so that skewed errors get an interval that is longer on their side.
    fewest_ = scores.tables.front().count();
    for (const ScoreTable& table : scores.tables) {
      below_.push_back(table.lower((1 + level) / 2));
      above_.push_back(table.upper((1 + level) / 2));
    }
    return;
  }
  fewest_ = scores.tables.front().count();
  for (std::size_t k = 1; k < scores.tables.size(); ++k) {
    const ScoreTable& table = scores.tables[options.intervals.interval_by_class ? k : 0];
    most_.push_back(table.upper(level));
    fewest_ = std::min(fewest_, table.count());
  }
}

std::string Intervals::note() const {
  const auto infinite = [](const std::vector<double>& ends) {
    return std::any_of(ends.begin(), ends.end(), [](double end) { return std::isinf(end); });
  };
  if (!wanted_ || !(infinite(above_) || infinite(most_))) return {};
  const double missed = task_ == Task::regression ? (1 - level_) / 2 : 1 - level_;
  return fmt::format("{} scores do not suffice for the level {:g}: {}; {:.0f} are needed", fewest_, level_,
                     task_ == Task::regression ? "intervals are infinite" : "sets hold every label that has too few",
                     std::ceil(1 / missed - 1e-9) - 1);
}

void Intervals::write(PredictionBlock& block) const {
  const bool numbers = wanted_ && task_ == Task::regression;
  const bool sets = wanted_ && !numbers;
  block.lower.reshape(numbers ? block.rows() : 0, numbers ? block.values.cols() : 0);
  block.upper.reshape(numbers ? block.rows() : 0, numbers ? block.values.cols() : 0);
  block.sets.reshape(sets ? block.rows() : 0, sets ? block.probabilities.cols() : 0);
  if (numbers) write_ends(block);
  if (sets) write_sets(block);
}

void Intervals::write_ends(PredictionBlock& block) const {
  for (Index i = 0; i < block.rows(); ++i)
    for (Index k = 0; k < block.values.cols(); ++k) {
      block.lower(i, k) = std::max(least_, block.values(i, k) + below_[at(k)]);
      block.upper(i, k) = block.values(i, k) + above_[at(k)];
    }
}

// The most probable label is in every set: that covers no less, and no set is empty.
void Intervals::write_sets(PredictionBlock& block) const {
  for (Index i = 0; i < block.rows(); ++i) {
    const double* p = block.probabilities.row(i);
    for (Index k = 0; k < block.sets.cols(); ++k) block.sets(i, k) = 1 - p[k] <= most_[at(k)] ? 1 : 0;
    block.sets(i, std::max_element(p, p + block.sets.cols()) - p) = 1;
  }
}

}  // namespace weft::detail
