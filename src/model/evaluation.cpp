// Measures of quality, gathered in one pass over blocks of predictions, in the order of the rows.
#include <weft/model.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/json_text.hpp"
#include "model/class_measures.hpp"
#include "model/evaluation.hpp"

namespace weft {

using namespace detail;

namespace {

double weight_of(const PredictionBlock& block, Index row) {
  return block.weights.empty() ? 1 : block.weights[static_cast<std::size_t>(row)];
}

/// Sums of one regression target.
class TargetErrors {
 public:
  void add(double weight, double prediction, double truth) {
    if (weight == 0) return;
    const double difference = prediction - truth;
    squares_ += weight * difference * difference;
    absolutes_ += weight * std::abs(difference);
    // Welford's update: the variance of targets far from 0 keeps its digits.
    total_ += weight;
    const double step = truth - mean_;
    mean_ += weight / total_ * step;
    spread_ += weight * step * (truth - mean_);
  }
  double mean() const { return mean_; }  ///< of the target
  double mse() const { return squares_ / total_; }
  double mae() const { return absolutes_ / total_; }
  bool constant() const { return spread_ == 0; }
  double r2() const { return 1 - squares_ / spread_; }

 private:
  double total_ = 0;
  double squares_ = 0;
  double absolutes_ = 0;
  double mean_ = 0;
  double spread_ = 0;
};

class RegressionMeasure {
 public:
  RegressionMeasure(const TargetInfo& target, const FittedLoss& loss)
      : names_(target.names), targets_(target.names.size()), loss_(loss) {}

  void add(const PredictionBlock& block) {
    for (Index i = 0; i < block.rows(); ++i)
      for (std::size_t k = 0; k < targets_.size(); ++k) {
        const double truth = block.targets(i, static_cast<Index>(k));
        if (loss_.kind == RegressionLoss::poisson && truth < 0) refuse_count(block.first_row + i, truth, names_[k]);
        add(weight_of(block, i), block.values(i, static_cast<Index>(k)), truth, k);
      }
  }

  void finish(Evaluation& result, double total, const std::string& place) const {
    check_finite(place);
    if (loss_.kind == RegressionLoss::huber) result.huber = losses_ / total;
    if (loss_.kind == RegressionLoss::poisson) add_deviance(result, total);
    result.mse = mean([](const TargetErrors& target) { return target.mse(); });
    result.rmse = mean([](const TargetErrors& target) { return std::sqrt(target.mse()); });
    result.mae = mean([](const TargetErrors& target) { return target.mae(); });
    const bool constant = std::any_of(targets_.begin(), targets_.end(), [](const auto& t) { return t.constant(); });
    if (!constant) result.r2 = mean([](const TargetErrors& target) { return target.r2(); });
  }

 private:
  void check_finite(const std::string& place) const {
    for (std::size_t k = 0; k < targets_.size(); ++k)
      if (!std::isfinite(targets_[k].mse()))
        throw Error(ErrorKind::data,
                    fmt::format("the squared errors of target '{}' are beyond double precision", names_[k]), place,
                    "look for extreme values in the target and in the inputs, and rescale them");
  }

  [[noreturn]] static void refuse_count(Index row, double count, const std::string& name) {
    throw Error(ErrorKind::data,
                fmt::format("row {} has the target {}, and the model is one of counts: 0 or more", row + 1, count),
                fmt::format("target '{}'", name), "leave the row out");
  }

  void add(double weight, double prediction, double truth, std::size_t k) {
    targets_[k].add(weight, prediction, truth);
    if (loss_.kind == RegressionLoss::squared || weight == 0) return;
    losses_ += weight * loss_.value_of_prediction(prediction, truth, static_cast<Index>(k)) /
               static_cast<double>(targets_.size());
    if (loss_.kind == RegressionLoss::poisson && truth > 0)
      logs_ += weight * truth * std::log(truth) / static_cast<double>(targets_.size());
  }

  /// The mean ȳ of a target has half the deviance Σ w (y log(y/ȳ) − y + ȳ) = Σ w y log y − W ȳ log ȳ.
  void add_deviance(Evaluation& result, double total) const {
    const double null = logs_ - total * mean([](const TargetErrors& target) {
                                  return target.mean() > 0 ? target.mean() * std::log(target.mean()) : 0;
                                });
    result.deviance = 2 * losses_ / total;
    if (null > 0) result.deviance_explained = 1 - losses_ / null;
  }

  template <class Measure>
  double mean(Measure&& measure) const {
    double sum = 0;
    for (const TargetErrors& target : targets_) sum += measure(target);
    return sum / static_cast<double>(targets_.size());
  }

  std::vector<std::string> names_;
  std::vector<TargetErrors> targets_;
  FittedLoss loss_;
  double losses_ = 0;  // means over the targets
  double logs_ = 0;    // Σ w y log y
};

class QuantileMeasure {
 public:
  explicit QuantileMeasure(const FittedLoss& loss) : loss_(loss), sums_(loss.quantiles.size()) {}

  void add(const PredictionBlock& block) {
    for (Index i = 0; i < block.rows(); ++i)
      for (std::size_t k = 0; k < sums_.size(); ++k) {
        const double predicted = block.values(i, static_cast<Index>(k));
        const double truth = block.targets(i, 0);
        sums_[k].pinball += weight_of(block, i) * loss_.value(predicted, truth, static_cast<Index>(k));
        if (truth <= predicted) sums_[k].coverage += weight_of(block, i);
      }
  }

  void finish(Evaluation& result, double total, const std::string&) const {
    result.pinball = 0;
    for (std::size_t k = 0; k < sums_.size(); ++k) {
      result.per_quantile.push_back({loss_.quantiles[k], sums_[k].pinball / total, sums_[k].coverage / total});
      *result.pinball += result.per_quantile.back().pinball / static_cast<double>(sums_.size());
    }
  }

