// Measures of quality, gathered in one pass over blocks of predictions, in the order of the rows.
#include <weft/model.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/json_text.hpp"
#include "model/ranked_scores.hpp"

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
  explicit RegressionMeasure(const Model& model) : targets_(static_cast<std::size_t>(model.outputs())) {}

  void add(const PredictionBlock& block) {
    for (Index i = 0; i < block.rows(); ++i)
      for (std::size_t k = 0; k < targets_.size(); ++k)
        targets_[k].add(weight_of(block, i), block.values(i, static_cast<Index>(k)),
                        block.targets(i, static_cast<Index>(k)));
  }

  void finish(Evaluation& result, double) const {
    result.mse = mean([](const TargetErrors& target) { return target.mse(); });
    result.rmse = mean([](const TargetErrors& target) { return std::sqrt(target.mse()); });
    result.mae = mean([](const TargetErrors& target) { return target.mae(); });
    const bool constant = std::any_of(targets_.begin(), targets_.end(), [](const auto& t) { return t.constant(); });
    if (!constant) result.r2 = mean([](const TargetErrors& target) { return target.r2(); });
  }

 private:
  template <class Measure>
  double mean(Measure&& measure) const {
    double sum = 0;
    for (const TargetErrors& target : targets_) sum += measure(target);
    return sum / static_cast<double>(targets_.size());
  }

  std::vector<TargetErrors> targets_;
};

class ClassificationMeasure {
 public:
  explicit ClassificationMeasure(const Model& model)
      : classes_(model.target().classes),
        probabilities_(model.has_probabilities()),
        confusion_(classes_.size(), std::vector<double>(classes_.size())) {}

  void add(const PredictionBlock& block) {
    for (Index i = 0; i < block.rows(); ++i) add_row(block, i, weight_of(block, i));
  }

  void finish(Evaluation& result, double total) {
    double right = 0;
    for (std::size_t k = 0; k < confusion_.size(); ++k) right += confusion_[k][k];
    result.accuracy = right / total;
    result.error = wrong_ / total;
    result.mse = squares_ / total;
    if (probabilities_) result.logloss = logloss_ / total;
    if (classes_.size() == 2) result.auc = ranked_.area();
    result.classes = classes_;
    result.confusion = confusion_;
  }

 private:
  void add_row(const PredictionBlock& block, Index row, double weight) {
    const auto truth = static_cast<std::size_t>(block.targets(row, 0));
    const auto guess = static_cast<std::size_t>(block.values(row, 0));
    confusion_[truth][guess] += weight;
    if (truth != guess) wrong_ += weight;
    const Index outputs = block.scores.cols();
    double squares = 0;
    for (Index k = 0; k < outputs; ++k) {
      const bool is_class = truth == (outputs == 1 ? 1 : static_cast<std::size_t>(k));
      const double difference = block.scores(row, k) - (is_class ? 1 : -1);
      squares += difference * difference;
    }
    squares_ += weight * squares / static_cast<double>(outputs);
    if (outputs == 1) ranked_.add(weight, block.scores(row, 0), truth == 1);
    if (probabilities_) {
      // A probability that underflowed to 0 counts as the smallest positive number, not as an infinite loss.
      const double probability = block.probabilities(row, static_cast<Index>(truth));
      logloss_ -= weight * std::log(std::max(probability, std::numeric_limits<double>::min()));
    }
  }

  std::vector<std::string> classes_;
  bool probabilities_;
  std::vector<std::vector<double>> confusion_;
  RankedScores ranked_;
  double wrong_ = 0;
  double squares_ = 0;
  double logloss_ = 0;
};

template <class Measure>
Evaluation measure(const Model& model, const Data& data, const Run& run) {
  Evaluation result;
  result.task = model.target().task;
  Measure sums(model);
  double total = 0;
  model.for_each_prediction(
      data, {.with_targets = true},
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
  sums.finish(result, total);
  return result;
}

}  // namespace

Evaluation evaluate(const Model& model, const Data& data, const Run& run) {
  return model.target().task == Task::regression ? measure<RegressionMeasure>(model, data, run)
                                                 : measure<ClassificationMeasure>(model, data, run);
}

std::string Evaluation::to_json() const {
  Json json = {{"task", task_name(task)}, {"rows", rows}};
  for (const auto& [name, value] : kMeasures)
    if (this->*value) json[name] = number_to_json(*(this->*value));
  if (!classes.empty()) {
    json["classes"] = texts_to_json(classes);
    json["confusion"] = confusion;
  }
  return json_document(json);
}

}  // namespace weft
