#include "data/encode/scaler.hpp"

#include <gtest/gtest.h>

#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "data/expect_error.hpp"

namespace weft {

using namespace detail;
namespace {

double cdf(double z) {
  return std::erfc(-z / std::sqrt(2.0)) / 2;
}

Scaler fitted(Scaling scale, const std::vector<double>& values) {
  const auto count = static_cast<Index>(values.size());
  ColumnStats stats(false);
  stats.add(values.data(), count, plan_sample(0, count, 20000));
  return Scaler::for_numbers(scale, stats, "c");
}

// Largest distance between the empirical cdf of the scaled values and the normal cdf.
double distance_to_normal(const Scaler& scaler, std::vector<double> values) {
  scaler.apply(values.data(), static_cast<Index>(values.size()));
  std::sort(values.begin(), values.end());
  double distance = 0;
  const auto count = static_cast<double>(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    // Between the clipped ends: what lies beyond has at most rank 1/2002.
    distance = std::max({distance, std::abs(cdf(values[k]) - static_cast<double>(k) / count),
                         std::abs(cdf(values[k]) - static_cast<double>(k + 1) / count)});
  }
  return distance;
}

void expect_monotone(const Scaler& scaler, double low, double high) {
  double before = scaler(low);
  for (int i = 1; i <= 100000; ++i) {
    const double z = scaler(low + (high - low) * i / 100000);
    ASSERT_GE(z, before) << i;
    before = z;
  }
}

TEST(Scaler, AffineScalesByHand) {
  const std::vector<double> values = {1, 3, 3, 5};
  EXPECT_NEAR(fitted(Scaling::standard, values)(5), 2 / std::sqrt(2.0), 1e-15);
  EXPECT_EQ(fitted(Scaling::standard, values)(3), 0);
  EXPECT_EQ(fitted(Scaling::minmax, values)(1), -1);
  EXPECT_EQ(fitted(Scaling::minmax, values)(5), 1);
  EXPECT_EQ(fitted(Scaling::minmax, values)(4), 0.5);
  EXPECT_EQ(fitted(Scaling::none, values)(5), 5);
}

TEST(Scaler, AConstantColumnIsZeroWhateverComesLater) {
  for (const Scaling scale : {Scaling::standard, Scaling::minmax, Scaling::quantile}) {
    const Scaler scaler = fitted(scale, {0.1, 0.1, 0.1});
    EXPECT_EQ(scaler(0.1), 0) << name_of(scale);
    EXPECT_EQ(scaler(1e6), 0) << name_of(scale);
  }
}

TEST(Scaler, ASpreadBeyondDoublesIsAnErrorThatNamesTheColumn) {
  for (const Scaling scale : {Scaling::standard, Scaling::minmax, Scaling::quantile})
    testing::expect_error([&] { fitted(scale, {-1e308, 1e308}); }, ErrorKind::data, {"'c'", "drop c"});
}

TEST(Scaler, RankToNormalUsesMidranks) {
  const boost::math::normal normal;
  const Scaler scaler = rank_to_normal({1, 2, 2, 2, 5});
  EXPECT_DOUBLE_EQ(scaler(1), quantile(normal, 0.1));
  EXPECT_NEAR(scaler(2), 0, 1e-15);
  EXPECT_DOUBLE_EQ(scaler(5), quantile(normal, 0.9));
  EXPECT_DOUBLE_EQ(scaler(3.5), quantile(normal, 0.9) / 2);
  EXPECT_EQ(scaler(-100), scaler(1));
  EXPECT_EQ(scaler(100), scaler(5));
}

TEST(Scaler, RankToNormalMakesContinuousColumnsNormal) {
  const Random random(3, RandomStream::fit);
  std::vector<double> normals;
  std::vector<double> exponentials;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    normals.push_back(5 + 2 * random.normal(i));
    exponentials.push_back(-std::log(1 - random.uniform(i)));
  }
  for (const auto& values : {normals, exponentials}) {
    const Scaler scaler = fitted(Scaling::quantile, values);
    EXPECT_LE(static_cast<Index>(scaler.values().size()), kMaxKnots);
    EXPECT_LT(distance_to_normal(scaler, values), 0.0015);
    expect_monotone(scaler, -5, 15);
    EXPECT_NEAR(scaler(1e9), 3.29, 0.02);
    EXPECT_NEAR(scaler(-1e9), -3.29, 0.02);
  }
  const Scaler scaler = fitted(Scaling::quantile, normals);
  for (const double z : {-2.0, -1.0, 0.0, 1.0, 2.0}) EXPECT_NEAR(scaler(5 + 2 * z), z, 0.05);
}

TEST(Scaler, RankToNormalOfASampleFitsTheRowsItDidNotSee) {
  const Random random(4, RandomStream::fit);
  std::vector<double> values;
  for (std::uint64_t i = 0; i < 200000; ++i) values.push_back(random.cauchy(i));
  const Scaler scaler = fitted(Scaling::quantile, values);
  // Three times the typical distance 1/√20000 of a sample.
  EXPECT_LT(distance_to_normal(scaler, values), 3 / std::sqrt(20000.0));
}

TEST(Scaler, RankToNormalKeepsAtomsAndTheirNeighbours) {
  // Half zeros, half exponential.
  const Random random(5, RandomStream::fit);
  std::vector<double> values;
  std::vector<double> positive;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const double value = random.uniform(i, 1) < 0.5 ? 0 : -std::log(1 - random.uniform(i));
    values.push_back(value);
    if (value > 0) positive.push_back(value);
  }
  const Scaler scaler = fitted(Scaling::quantile, values);
  const double zeros = 1 - static_cast<double>(positive.size()) / 20000;
  EXPECT_NEAR(cdf(scaler(0)), zeros / 2, 1e-12);
  expect_monotone(scaler, -1, 12);
  std::sort(positive.begin(), positive.end());
  // All but the lowest two thousandths, which lie between the atom's middle and its upper end.
  for (std::size_t k = 40; k < positive.size(); ++k)
    ASSERT_NEAR(cdf(scaler(positive[k])), zeros + static_cast<double>(k) / 20000, 0.002) << k;
}