 private:
  FittedLoss loss_;
  std::vector<QuantileMeasures> sums_;
};

/// How many targets lie in their intervals or sets, and how large those are.
class CoverageMeasure {
 public:
  explicit CoverageMeasure(const TargetInfo& target)
      : covered_(std::max<std::size_t>(1, target.classes.size())), weights_(covered_.size()) {}

  void add(const PredictionBlock& block) {
    for (Index i = 0; i < block.rows(); ++i)
      for (Index k = 0; k < (block.sets.rows() > 0 ? 1 : block.lower.cols()); ++k) {
        const double weight = weight_of(block, i), target = block.targets(i, k);
        const bool sets = block.sets.rows() > 0;
        const std::size_t group = sets ? static_cast<std::size_t>(target) : 0;
        const bool inside = sets ? block.sets(i, static_cast<Index>(target)) == 1
                                 : block.lower(i, k) <= target && target <= block.upper(i, k);
        weights_[group] += weight;
        covered_[group] += inside ? weight : 0;
        size_ += weight * (sets ? std::accumulate(block.sets.row(i), block.sets.row(i) + block.sets.cols(), 0.0)
                                : block.upper(i, k) - block.lower(i, k));
      }
  }

  void finish(const IntervalOptions& options, Evaluation& result) const {
    if (!options.interval) return;
    const double total = std::accumulate(weights_.begin(), weights_.end(), 0.0);
    result.interval = options.interval;
    result.coverage = std::accumulate(covered_.begin(), covered_.end(), 0.0) / total;
    (result.task == Task::regression ? result.mean_width : result.mean_set_size) = size_ / total;
    for (std::size_t k = 0; k < result.classes.size(); ++k)
      result.class_coverage.push_back(weights_[k] > 0 ? std::optional(covered_[k] / weights_[k]) : std::nullopt);
  }

 private:
  std::vector<double> covered_, weights_;  // by class; numbers: all
  double size_ = 0;
};

template <class Measure>
Evaluation measure(const Model& model, const PredictionStream& predictions, const std::string& name,
                   const PredictOptions& options, Measure sums) {
  Evaluation result;
  result.task = model.target().task;
  result.threshold = options.decision.threshold;
  CoverageMeasure coverage(model.target());
  double total = 0;
  predictions([&](const PredictionBlock& block) {
    sums.add(block);
    coverage.add(block);
    result.rows += block.rows();
    for (Index i = 0; i < block.rows(); ++i) total += weight_of(block, i);
  });
  if (result.rows == 0) throw Error(ErrorKind::data, "there are no rows to evaluate on", name, "give at least one row");
  if (total == 0)
    throw Error(ErrorKind::data, "every row has weight 0", name, "give at least one row a positive weight");
  sums.finish(result, total, name);
  coverage.finish(options.intervals, result);
  return result;
}

Json class_to_json(const std::string& name, const ClassMeasures& measures) {
  Json json = {{"class", text_to_json(name)},
               {"weight", number_to_json(measures.weight)},
               {"precision", number_to_json(measures.precision)},
               {"recall", number_to_json(measures.recall)},
               {"f1", number_to_json(measures.f1)}};
  if (measures.auc) json["auc"] = number_to_json(*measures.auc);
  if (measures.pr_auc) json["pr_auc"] = number_to_json(*measures.pr_auc);
  return json;
}

}  // namespace

Evaluation detail::evaluate_stream(const Model& model, const PredictionStream& predictions, const std::string& name,
                                   const PredictOptions& options, const Run& run) {
  const TargetInfo& target = model.target();
  const FittedLoss& loss = model.parts().loss;
  if (loss.is_quantile()) return measure(model, predictions, name, options, QuantileMeasure(loss));
  if (target.task == Task::regression)
    return measure(model, predictions, name, options, RegressionMeasure(target, loss));
  return measure(model, predictions, name, options, ClassificationMeasure(target, model.has_probabilities(), run));
}

Evaluation evaluate(const Model& model, const Data& data, const PredictOptions& options, const Run& run) {
  PredictOptions with_targets = options;
  with_targets.with_targets = true;
  const auto predictions = [&](const std::function<void(const PredictionBlock&)>& consume) {
    model.for_each_prediction(data, with_targets, consume, run);
  };
  return evaluate_stream(model, predictions, data.name(), options, run);
}

Evaluation evaluate(const Model& model, const Data& data, const DecisionOptions& decision, const Run& run) {
  return evaluate(model, data, PredictOptions{.decision = decision}, run);
}

Evaluation evaluate(const Model& model, const Data& data, const Run& run) {
  return evaluate(model, data, DecisionOptions{}, run);
}

std::string Evaluation::to_json() const {
  Json json = {{"task", task_name(task)}, {"rows", rows}};
  for (const auto& [name, value] : kMeasures)
    if (this->*value) json[name] = number_to_json(*(this->*value));
  if (threshold) json["threshold"] = *threshold;
  if (interval) json["interval"] = *interval;
  for (const std::optional<double>& share : class_coverage) json["class_coverage"].push_back(number_to_json(share));
  if (!positive.empty()) json["positive"] = text_to_json(positive);
  if (!classes.empty()) {
    json["classes"] = texts_to_json(classes);
    json["confusion"] = confusion;
  }
  for (const QuantileMeasures& one : per_quantile)
    json["per_quantile"].push_back({{"quantile", one.quantile},
                                    {"pinball", number_to_json(one.pinball)},
                                    {"coverage", number_to_json(one.coverage)}});
  for (std::size_t k = 0; k < per_class.size(); ++k)
    json["per_class"].push_back(class_to_json(classes[k], per_class[k]));
  return json_document(json);
}

}  // namespace weft
