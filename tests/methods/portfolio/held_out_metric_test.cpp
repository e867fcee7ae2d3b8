// Metrics of held-out scores against their definitions.
#include "methods/portfolio/held_out_metric.hpp"

#include <weft/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace weft {

using namespace detail;
namespace {

constexpr double kTargets[] = {1, -1, -1, 1, 1, -1};
constexpr double kScores[] = {0.4, 0.3, -2, -0.5, 3, -1};  // in target units

struct HeldOut {
  TargetScale scale{{0.5}, {2}};  // a score of s stands for 0.5 + 2s
  std::vector<Fold> folds;
  Matrix scores{6, 1};

  HeldOut() {
    LabelledRows held{Matrix(1, 6), Matrix(6, 1), {}};
    for (Index i = 0; i < 6; ++i) {
      held.y(i, 0) = (kTargets[i] - 0.5) / 2;
      scores(i, 0) = (kScores[i] - 0.5) / 2;
    }
    folds.push_back({held, held});
  }
  double loss(Metric metric, Task task = Task::binary) const {
    return HeldOutMetric(metric, task, scale, folds).loss(scores);
  }
};

TEST(HeldOutMetric, CountsErrorsAndPairs) {
  const HeldOut held;
  EXPECT_NEAR(held.loss(Metric::error), 2.0 / 6, 1e-12);  // the second row and the fourth
  // Halves 0, 2, 4 and 1, 3, 5: every pair of the first is in order, and one of the second's two.
  EXPECT_NEAR(held.loss(Metric::auc), 1 - (1 + 0.5) / 2, 1e-12);
}

TEST(HeldOutMetric, SquaredErrorsAreInUnitsOfTheTargetOrOfItsVariance) {
  const HeldOut held;
  double squares = 0;
  for (int i = 0; i < 6; ++i) squares += std::pow(kTargets[i] - kScores[i], 2) / 6;
  EXPECT_NEAR(held.loss(Metric::mse, Task::regression), squares, 1e-12);
  EXPECT_NEAR(held.loss(Metric::automatic), squares / 4, 1e-12);
}

TEST(HeldOutMetric, RefusesAMetricOfAnotherTask) {
  EXPECT_THROW(HeldOut().loss(Metric::auc, Task::regression), Error);
}

}  // namespace
}  // namespace weft