TEST(Scaler, RankToNormalOfTiedIntegersIsTheMiddleOfTheirRanks) {
  const Random random(6, RandomStream::fit);
  std::vector<double> values;
  for (std::uint64_t i = 0; i < 20000; ++i) values.push_back(static_cast<double>(random.below(7, i)));
  const Scaler scaler = fitted(Scaling::quantile, values);
  ASSERT_EQ(scaler.values().size(), 7u);
  for (int k = 0; k < 7; ++k) {
    double middle = 0;
    for (const double value : values) middle += value < k ? 1 : value == k ? 0.5 : 0;
    EXPECT_NEAR(cdf(scaler(k)), middle / 20000, 1e-12);
  }
}

TEST(Scaler, OneHotRule) {
  EXPECT_NEAR(Scaler::for_one_hot(Scaling::standard, 0.2)(1), 0.8 / 0.4, 1e-15);
  EXPECT_NEAR(Scaler::for_one_hot(Scaling::standard, 0.2)(0), -0.2 / 0.4, 1e-15);
  EXPECT_EQ(Scaler::for_one_hot(Scaling::minmax, 0.2)(0), -1);
  EXPECT_EQ(Scaler::for_one_hot(Scaling::minmax, 0.2)(1), 1);
  EXPECT_EQ(Scaler::for_one_hot(Scaling::none, 0.2)(1), 1);
  EXPECT_NEAR(Scaler::for_one_hot(Scaling::quantile, 0.2)(1), 0.8 / 0.4, 1e-15);
  // Standard deviation 0.01 is floored at 0.1.
  EXPECT_NEAR(Scaler::for_one_hot(Scaling::quantile, 1e-4)(1), 0.9999 / 0.1, 1e-12);
  EXPECT_NEAR(Scaler::for_one_hot(Scaling::quantile, 1e-4)(0), -1e-4 / 0.1, 1e-15);
  for (const Scaling scale : {Scaling::standard, Scaling::minmax, Scaling::quantile}) {
    EXPECT_EQ(Scaler::for_one_hot(scale, 1)(1), 0);
    EXPECT_EQ(Scaler::for_one_hot(scale, 1)(0), 0);
  }
}

}  // namespace
}  // namespace weft
