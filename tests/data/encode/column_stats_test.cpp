#include "data/encode/column_stats.hpp"

#include "core/random.hpp"
#include "data/memory_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace weft {

using namespace detail;
namespace {

using testing::kMissing;

TEST(Moments, OfASmallTableByHand) {
  const double values[] = {2, 4, kMissing, 4, 6};
  const Moments moments = Moments::of(values, 5);
  EXPECT_EQ(moments.count, 4);
  EXPECT_EQ(moments.mean, 4);
  EXPECT_EQ(moments.m2, 8);
  EXPECT_EQ(moments.variance(), 2);
  EXPECT_EQ(moments.min, 2);
  EXPECT_EQ(moments.max, 6);
}

TEST(Moments, MergeAgreesWithLongDoubleDespiteALargeMean) {
  const Random random(1, RandomStream::fit);
  std::vector<double> values;
  for (std::uint64_t i = 0; i < 10000; ++i) values.push_back(1e8 + random.normal(i));
  Moments merged;
  for (Index first = 0; first < 10000; first += 777)
    merged.merge(Moments::of(&values[static_cast<std::size_t>(first)], std::min<Index>(777, 10000 - first)));
  long double mean = 0;
  for (const double value : values) mean += value;
  mean /= 10000;
  long double m2 = 0;
  for (const double value : values) m2 += (value - mean) * (value - mean);
  EXPECT_EQ(merged.count, 10000);
  EXPECT_NEAR(merged.mean, static_cast<double>(mean), 1e-7);
  // The values themselves carry an error of 1e8 · 2^-53; the naive Σx² - (Σx)²/m would be off by more than 1.
  EXPECT_NEAR(merged.m2 / static_cast<double>(m2), 1, 1e-9);
  EXPECT_EQ(merged.min, *std::min_element(values.begin(), values.end()));
}

TEST(Moments, MergeWithNothingChangesNothing) {
  const double values[] = {1, 3};
  Moments moments = Moments::of(values, 2);
  moments.merge(Moments::of(&kMissing, 1));
  EXPECT_EQ(moments.count, 2);
  EXPECT_EQ(moments.mean, 2);
  Moments empty;
  empty.merge(moments);
  EXPECT_EQ(empty.m2, 2);
}

TEST(Moments, TheMeanOfAConstantIsExact) {
  const std::vector<double> values(1000, 0.1);
  EXPECT_EQ(Moments::of(values.data(), 1000).mean, 0.1);
  EXPECT_EQ(Moments::of(values.data(), 1000).m2, 0);
}

TEST(Sample, KeepsEverythingThatFits) {
  ColumnStats stats(false);
  const double values[] = {3, 1, kMissing, 2, 2};
  stats.add(values, 5, plan_sample(0, 5, 5));
  EXPECT_EQ(stats.sorted_sample(), (std::vector<double>{1, 2, 2, 3}));
}

TEST(Sample, IsUniformOverTheRowsAndIndependentOfThePieces) {
  const Index rows = 100000;
  std::vector<double> values(static_cast<std::size_t>(rows));
  std::iota(values.begin(), values.end(), 0.0);
  ColumnStats whole(false);
  whole.add(values.data(), rows, plan_sample(0, rows, 1000));
  ColumnStats pieces(false);
  for (Index first = 0; first < rows; first += 333) {
    const Index count = std::min<Index>(333, rows - first);
    pieces.add(&values[static_cast<std::size_t>(first)], count, plan_sample(first, count, 1000));
  }
  const std::vector<double> kept = whole.sorted_sample();
  EXPECT_EQ(kept, pieces.sorted_sample());
  ASSERT_EQ(kept.size(), 1000u);
  EXPECT_EQ(std::adjacent_find(kept.begin(), kept.end()), kept.end());
  // Kolmogorov's statistic stays below 1.63/√1000 with probability 0.99 for a uniform sample.
  double distance = 0;
  for (std::size_t k = 0; k < kept.size(); ++k)
    distance =
        std::max(distance, std::abs(kept[k] / static_cast<double>(rows) - (static_cast<double>(k) + 0.5) / 1000));
  EXPECT_LT(distance, 1.63 / std::sqrt(1000));
}

TEST(ColumnStats, CountsCodes) {
  ColumnStats stats(true);
  const double codes[] = {0, 2, kMissing, 2};
  stats.add(codes, 4);
  stats.add(codes, 2);
  EXPECT_EQ(stats.code_counts(), (std::vector<Index>{2, 0, 3}));
  EXPECT_EQ(stats.present(), 5);
}

}  // namespace
}  // namespace weft
