#include <weft/encoder.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "data/expect_error.hpp"

namespace weft {
namespace {

std::vector<Index> uneven_classes(Index rows) {
  std::vector<Index> classes;
  for (Index i = 0; i < rows; ++i) classes.push_back(i % 10 == 0 ? 2 : i % 3 == 0 ? 0 : 5);
  return classes;
}

TEST(Split, HoldsOutExactlyTheShare) {
  for (const Index rows : {3, 10, 101, 1000})
    for (const double holdout : {0.25, 0.29, 0.5, 0.7}) {
      const auto held_out = split(rows, {}, {.holdout = holdout, .seed = 3});
      EXPECT_EQ(std::accumulate(held_out.begin(), held_out.end(), Index{0}),
                std::llround(holdout * static_cast<double>(rows)));
    }
}

TEST(Split, IsStratifiedUpToRounding) {
  const Index rows = 997;
  const auto classes = uneven_classes(rows);
  for (const double holdout : {0.1, 0.25, 1.0 / 3}) {
    const auto held_out = split(rows, classes, {.holdout = holdout, .seed = 1});
    std::map<Index, double> size;
    std::map<Index, double> held;
    for (std::size_t i = 0; i < classes.size(); ++i) {
      ++size[classes[i]];
      held[classes[i]] += held_out[i];
    }
    double total = 0;
    for (const auto& [label, count] : size) {
      EXPECT_LT(std::abs(held[label] - holdout * count), 1) << label;
      total += held[label];
    }
    EXPECT_EQ(total, std::round(holdout * static_cast<double>(rows)));
  }
}

TEST(Split, IsAFunctionOfTheSeed) {
  EXPECT_EQ(split(500, {}, {.seed = 1}), split(500, {}, {.seed = 1}));
  EXPECT_NE(split(500, {}, {.seed = 1}), split(500, {}, {.seed = 2}));
}

TEST(Split, EveryRowIsEquallyLikely) {
  std::vector<double> times(40);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const auto held_out = split(40, {}, {.holdout = 0.25, .seed = seed});
    for (std::size_t i = 0; i < 40; ++i) times[i] += held_out[i];
  }
  // Five standard deviations of a binomial(2000, 1/4).
  for (const double count : times) EXPECT_NEAR(count, 500, 5 * std::sqrt(2000 * 0.25 * 0.75));
}

TEST(Split, RefusesWhatCannotBe) {
  using testing::expect_error;
  for (const double holdout : {0.0, 1.0, -0.5, 2.0, std::nan("")})
    expect_error([&] { split(10, {}, {.holdout = holdout}); }, ErrorKind::option, {"holdout"});
  expect_error([] { split(10, {}, {.holdout = 0.01}); }, ErrorKind::option, {"holdout", "10 rows"});
  expect_error([] { split(10, {0, 1}, {}); }, ErrorKind::data, {"2 class labels for 10 rows"});
  expect_error([] { assign_folds(10, {}, 1, 1); }, ErrorKind::option, {"folds"});
  expect_error([] { assign_folds(10, {}, 11, 1); }, ErrorKind::option, {"11 folds", "folds"});
}

TEST(Split, ChoosesAsManyLabelledRowsOfEveryClass) {
  const auto classes = uneven_classes(400);
  const auto chosen = choose_labelled(classes, 3, 2);
  std::map<Index, int> count;
  for (std::size_t i = 0; i < classes.size(); ++i) count[classes[i]] += chosen[i];
  for (const auto& [label, rows] : count) EXPECT_EQ(rows, 3) << label;
  EXPECT_EQ(chosen, choose_labelled(classes, 3, 2));
  EXPECT_NE(chosen, choose_labelled(classes, 3, 3));
  testing::expect_error(
      [] {
        choose_labelled({0, 0, 0, 1}, 2, 1);
      },
      ErrorKind::option, {"labels_per_class", "has 1 rows", "at most 1"});
}

TEST(Folds, AreBalancedAndStratified) {
  const Index rows = 1003;
  const auto classes = uneven_classes(rows);
  for (const Index folds : {2, 5, 7}) {
    const auto fold = assign_folds(rows, classes, folds, 4);
    std::vector<Index> size(static_cast<std::size_t>(folds));
    std::map<Index, std::vector<Index>> per_class;
    for (std::size_t i = 0; i < fold.size(); ++i) {
      ++size[static_cast<std::size_t>(fold[i])];
      auto& counts = per_class[classes[i]];
      counts.resize(static_cast<std::size_t>(folds));
      ++counts[static_cast<std::size_t>(fold[i])];
    }
    const auto spread = [](const std::vector<Index>& counts) {
      return *std::max_element(counts.begin(), counts.end()) - *std::min_element(counts.begin(), counts.end());
    };
    EXPECT_LE(spread(size), 1);
    for (const auto& [label, counts] : per_class) EXPECT_LE(spread(counts), 1) << label;
  }
  EXPECT_EQ(assign_folds(50, {}, 5, 1), assign_folds(50, {}, 5, 1));
  EXPECT_NE(assign_folds(50, {}, 5, 1), assign_folds(50, {}, 5, 2));
}

TEST(Folds, AsManyAsRowsLeavesOneOutEach) {
  auto fold = assign_folds(6, {}, 6, 1);
  std::sort(fold.begin(), fold.end());
  EXPECT_EQ(fold, (std::vector<Index>{0, 1, 2, 3, 4, 5}));
}

}  // namespace
}  // namespace weft
