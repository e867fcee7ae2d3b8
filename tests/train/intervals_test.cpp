// Scores that fits deliver against refits without each row, and the coverage of intervals over many simulated tables.
#include <weft/fit.hpp>

#include "core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace weft::testing {

using namespace detail;

namespace {

/// y = sin 3x₀ + x₁ + skewed noise whose mean is 0, or three classes.
struct Simulated {
  Matrix x;
  Matrix y;

  Simulated(std::uint64_t set, Index rows, bool classes = false) : x(rows, 2), y(rows, 1) {
    const Random random(set, RandomStream::generator);
    for (Index i = 0; i < rows; ++i) {
      const auto draw = static_cast<std::uint64_t>(i);
      x(i, 0) = 2 * random.uniform(draw, 0) - 1;
      x(i, 1) = 2 * random.uniform(draw, 1) - 1;
      const double mean = std::sin(3 * x(i, 0)) + x(i, 1);
      const double noise = -std::log(1 - random.uniform(draw, 2)) - 1;
      y(i, 0) = mean + noise;
      if (classes) y(i, 0) = mean + noise < -0.7 ? 0 : mean + noise < 0.3 ? 1 : 2;
    }
  }
  Data data() const { return array(x, y); }
};

/// Kernels have no family.
FamilyOptions few_features(const FitOptions& options) {
  if (std::holds_alternative<KernelRidgeOptions>(options.method) ||
      std::holds_alternative<LocalOptions>(options.method))
    return {};
  return {.family = "rw-relu", .features = 15, .sigma = 1};
}

Model fitted(const Data& data, const FitOptions& options, bool classes = false) {
  EncodeOptions encode;
  encode.scale = Scaling::none;
  encode.task = classes ? TargetKind::classification : TargetKind::regression;
  return fit({data, few_features(options), options, encode, {.threads = 1}});
}

/// Targets minus predictions, each by a fit without its row and with the same total penalty.
std::vector<double> residuals_of_refits(const Simulated& all, FitOptions options) {
  const Index n = all.x.rows();
  *options.lambda *= static_cast<double>(n) / static_cast<double>(n - 1);
  std::vector<double> residuals;
  for (Index left = 0; left < n; ++left) {
    Matrix x(n - 1, 2), y(n - 1, 1), row(1, 2);
    for (Index i = 0, to = 0; i < n; ++i) {
      if (i == left) continue;
      std::copy_n(all.x.row(i), 2, x.row(to));
      y(to++, 0) = all.y(i, 0);
    }
    std::copy_n(all.x.row(left), 2, row.row(0));
    residuals.push_back(all.y(left, 0) - fitted(array(x, y), options).predict(array(row))(0, 0));
  }
  std::sort(residuals.begin(), residuals.end());
  return residuals;
}

TEST(IntervalScores, AreThoseOfFitsWithoutTheRow) {
  const Simulated all(1, 40);
  for (const FitOptions& options :
       {FitOptions{.lambda = 1e-3}, FitOptions{.lambda = 1e-3, .intercept = false},
        FitOptions{.method = KernelRidgeOptions{.kernel = "rbf", .bandwidth = "0.8"}, .lambda = 1e-2}}) {
    const Model model = fitted(all.data(), options);
    const Conformity& scores = model.parts().conformity;
    EXPECT_EQ(scores.by, ScoredBy::leaving_one_out);
    ASSERT_EQ(scores.tables.size(), 1u);
    const std::vector<double> expected = residuals_of_refits(all, options);
    ASSERT_EQ(scores.tables[0].kept().size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(scores.tables[0].kept()[i], expected[i], 1e-8) << i;
  }
}

TEST(IntervalScores, ComeFromEveryMethodOrFromASecondFit) {
  const Simulated numbers(2, 200), classes(2, 200, true);
  const auto by = [](const Simulated& rows, MethodOptions method, bool asked, bool labels = false) {
    FitOptions options{.method = std::move(method)};
    if (asked) options.intervals = true;
    return fitted(rows.data(), options, labels).parts().conformity.by;
  };
  EXPECT_EQ(by(numbers, LocalOptions{.relevance = 0}, false), ScoredBy::cross_fitting);
  EXPECT_EQ(by(numbers, LassoOptions{}, false), ScoredBy::none);
  EXPECT_EQ(by(numbers, LassoOptions{}, true), ScoredBy::held_out_rows);
  EXPECT_EQ(by(classes, LassoOptions{}, false, true), ScoredBy::held_out_rows);
  EXPECT_EQ(by(classes, LogisticOptions{}, false, true), ScoredBy::none);
  EXPECT_EQ(by(classes, LogisticOptions{}, true, true), ScoredBy::held_out_rows);
  EXPECT_EQ(by(classes, LeastSquaresOptions{.calibrate = true}, false, true), ScoredBy::cross_fitting);
  EXPECT_EQ(by(Simulated(3, 2600), LocalOptions{.relevance = 0, .leaf = 150, .trees = 1}, false),
            ScoredBy::held_out_rows);
}

/// Shares of new rows, over many tables, that lie in their intervals or sets; by class where there are classes.
struct Shares {
  std::vector<double> inside, rows;

  double of(std::size_t group) const { return inside[group] / rows[group]; }
  void add(std::size_t group, bool covered) {
    inside.resize(std::max(inside.size(), group + 1));
    rows.resize(inside.size());
    inside[group] += covered;
    rows[group] += 1;
  }
};

constexpr Index kFitted = 99, kScored = 99, kNew = 60;
constexpr std::uint64_t kSets = 300;

/// `split`: scores come from rows of their own, else from the fit.
Shares simulate(const FitOptions& options, IntervalOptions intervals, bool split, bool classes = false) {
  Shares shares;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    const Simulated train(3 * set + 1, kFitted, classes), scored(3 * set + 2, kScored, classes);
    const Simulated fresh(3 * set + 3, kNew, classes);
    const Model model = fitted(train.data(), options, classes);
    PredictOptions wanted{.with_targets = true, .intervals = intervals};
    if (split)
      wanted.conformity = std::make_shared<const Conformity>(conformity_of(model, scored.data(), {.threads = 1}));
    model.for_each_prediction(fresh.data(), wanted,
                              [&](const PredictionBlock& block) {
                                for (Index i = 0; i < block.rows(); ++i) {
                                  const double y = block.targets(i, 0);
                                  if (classes)
                                    shares.add(static_cast<std::size_t>(y), block.sets(i, static_cast<Index>(y)) == 1);
                                  else
                                    shares.add(0, block.lower(i, 0) <= y && y <= block.upper(i, 0));
                                }
                              },
                              {.threads = 1});
  }
  return shares;
}

/// Four standard errors of a mean over the sets: given its scores, the coverage of a set varies like a Beta of
/// kScored + 1, and the rows of a set like a binomial.
double tolerance(double level, double scores, double rows) {
  const double variance = level * (1 - level);
  return 4 * std::sqrt(variance / static_cast<double>(kSets) * (1 / (scores + 2) + static_cast<double>(kSets) / rows));
}

TEST(IntervalCoverage, SplitConformalIntervalsOfNumbersAreExact) {
  for (const double level : {0.8, 0.9}) {
    const double found = simulate({.lambda = 1e-3}, {.interval = level}, true).of(0);
    // (99 + 1)·(1 ± level)/2 are whole numbers: the expectation is the level itself.
    EXPECT_NEAR(found, level, tolerance(level, kScored, kNew * double(kSets)));
  }
}

TEST(IntervalCoverage, SplitConformalSetsCoverAtLeastTheirLevel) {
  const Shares all = simulate({.lambda = 1e-3}, {.interval = 0.9}, true, true);
  const double rows = all.rows[0] + all.rows[1] + all.rows[2];
  const double found = (all.inside[0] + all.inside[1] + all.inside[2]) / rows;
  EXPECT_GE(found, 0.9 - tolerance(0.9, kScored, rows));
  const Shares classes = simulate({.lambda = 1e-3}, {.interval = 0.9, .interval_by_class = true}, true, true);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_GE(classes.of(k), 0.9 - tolerance(0.9, kScored / 5.0, classes.rows[k])) << k;
}

TEST(IntervalCoverage, LeaveOneOutIntervalsAreCloseToTheirLevel) {
  const FitOptions kernel{.method = KernelRidgeOptions{.kernel = "rbf", .bandwidth = "0.8"}};
  for (const FitOptions& options : {FitOptions{.lambda = 1e-3}, FitOptions{}, kernel})
    EXPECT_NEAR(simulate(options, {.interval = 0.9}, false).of(0), 0.9, 0.015);
  const Shares sets = simulate({.lambda = 1e-3}, {.interval = 0.9, .interval_by_class = true}, false, true);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_GE(sets.of(k), 0.885) << k;
}

}  // namespace

}  // namespace weft::testing
