#include "explain/class_curves.hpp"

#include <gtest/gtest.h>

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
  const auto counts = confusion(scored({0.9, 0.2, 0.8, 0.1}, {true, true, false, false}));
  EXPECT_EQ(counts, (std::vector<std::vector<double>>{{1, 1}, {1, 1}}));
}

}  // namespace
}  // namespace weft
