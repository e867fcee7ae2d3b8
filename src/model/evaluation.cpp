// Measures of quality, gathered in one pass over blocks of predictions, in the order of the rows.
#include <weft/model.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/json_text.hpp"
#include "model/class_measures.hpp"

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
  explicit RegressionMeasure(const TargetInfo& target) : names_(target.names), targets_(target.names.size()) {}

  void add(const PredictionBlock& block) {
    for (Index i = 0; i < block.rows(); ++i)
      for (std::size_t k = 0; k < targets_.size(); ++k)
        targets_[k].add(weight_of(block, i), block.values(i, static_cast<Index>(k)),
                        block.targets(i, static_cast<Index>(k)));
  }

  void finish(Evaluation& result, double, const std::string& place) const {
    check_finite(place);
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

  template <class Measure>
  double mean(Measure&& measure) const {
    double sum = 0;
    for (const TargetErrors& target : targets_) sum += measure(target);
    return sum / static_cast<double>(targets_.size());
  }

  std::vector<std::string> names_;
  std::vector<TargetErrors> targets_;
};

template <class Measure>
Evaluation measure(const Model& model, const Data& data, const DecisionOptions& decision, Measure sums,
                   const Run& run) {
  Evaluation result;
  result.task = model.target().task;
  result.threshold = decision.threshold;
  double total = 0;
  model.for_each_prediction(
      data, {.with_targets = true, .decision = decision},
      [&](const PredictionBlock& block) {
        sums.add(block);
        result.rows += block.rows();
        for (Index i = 0; i < block.rows(); ++i) total += weight_of(block, i);
      },
      run);
  if (result.rows == 0)
    throw Error(ErrorKind::data, "there are no rows to evaluate on", data.name(), "give at least one row");
  if (total == 0)
    throw Error(ErrorKind::data, "every row has weight 0", data.name(), "give at least one row a positive weight");
  sums.finish(result, total, data.name());
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

Evaluation evaluate(const Model& model, const Data& data, const DecisionOptions& decision, const Run& run) {
  const TargetInfo& target = model.target();
  if (target.task == Task::regression) return measure(model, data, decision, RegressionMeasure(target), run);
  return measure(model, data, decision, ClassificationMeasure(target, model.has_probabilities(), run), run);
}

Evaluation evaluate(const Model& model, const Data& data, const Run& run) {
  return evaluate(model, data, DecisionOptions{}, run);
}

std::string Evaluation::to_json() const {
  Json json = {{"task", task_name(task)}, {"rows", rows}};
  for (const auto& [name, value] : kMeasures)
    if (this->*value) json[name] = number_to_json(*(this->*value));
  if (threshold) json["threshold"] = *threshold;
  if (!positive.empty()) json["positive"] = text_to_json(positive);
  if (!classes.empty()) {
    json["classes"] = texts_to_json(classes);
    json["confusion"] = confusion;
  }
  for (std::size_t k = 0; k < per_class.size(); ++k)
    json["per_class"].push_back(class_to_json(classes[k], per_class[k]));
  return json_document(json);
}

}  // namespace weft
