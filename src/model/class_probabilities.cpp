#include "model/class_probabilities.hpp"

#include "core/log_sigmoid.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

namespace {

/// logs ← exp(logs) / Σ exp(logs).
void normalise(Index count, double* logs) {
  const double largest = *std::max_element(logs, logs + count);
  double sum = 0;
  for (Index k = 0; k < count; ++k) sum += logs[k] = std::exp(logs[k] - largest);
  for (Index k = 0; k < count; ++k) logs[k] /= sum;
}

}  // namespace

void class_probabilities(const Calibration& platt, Task task, Index outputs, const double* scores,
                         double* probabilities) {
  const auto log_odds = [&](Index k) {
    const auto output = static_cast<std::size_t>(k);
    return platt.slope.empty() ? scores[k] : -(platt.slope[output] * scores[k] + platt.offset[output]);
  };
  if (task == Task::binary) {
    probabilities[0] = std::exp(log_sigmoid(-log_odds(0)));
    probabilities[1] = std::exp(log_sigmoid(log_odds(0)));
    return;
  }
  // Softmax of the logits, or of the logarithms of the calibrated one-against-rest probabilities.
  for (Index k = 0; k < outputs; ++k) probabilities[k] = platt.slope.empty() ? scores[k] : log_sigmoid(log_odds(k));
  normalise(outputs, probabilities);
}

}  // namespace weft::detail
