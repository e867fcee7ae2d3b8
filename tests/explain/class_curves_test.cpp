#include "explain/class_curves.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace weft {

using namespace detail;
namespace {

/// Two classes by their scores; rows of the second class are marked.
HeldOut scored(const std::vector<double>& scores, const std::vector<bool>& second) {
  const auto rows = static_cast<Index>(scores.size());
  HeldOut result{.target = {.task = Task::binary, .names = {"t"}, .classes = {"no", "yes"}},
                 .scores = Matrix(rows, 1),
                 .values = Matrix(rows, 1),
                 .probabilities = Matrix(rows, 2),
                 .targets = Matrix(rows, 1),
                 .weights = std::vector<double>(scores.size(), 1.0)};
  for (Index i = 0; i < rows; ++i) {
    const auto k = static_cast<std::size_t>(i);
    result.scores(i, 0) = scores[k];
    result.values(i, 0) = scores[k] > 0.5 ? 1 : 0;
    result.probabilities(i, 1) = scores[k];
    result.targets(i, 0) = second[k] ? 1 : 0;
  }
  return result;
}

TEST(ClassCurves, RocHasOnePointPerDistinctScore) {
  const std::vector<RocPoint> curve = roc_curve(scored({0.9, 0.8, 0.8, 0.1}, {true, true, false, false}), 1);
  ASSERT_EQ(curve.size(), 4U);
  EXPECT_EQ(curve[1].false_positive_rate, 0);
  EXPECT_EQ(curve[1].true_positive_rate, 0.5);
  EXPECT_EQ(curve[2].false_positive_rate, 0.5);
  EXPECT_EQ(curve[2].true_positive_rate, 1);
  EXPECT_EQ(curve[3].false_positive_rate, 1);
  EXPECT_TRUE(roc_curve(scored({0.9, 0.8}, {true, true}), 1).empty());
}

TEST(ClassCurves, CalibrationComparesProbabilitiesWithFrequencies) {
  const auto bins = calibration_bins(scored({0.9, 0.2, 0.8, 0.1}, {true, false, false, false}), 2);
  ASSERT_EQ(bins.size(), 2U);
  EXPECT_DOUBLE_EQ(bins[0].predicted, 0.15);
  EXPECT_EQ(bins[0].observed.value, 0);
  EXPECT_DOUBLE_EQ(bins[1].predicted, 0.85);
  EXPECT_EQ(bins[1].observed.value, 0.5);
}

TEST(ClassCurves, ConfusionCountsByTrueAndPredictedClass) {
  const auto counts = class_evaluation(scored({0.9, 0.2, 0.8, 0.1}, {true, true, false, false})).confusion;
  EXPECT_EQ(counts, (std::vector<std::vector<double>>{{1, 1}, {1, 1}}));
}

TEST(ClassCurves, LogitsOfSeveralClassesAreRankedByTheirProbabilities) {
  // A constant added to the logits of a row says nothing: areas are scikit-learn's of the softmax, which is the same
  // for every choice of these constants. The raw logits would give 0.870, 0.719 and 0.286.
  const double logits[12][3] = {{2, 1, 0.1}, {9, 9.5, 8}, {0, 0, 1.5}, {-3, -2, -2.5}, {0.3, 0.2, 0.1}, {5, 4, 6},
                                {1, 1, 3},   {-1, 2, 0},  {7, 7, 6.5}, {0, 0.5, 0.4},  {2, 2.2, 2.1},   {-5, -6, -4}};
  const int truth[12] = {0, 1, 2, 2, 1, 0, 2, 1, 0, 2, 1, 2};
  HeldOut rows{.target = {.task = Task::multiclass, .names = {"t"}, .classes = {"a", "b", "c"}},
               .scores = Matrix(12, 3),
               .values = Matrix(12, 1),
               .probabilities = Matrix(12, 3),
               .targets = Matrix(12, 1),
               .weights = std::vector<double>(12, 1.0)};
  for (Index i = 0; i < 12; ++i) {
    // Two rows have the same probabilities: taking the largest logit away keeps them equal.
    const double largest = *std::max_element(logits[i], logits[i] + 3);
    double sum = 0;
    for (Index k = 0; k < 3; ++k) sum += std::exp(logits[i][k] - largest);
    for (Index k = 0; k < 3; ++k) {
      rows.scores(i, k) = logits[i][k];
      rows.probabilities(i, k) = std::exp(logits[i][k] - largest) / sum;
    }
    rows.targets(i, 0) = truth[i];
  }
  EXPECT_NEAR(roc_area(rows, 0)->value, 0.8703703703703703, 1e-12);
  EXPECT_NEAR(roc_area(rows, 1)->value, 0.8125, 1e-12);
  EXPECT_NEAR(roc_area(rows, 2)->value, 0.9, 1e-12);
  // The curve encloses the same area.
  double area = 0;
  const std::vector<RocPoint> curve = roc_curve(rows, 2);
  for (std::size_t i = 1; i < curve.size(); ++i)
    area += (curve[i].false_positive_rate - curve[i - 1].false_positive_rate) *
            (curve[i].true_positive_rate + curve[i - 1].true_positive_rate) / 2;
  EXPECT_NEAR(area, 0.9, 1e-12);
}

}  // namespace
}  // namespace weft
