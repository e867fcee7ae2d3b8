#include "model/conformity.hpp"

#include "core/at.hpp"
#include "model/intervals.hpp"
#include "model/predictor.hpp"

#include <algorithm>
#include <cmath>

namespace weft {

using namespace detail;

namespace detail {

namespace {

constexpr double kRangeOfError = 1;

bool all_finite(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); });
}

}  // namespace

MeasuredLoss measured(const std::vector<double>& losses, double largest) {
  const auto n = static_cast<double>(losses.size());
  MeasuredLoss result{static_cast<Index>(losses.size()), 0, 0, largest};
  for (const double loss : losses) result.mean += loss / n;
  for (const double loss : losses)
    result.variance += (loss - result.mean) * (loss - result.mean) / std::max(1.0, n - 1);
  return result;
}

ConformityRows::ConformityRows(Task task, Index targets, Index classes)
    : task_(task), predictions_(at(targets)), targets_(at(targets)), by_class_(at(classes)) {}

void ConformityRows::add_numbers(const double* predictions, const double* targets) {
  for (std::size_t k = 0; k < targets_.size(); ++k) {
    predictions_[k].push_back(predictions[k]);
    targets_[k].push_back(targets[k]);
  }
}

void ConformityRows::add_class(const double* probabilities, Index predicted, Index truth) {
  by_class_[at(truth)].push_back(1 - probabilities[truth]);
  wrong_ += predicted != truth;
}

MeasuredLoss ConformityRows::squared_loss() const {
  std::vector<double> losses(targets_.front().size());
  double largest = 0;
  const auto outputs = static_cast<double>(targets_.size());
  for (std::size_t k = 0; k < targets_.size(); ++k) {
    const auto [low, high] = std::minmax_element(targets_[k].begin(), targets_[k].end());
    for (std::size_t i = 0; i < losses.size(); ++i) {
      const double error = targets_[k][i] - std::clamp(predictions_[k][i], *low, *high);
      losses[i] += error * error / outputs;
    }
    largest += (*high - *low) * (*high - *low) / outputs;
  }
  return measured(losses, largest);
}

Conformity ConformityRows::finish(ScoredBy by) && {
  Conformity result{by};
  if (task_ == Task::regression) {
    for (std::size_t k = 0; k < targets_.size(); ++k) {
      std::vector<double> residuals;
      for (std::size_t i = 0; i < targets_[k].size(); ++i) residuals.push_back(targets_[k][i] - predictions_[k][i]);
      if (residuals.empty() || !all_finite(residuals)) return {};
      result.tables.emplace_back(std::move(residuals));
    }
    result.loss = squared_loss();
    return result;
  }
  std::vector<double> all;
  for (const std::vector<double>& some : by_class_) all.insert(all.end(), some.begin(), some.end());
  if (all.empty() || !all_finite(all)) return {};
  const auto n = static_cast<double>(all.size());
  const double error = static_cast<double>(wrong_) / n;
  result.loss = {static_cast<Index>(all.size()), error, error * (1 - error) * n / std::max(1.0, n - 1), kRangeOfError};
  result.tables.emplace_back(std::move(all));
  for (std::vector<double>& some : by_class_) result.tables.emplace_back(std::move(some));
  return result;
}

}  // namespace detail

Conformity conformity_of(const Model& model, const Data& rows, const Run& run) {
  const TargetInfo& target = model.target();
  const bool numbers = target.task == Task::regression;
  check_no_quantiles(model);
  if (!numbers) model.check_probabilities("interval");
  ConformityRows gathered(target.task, numbers ? model.outputs() : 0, static_cast<Index>(target.classes.size()));
  model.for_each_prediction(
      rows, {.with_targets = true},
      [&](const PredictionBlock& block) {
        for (Index i = 0; i < block.rows(); ++i) {
          if (!block.weights.empty() && block.weights[at(i)] == 0) continue;
          if (numbers)
            gathered.add_numbers(block.values.row(i), block.targets.row(i));
          else
            gathered.add_class(block.probabilities.row(i), static_cast<Index>(block.values(i, 0)),
                               static_cast<Index>(block.targets(i, 0)));
        }
      },
      run);
  Conformity result = std::move(gathered).finish(ScoredBy::given_rows);
  if (result.empty())
    throw Error(ErrorKind::data, "there are no rows with finite predictions to calibrate intervals on", rows.name(),
                "give labelled rows that the model was not fitted to");
  return result;
}

}  // namespace weft
