// Tables of scores against their definitions, and what predictions and measures make of them.
#include <weft/conformal.hpp>

#include "data/expect_error.hpp"
#include "model/sample_models.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace weft::testing {

using namespace detail;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<double> numbers_to(Index count) {
  std::vector<double> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 1.0);
  std::reverse(numbers.begin(), numbers.end());
  return numbers;
}

TEST(ScoreTable, QuantilesAreOrderStatistics) {
  // The k-th smallest of 1 … n is k: ⌈(n + 1)·level⌉, and ∞ beyond n. Products such as 100 · 0.9 are whole numbers.
  const auto upper = [](Index n, double level) { return ScoreTable(numbers_to(n)).upper(level); };
  EXPECT_EQ(upper(9, 0.9), 9);
  EXPECT_EQ(upper(8, 0.9), kInfinity);
  EXPECT_EQ(upper(99, 0.9), 90);
  EXPECT_EQ(upper(99, 0.95), 95);
  EXPECT_EQ(upper(100, 0.9), 91);
  EXPECT_EQ(upper(1999, 0.7), 1400);
  EXPECT_EQ(upper(0, 0.5), kInfinity);
  for (const Index n : {7, 99, 1000})
    for (const double level : {0.05, 0.5, 0.8, 0.875, 0.95}) {
      const ScoreTable table(numbers_to(n));
      EXPECT_EQ(table.lower(level), table.upper(level) == kInfinity ? -kInfinity : double(n + 1) - table.upper(level));
    }
}

TEST(ScoreTable, ManyScoresKeepTheirTailsAndRoundOutwards) {
  constexpr Index kMany = 123457;
  const ScoreTable table(numbers_to(kMany));
  EXPECT_EQ(table.count(), kMany);
  EXPECT_EQ(static_cast<Index>(table.kept().size()), ScoreTable::kMostKept);
  const ScoreTable again(table.count(), table.kept());
  for (const double level : {0.001, 0.3, 0.8, 0.9, 0.95, 0.999}) {
    const double exact = std::ceil((kMany + 1) * level - 1e-6);
    EXPECT_GE(table.upper(level), exact);
    EXPECT_LE(table.upper(level), exact + kMany / 1000 + 1);
    EXPECT_LE(table.lower(level), kMany + 1 - exact);
    EXPECT_GE(table.lower(level), kMany - exact - kMany / 1000);
    EXPECT_EQ(again.upper(level), table.upper(level));
  }
  EXPECT_EQ(table.upper(1 - 200.0 / (kMany + 1)), kMany + 1 - 200);
  EXPECT_EQ(table.lower(1 - 200.0 / (kMany + 1)), 200);
}

TEST(ScoreTable, DamagedTablesAreRecognised) {
  expect_error([] { ScoreTable(3, {1, 2}); }, ErrorKind::model, {"scores"});
  expect_error([] { ScoreTable(2, {2, 1}); }, ErrorKind::model, {"scores"});
  expect_error([] { ScoreTable(-1, {}); }, ErrorKind::model, {"scores"});
  expect_error([] { ScoreTable(1, {kInfinity}); }, ErrorKind::model, {"scores"});
}

ModelParts with_scores(const std::string& target) {
  ModelParts parts = sample_parts(target);
  if (target == "kind" || target == "yes") parts.probabilistic = true;
  parts.conformity = conformity_of(Model(parts), sample_data(60, target));
  return parts;
}

std::vector<PredictionBlock> predictions(const Model& model, const std::string& target, const PredictOptions& options) {
  std::vector<PredictionBlock> blocks;
  model.for_each_prediction(sample_data(60, target), options, [&](const PredictionBlock& b) { blocks.push_back(b); });
  return blocks;
}

TEST(Intervals, NumbersAddOrderStatisticsOfResiduals) {
  const Model model(with_scores("y,z"));
  const auto blocks = predictions(model, "y,z", {.with_targets = true, .intervals = {.interval = 0.8}});
  ASSERT_EQ(blocks.size(), 1u);
  const PredictionBlock& block = blocks.front();
  for (Index k = 0; k < 2; ++k) {
    std::vector<double> residuals;
    for (Index i = 0; i < 60; ++i) residuals.push_back(block.targets(i, k) - block.values(i, k));
    std::sort(residuals.begin(), residuals.end());
    for (Index i = 0; i < 60; ++i) {  // ⌈61 · 0.9⌉ = 55
      EXPECT_DOUBLE_EQ(block.upper(i, k), block.values(i, k) + residuals[54]);
      EXPECT_DOUBLE_EQ(block.lower(i, k), block.values(i, k) + residuals[5]);
    }
  }
}

