#include "prune/risk.hpp"

#include "linalg/linear_scores.hpp"
#include "methods/method.hpp"
#include "prune/weight_path.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

namespace {

/// The features that any of the models uses: only these are computed.
struct UsedPart {
  FeatureMap map;
  Matrix coefficients;             // used × (models · outputs)
  std::vector<double> intercepts;  // models · outputs
};

UsedPart used_part(const FeatureMap& map, const std::vector<Pruned>& models) {
  const Index outputs = models.front().coefficients.cols();
  Matrix all(map.features(), static_cast<Index>(models.size()) * outputs);
  std::vector<double> intercepts;
  for (std::size_t k = 0; k < models.size(); ++k) {
    for (Index t = 0; t < all.rows(); ++t)
      std::copy_n(models[k].coefficients.row(t), outputs, all.row(t) + static_cast<Index>(k) * outputs);
    intercepts.insert(intercepts.end(), models[k].intercepts.begin(), models[k].intercepts.end());
  }
  std::vector<Index> used = used_features(all);
  if (used.empty()) used.push_back(0);
  Matrix kept(static_cast<Index>(used.size()), all.cols());
  for (Index i = 0; i < kept.rows(); ++i)
    std::copy_n(all.row(used[static_cast<std::size_t>(i)]), all.cols(), kept.row(i));
  return {map.subset(used), std::move(kept), std::move(intercepts)};
}

}  // namespace

Risk::Risk(const ModelParts& parts, const FitOptions& options, const BlockSource& rows)
    : rows_(rows),
      task_(parts.encoder.target().task),
      softmax_(parts.probabilistic && task_ == Task::multiclass),
      loss_(method_of(options).loss(options, task_)),
      units_(static_cast<std::size_t>(rows.outputs()), 1.0),
      largest_y_(units_.size(), 0.0) {
  read_targets();
}

void Risk::read_targets() {
  std::vector<double> means(units_.size(), 0.0);
  std::vector<double> spreads(units_.size(), 0.0);
  rows_.for_each([&](const TrainingBlock& block) {
    for (Index i = 0; i < block.rows(); ++i) {
      const double weight = block.weights == nullptr ? 1 : block.weights[i];
      if (weight == 0) continue;
      weight_ += weight;
      for (std::size_t o = 0; o < means.size(); ++o) {
        const double y = block.y(static_cast<Index>(o), i);
        const double step = y - means[o];  // Welford's update
        means[o] += weight / weight_ * step;
        spreads[o] += weight * step * (y - means[o]);
        largest_y_[o] = std::max(largest_y_[o], std::abs(y));
      }
    }
    return true;
  });
  for (std::size_t o = 0; o < units_.size(); ++o)
    if (task_ == Task::regression && spreads[o] > 0) units_[o] = weight_ / spreads[o];
}

std::vector<RowMeans> Risk::measure(const FeatureMap& map, const std::vector<Pruned>& models, const Run& run) const {
  const UsedPart part = used_part(map, models);
  const Index outputs = rows_.outputs();
  std::vector<RowMeans> means(models.size());
  Matrix phi;
  Matrix scores;
  rows_.for_each([&](const TrainingBlock& block) {
    phi.reshape(part.map.features(), block.rows());
    part.map.smoothings(block.x, phi.view(), run);
    scores.reshape(part.coefficients.cols(), phi.cols());
    linear_scores(part.coefficients, part.intercepts, phi, scores, run.thread_count());
    for (std::size_t k = 0; k < models.size(); ++k) {
      const View<const double> own = scores.view().row_range(static_cast<Index>(k) * outputs, outputs);
      for (Index i = 0; i < block.rows(); ++i) {
        const double weight = block.weights == nullptr ? 1 : block.weights[i];
        if (weight == 0) continue;
        means[k].risk += weight * loss(own, block.y, i);
        if (task_ != Task::regression && wrong(own, block.y, i)) means[k].error += weight;
      }
    }
    run.report("accept", static_cast<double>(block.first_row + block.rows()), static_cast<double>(rows_.rows()));
    return true;
  });
  for (RowMeans& mean : means) mean = {mean.risk / weight_, mean.error / weight_};
  return means;
}

double Risk::loss(View<const double> scores, View<const double> y, Index row) const {
  double sum = 0;
  if (softmax_) {  // log Σ exp(f) − f of the true class
    double largest = scores(0, row);
    for (Index o = 1; o < scores.rows; ++o) largest = std::max(largest, scores(o, row));
    double truth = 0;
    for (Index o = 0; o < scores.rows; ++o) {
      sum += std::exp(scores(o, row) - largest);
      if (y(o, row) > 0) truth = scores(o, row);
    }
    return largest + std::log(sum) - truth;
  }
  for (Index o = 0; o < scores.rows; ++o)
    sum += units_[static_cast<std::size_t>(o)] * loss_.value(scores(o, row), y(o, row));
  return sum / static_cast<double>(scores.rows);
}

bool Risk::wrong(View<const double> scores, View<const double> y, Index row) const {
  if (task_ == Task::binary) return (scores(0, row) > 0) != (y(0, row) > 0);
  Index guess = 0;
  for (Index o = 1; o < scores.rows; ++o)
    if (scores(o, row) > scores(guess, row)) guess = o;
  return !(y(guess, row) > 0);
}

double Risk::most_change(const std::vector<double>& moves, const std::vector<double>& reach) const {
  double sum = 0;
  if (softmax_) {  // its gradient p − e has at most the length √2
    for (const double move : moves) sum += move * move;
    return std::sqrt(2 * sum);
  }
  for (std::size_t o = 0; o < moves.size(); ++o) sum += units_[o] * loss_.lipschitz(reach[o], largest_y_[o]) * moves[o];
  return sum / static_cast<double>(moves.size());
}

}  // namespace weft::detail
