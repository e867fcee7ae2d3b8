#include "methods/portfolio/held_out_metric.hpp"

#include "core/at.hpp"
#include "methods/local/held_out.hpp"

#include <numeric>

namespace weft::detail {

namespace {

constexpr Index kHalves = 2;  // the log loss calibrates the scores of one with those of the other

}  // namespace

HeldOutMetric::HeldOutMetric(Metric asked, Task task, const TargetScale& scale, std::span<const Fold> folds)
    : metric_(asked), scale_(scale), folds_(folds) {
  if (asked == Metric::automatic) return;
  metric_ = metric_for(asked, task);
  targets_ = {task, Matrix(folds.front().held.outputs(), held_rows(folds)), {}};
  Index row = 0;
  for (const Fold& fold : folds)
    for (Index i = 0; i < fold.held.rows(); ++i, ++row) {
      fold_of_.push_back(row % kHalves);
      targets_.weights.push_back(fold.held.weight(i));
      for (Index o = 0; o < targets_.outputs(); ++o) targets_.y(o, row) = in_target_units(fold.held.y(i, o), o);
    }
}

double HeldOutMetric::loss(const Matrix& held_scores) const {
  if (metric_ == Metric::automatic) return held_out_error(folds_, held_scores);
  Matrix scores(held_scores.cols(), held_scores.rows());
  for (Index i = 0; i < held_scores.rows(); ++i)
    for (Index o = 0; o < held_scores.cols(); ++o) scores(o, i) = in_target_units(held_scores(i, o), o);
  const std::vector<double> each = fold_scores(metric_, targets_, scores, fold_of_, kHalves, false);
  const double mean = std::accumulate(each.begin(), each.end(), 0.0) / static_cast<double>(each.size());
  return larger_is_better(metric_) ? 1 - mean : mean;
}

double HeldOutMetric::in_target_units(double scaled, Index output) const {
  return scale_.mean[at(output)] + scale_.deviation[at(output)] * scaled;
}

}  // namespace weft::detail