TEST(Intervals, SetsHoldLabelsThatAreNotRuledOut) {
  const Model model(with_scores("kind"));
  for (const bool by_class : {false, true}) {
    const auto blocks = predictions(
        model, "kind", {.with_targets = true, .intervals = {.interval = 0.8, .interval_by_class = by_class}});
    const PredictionBlock& block = blocks.front();
    for (Index k = 0; k < 3; ++k) {
      std::vector<double> scores;
      for (Index i = 0; i < 60; ++i) {
        const auto truth = static_cast<Index>(block.targets(i, 0));
        if (!by_class || truth == k) scores.push_back(1 - block.probabilities(i, truth));
      }
      std::sort(scores.begin(), scores.end());
      const auto rank = static_cast<std::size_t>(std::ceil(static_cast<double>(scores.size() + 1) * 0.8));
      ASSERT_LE(rank, scores.size());
      for (Index i = 0; i < 60; ++i) {
        const double* p = block.probabilities.row(i);
        const bool most_probable = std::max_element(p, p + 3) - p == k;
        EXPECT_EQ(block.sets(i, k), most_probable || 1 - p[k] <= scores[rank - 1] ? 1 : 0);
      }
    }
  }
}

TEST(Intervals, AreKeptByModelFiles) {
  for (const char* target : {"y", "y,z", "yes", "kind"}) {
    const Model model(with_scores(target));
    const Model again = Model::from_bytes(model.to_bytes());
    const PredictOptions options{.intervals = {.interval = 0.7}};
    const auto before = predictions(model, target, options).front(),
               after = predictions(again, target, options).front();
    EXPECT_EQ(again.parts().conformity.by, ScoredBy::given_rows);
    EXPECT_EQ(again.parts().conformity.loss.mean, model.parts().conformity.loss.mean);
    for (Index i = 0; i < before.lower.rows() * before.lower.cols(); ++i) {
      EXPECT_EQ(after.lower.data()[i], before.lower.data()[i]);
      EXPECT_EQ(after.upper.data()[i], before.upper.data()[i]);
    }
    for (Index i = 0; i < before.sets.rows() * before.sets.cols(); ++i)
      EXPECT_EQ(after.sets.data()[i], before.sets.data()[i]);
  }
}

TEST(Intervals, ModelsWithoutScoresNameTheRemedy) {
  const Model model(sample_parts("y"));
  expect_error([&] { predictions(model, "y", {.intervals = {.interval = 0.9}}); }, ErrorKind::option,
               {"without", "calibrate"});
  expect_error([&] { predictions(model, "y", {.intervals = {.interval = 1.0}}); }, ErrorKind::option, {"interval"});
  expect_error([&] { predictions(model, "y", {.intervals = {.interval_by_class = true}}); }, ErrorKind::option,
               {"interval_by_class"});
  expect_error([&] { predictions(Model(sample_parts("kind")), "kind", {.intervals = {.interval = 0.9}}); },
               ErrorKind::option, {"probabilities"});
}

TEST(Intervals, TooFewScoresAreSaidAndGiveInfiniteEnds) {
  ModelParts parts = sample_parts("y");
  parts.conformity = conformity_of(Model(parts), sample_data(18, "y"));
  std::vector<std::string> warnings;
  weft::Run run;
  run.on_warning = [&](const std::string& text) { warnings.push_back(text); };
  double upper = 0;
  Model(parts).for_each_prediction(
      sample_data(5, "y"), {.intervals = {.interval = 0.9}},
      [&](const PredictionBlock& block) { upper = block.upper(0, 0); }, run);
  EXPECT_EQ(upper, kInfinity);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("19 are needed"), std::string::npos) << warnings[0];
}

TEST(Intervals, EvaluationCountsWhatLiesInside) {
  for (const char* target : {"y", "kind"}) {
    const Model model(with_scores(target));
    const PredictOptions options{.with_targets = true, .intervals = {.interval = 0.6}};
    const Evaluation result = evaluate(model, sample_data(60, target), options);
    const PredictionBlock block = predictions(model, target, options).front();
    double inside = 0, size = 0;
    for (Index i = 0; i < 60; ++i) {
      const double truth = block.targets(i, 0);
      if (block.sets.rows() > 0) {
        inside += block.sets(i, static_cast<Index>(truth));
        size += block.sets(i, 0) + block.sets(i, 1) + block.sets(i, 2);
      } else {
        inside += block.lower(i, 0) <= truth && truth <= block.upper(i, 0);
        size += block.upper(i, 0) - block.lower(i, 0);
      }
    }
    EXPECT_DOUBLE_EQ(result.coverage.value(), inside / 60);
    EXPECT_NEAR((block.sets.rows() > 0 ? result.mean_set_size : result.mean_width).value(), size / 60, 1e-12);
    EXPECT_EQ(result.interval, 0.6);
    EXPECT_FALSE(evaluate(model, sample_data(60, target)).coverage.has_value());
    double covered = 0;
    for (std::size_t k = 0; k < result.class_coverage.size(); ++k)
      covered += result.per_class[k].weight * result.class_coverage[k].value();
    if (target == std::string("kind")) {
      EXPECT_NEAR(covered / 60, *result.coverage, 1e-12);
    }
  }
}

}  // namespace

}  // namespace weft::testing
