#include "model/class_measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/memory.hpp"
#include "core/parallel.hpp"

namespace weft::detail {

namespace {

constexpr double kNumbersPerRank = 2;

double quotient(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

/// The mean of those that there are; none without any.
template <class Value>
std::optional<double> mean_of(const std::vector<ClassMeasures>& classes, const Value& value) {
  double sum = 0;
  double count = 0;
  for (const ClassMeasures& one : classes)
    if (const std::optional<double> found = value(one)) {
      sum += *found;
      ++count;
    }
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

}  // namespace

ClassificationMeasure::ClassificationMeasure(const TargetInfo& target, bool probabilities, const Run& run)
    : run_(run),
      classes_(target.classes),
      probabilities_(probabilities),
      confusion_(classes_.size(), std::vector<double>(classes_.size())),
      ranked_(classes_.size() == 2 ? 1 : classes_.size()),
      ranks_left_(MemoryPlan(run).spare() / (kNumbersPerRank * sizeof(double))) {}

void ClassificationMeasure::add(const PredictionBlock& block) {
  if (ranked_.size() > 1) {
    ranks_left_ -= static_cast<double>(block.rows()) * static_cast<double>(ranked_.size());
    if (ranks_left_ < 0) ranked_.clear();
  }
  for (Index i = 0; i < block.rows(); ++i)
    add_row(block, i, block.weights.empty() ? 1 : block.weights[static_cast<std::size_t>(i)]);
}

void ClassificationMeasure::add_row(const PredictionBlock& block, Index row, double weight) {
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
  // One score of two classes has more digits than a probability near 1. Of several, logits of different rows cannot be
  // compared, because a constant added to all logits of a row changes nothing.
  const Matrix& ranks = outputs > 1 && probabilities_ ? block.probabilities : block.scores;
  for (std::size_t k = 0; k < ranked_.size(); ++k)
    ranked_[k].add(weight, ranks(row, static_cast<Index>(k)), truth == (outputs == 1 ? 1 : k));
  if (probabilities_) add_probabilities(block.probabilities.row(row), truth, weight);
}

void ClassificationMeasure::add_probabilities(const double* probabilities, std::size_t truth, double weight) {
  // A probability that underflowed to 0 counts as the smallest positive number, not as an infinite loss.
  logloss_ -= weight * std::log(std::max(probabilities[truth], std::numeric_limits<double>::min()));
  double squares = 0;
  for (std::size_t k = classes_.size() == 2 ? 1 : 0; k < classes_.size(); ++k)
    squares += std::pow(probabilities[k] - (k == truth ? 1 : 0), 2);
  brier_ += weight * squares;
}

std::vector<ClassMeasures> ClassificationMeasure::class_measures() {
  std::vector<ClassMeasures> result(classes_.size());
  for (std::size_t k = 0; k < result.size(); ++k) {
    ClassMeasures& one = result[k];
    double predicted = 0;
    for (const std::vector<double>& row : confusion_) predicted += row[k];
    const double right = confusion_[k][k];
    one.weight = std::accumulate(confusion_[k].begin(), confusion_[k].end(), 0.0);
    one.precision = quotient(right, predicted);
    one.recall = quotient(right, one.weight);
    one.f1 = quotient(2 * right, one.weight + predicted);
  }
  const std::size_t first = result.size() - ranked_.size();  // of two classes the second alone
  parallel_for(static_cast<Index>(ranked_.size()), run_.thread_count(), [&](Index k) {
    RankedScores& ranked = ranked_[static_cast<std::size_t>(k)];
    ClassMeasures& one = result[first + static_cast<std::size_t>(k)];
    one.auc = ranked.area();
    one.pr_auc = ranked.average_precision();
  });
  return result;
}

void ClassificationMeasure::average(const std::vector<ClassMeasures>& classes, Evaluation& result) const {
  std::vector<ClassMeasures> occurring;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    const bool predicted =
        std::any_of(confusion_.begin(), confusion_.end(), [&](const auto& row) { return row[k] > 0; });
    if (classes[k].weight > 0 || predicted) occurring.push_back(classes[k]);
  }
  result.macro_precision = mean_of(occurring, [](const auto& one) { return std::optional(one.precision); });
  result.macro_recall = mean_of(occurring, [](const auto& one) { return std::optional(one.recall); });
  result.macro_f1 = mean_of(occurring, [](const auto& one) { return std::optional(one.f1); });
  result.macro_auc = mean_of(occurring, [](const auto& one) { return one.auc; });
  result.macro_pr_auc = mean_of(occurring, [](const auto& one) { return one.pr_auc; });
}

void ClassificationMeasure::finish(Evaluation& result, double total, const std::string&) {
  double right = 0;
  for (std::size_t k = 0; k < confusion_.size(); ++k) right += confusion_[k][k];
  result.accuracy = right / total;
  result.error = wrong_ / total;
  result.mse = squares_ / total;
  if (probabilities_) {
    result.logloss = logloss_ / total;
    result.brier = brier_ / total;
  }
  const std::vector<ClassMeasures> classes = class_measures();
  result.balanced_accuracy =
      mean_of(classes, [](const auto& one) { return one.weight > 0 ? std::optional(one.recall) : std::nullopt; });
  if (classes.size() == 2) {
    const ClassMeasures& positive = classes[1];
    result.positive = classes_[1];
    result.precision = positive.precision;
    result.recall = positive.recall;
    result.f1 = positive.f1;
    result.auc = positive.auc;
    result.pr_auc = positive.pr_auc;
  } else {
    average(classes, result);
    result.per_class = classes;
  }
  result.classes = classes_;
  result.confusion = confusion_;
}

}  // namespace weft::detail
