#include "methods/scored_rows.hpp"

#include "core/at.hpp"
#include "model/class_probabilities.hpp"
#include "model/conformity.hpp"
#include "objective/platt.hpp"

#include <algorithm>

namespace weft::detail {

namespace {

std::vector<std::uint8_t> positive_rows(const std::vector<double>& codes) {
  std::vector<std::uint8_t> marks;
  for (const double code : codes) marks.push_back(code > 0 ? 1 : 0);
  return marks;
}

/// Of scores or of codes ±1.
Index class_of(const std::vector<double>& outputs) {
  return outputs.size() == 1 ? Index{outputs[0] > 0}
                             : std::max_element(outputs.begin(), outputs.end()) - outputs.begin();
}

}  // namespace

void ScoredRows::add(const TrainingBlock& block, Index row, Index output, double score) {
  scores[at(output)].push_back(score);
  targets[at(output)].push_back(block.y(output, row));
}

void ScoredRows::add_weights(const TrainingBlock& block) {
  if (block.weights != nullptr) weights.insert(weights.end(), block.weights, block.weights + block.rows());
}

void ScoredRows::gather(const RowShare* share) {
  for (auto* columns : {&scores, &targets})
    for (std::vector<double>& column : *columns) detail::gather(share, column);
  detail::gather(share, weights);
}

Calibration ScoredRows::sigmoids() const {
  Calibration calibration;
  for (std::size_t o = 0; o < scores.size(); ++o) {
    const Sigmoid sigmoid = fit_sigmoid(scores[o], positive_rows(targets[o]), weights);
    calibration.slope.push_back(sigmoid.slope);
    calibration.offset.push_back(sigmoid.offset);
  }
  return calibration;
}

Calibration ScoredRows::common_sigmoid() const {
  std::vector<double> all, all_weights;
  std::vector<std::uint8_t> marks;
  for (std::size_t o = 0; o < scores.size(); ++o) {
    all.insert(all.end(), scores[o].begin(), scores[o].end());
    const std::vector<std::uint8_t> positive = positive_rows(targets[o]);
    marks.insert(marks.end(), positive.begin(), positive.end());
    all_weights.insert(all_weights.end(), weights.begin(), weights.end());
  }
  const bool symmetric = scores.size() == 1;
  if (symmetric) {  // every row and its mirror image: the best offset is 0
    for (const double score : scores[0]) all.push_back(-score);
    for (const double target : targets[0]) marks.push_back(target > 0 ? 0 : 1);
    all_weights.insert(all_weights.end(), weights.begin(), weights.end());
  }
  const Sigmoid sigmoid = fit_sigmoid(all, marks, all_weights);
  // A slope above 0 would contradict the scores: they then say nothing.
  const double slope = std::min(0.0, sigmoid.slope);
  return {std::vector<double>(scores.size(), slope),
          std::vector<double>(scores.size(), symmetric ? 0 : sigmoid.offset)};
}

Conformity ScoredRows::conformity(Task task, const Calibration& calibration, const FittedLoss& loss,
                                  ScoredBy by) const {
  const auto outputs = static_cast<Index>(scores.size());
  const bool numbers = task == Task::regression;
  const Index classes = numbers ? 0 : std::max<Index>(2, outputs);
  ConformityRows gathered(task, numbers ? outputs : 0, classes);
  std::vector<double> score(scores.size()), prediction(scores.size()), target(scores.size()),
      probabilities(at(classes));
  for (std::size_t i = 0; i < rows(); ++i) {
    if (!weights.empty() && !(weights[i] > 0)) continue;
    for (std::size_t o = 0; o < scores.size(); ++o) {
      score[o] = scores[o][i];
      target[o] = targets[o][i];
    }
    if (numbers) {
      loss.predict(outputs, score.data(), prediction.data());
      gathered.add_numbers(prediction.data(), target.data());
      continue;
    }
    class_probabilities(calibration, task, outputs, score.data(), probabilities.data());
    gathered.add_class(probabilities.data(), class_of(score), class_of(target));
  }
  return std::move(gathered).finish(by);
}

}  // namespace weft::detail
