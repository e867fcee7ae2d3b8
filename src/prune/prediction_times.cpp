#include "prune/prediction_times.hpp"

#include "core/stopwatch.hpp"
#include "model/predictor.hpp"

#include <algorithm>
#include <limits>

namespace weft::detail {

namespace {

constexpr int kTimingRounds = 3;
constexpr double kTimingSeconds = 0.05;

double seconds_per_row(const ModelParts& parts, const TrainingBlock& block, const Run& run) {
  const Predictor predictor(parts);
  PredictionBlock predictions;
  const Stopwatch clock;
  predictor.predict(block.x, predictions, run);
  return clock.seconds() / static_cast<double>(block.rows());
}

}  // namespace

PredictionTimes prediction_times(const ModelParts& before, const ModelParts& after, const BlockSource& rows,
                                 const Run& run) {
  PredictionTimes times{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  rows.for_each([&](const TrainingBlock& block) {
    const Stopwatch clock;
    for (int round = 0; round < kTimingRounds || clock.seconds() < kTimingSeconds; ++round) {
      times.before = std::min(times.before, seconds_per_row(before, block, run));
      times.after = std::min(times.after, seconds_per_row(after, block, run));
    }
    return false;
  });
  return times;
}

}  // namespace weft::detail
