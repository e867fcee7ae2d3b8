#include "objective/metric.hpp"

#include <weft/error.hpp>

#include <cmath>

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

TEST(Metric, ErrorAndAreaByHand) {
  Targets targets{Task::binary, Matrix(1, 6), {}};
  Matrix scores(1, 6);
  const double y[] = {1, -1, 1, -1, 1, -1};
  const double s[] = {2, -1, -0.5, -1, 0.5, 0.7};
  for (Index i = 0; i < 6; ++i) {
    targets.y(0, i) = y[i];
    scores(0, i) = s[i];
  }
  const std::vector<Index> fold_of = {0, 0, 0, 1, 1, 1};
  EXPECT_EQ(fold_scores(Metric::error, targets, scores, fold_of, 2, false), (std::vector<double>{1.0 / 3, 1.0 / 3}));
  EXPECT_EQ(fold_scores(Metric::auc, targets, scores, fold_of, 2, false), (std::vector<double>{1.0, 0.5}));
  targets.weights = {1, 1, 2, 1, 1, 4};
  EXPECT_EQ(fold_scores(Metric::error, targets, scores, fold_of, 2, false), (std::vector<double>{0.5, 4.0 / 6}));
}

TEST(Metric, LossOfLogOddsAndLogits) {
  Targets binary{Task::binary, Matrix(1, 2), {}};
  binary.y(0, 0) = 1;
  binary.y(0, 1) = -1;
  Matrix odds(1, 2);
  odds(0, 0) = 0.3;
  odds(0, 1) = 1.1;
  const double expected = (std::log1p(std::exp(-0.3)) + std::log1p(std::exp(1.1))) / 2;
  EXPECT_NEAR(fold_scores(Metric::logloss, binary, odds, std::vector<Index>{0, 0}, 1, true)[0], expected, 1e-15);
  Targets three{Task::multiclass, Matrix(3, 1), {}};
  for (Index k = 0; k < 3; ++k) three.y(k, 0) = k == 1 ? 1 : -1;
  Matrix logits(3, 1);
  logits(0, 0) = 1;
  logits(1, 0) = 800;  // exp would overflow
  logits(2, 0) = 799;
  EXPECT_NEAR(fold_scores(Metric::logloss, three, logits, std::vector<Index>{0}, 1, true)[0],
              std::log1p(std::exp(-1.0)), 1e-12);
}

TEST(Metric, CalibrationOfAFoldDoesNotLookAtIt) {
  // Fold 1's labels are the wrong way round: a sigmoid fitted with them would not be this wrong about them.
  Targets targets{Task::binary, Matrix(1, 40), {}};
  Matrix scores(1, 40);
  std::vector<Index> fold_of;
  for (Index i = 0; i < 40; ++i) {
    const bool positive = i % 2 == 0;
    fold_of.push_back(i < 30 ? 0 : 1);
    targets.y(0, i) = positive ? 1 : -1;
    scores(0, i) = (positive == (i < 30) ? 1 : -1) * (1 + 0.01 * static_cast<double>(i));
  }
  const std::vector<double> loss = fold_scores(Metric::logloss, targets, scores, fold_of, 2, false);
  EXPECT_GT(loss[1], 2);
}

TEST(Metric, GoesWithTheTask) {
  EXPECT_EQ(metric_for(Metric::automatic, Task::regression), Metric::mse);
  EXPECT_EQ(metric_for(Metric::automatic, Task::multiclass), Metric::error);
  EXPECT_THROW(metric_for(Metric::error, Task::regression), Error);
  EXPECT_THROW(metric_for(Metric::auc, Task::multiclass), Error);
  EXPECT_TRUE(better(Metric::auc, 0.9, 0.8));
  EXPECT_TRUE(better(Metric::mse, 0.8, 0.9));
  EXPECT_FALSE(better(Metric::mse, std::nan(""), 0.9));
  EXPECT_TRUE(better(Metric::mse, 0.9, std::nan("")));
}

}  // namespace
}  // namespace weft
