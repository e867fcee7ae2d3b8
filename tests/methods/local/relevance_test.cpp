#include "methods/local/relevance.hpp"

#include "methods/local_case.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace weft {

using namespace detail;
using namespace testing_local;
namespace {

Fold fold_of(Index inputs, const std::function<double(const double*)>& f, double noise, Index fit = 600) {
  return {function_rows(inputs, fit, f, noise, 1), function_rows(inputs, 400, f, noise, 2)};
}

TEST(Relevance, OfInputsThatAreIgnoredTendsToZero) {
  const Fold fold = fold_of(
      6, [](const double* x) { return std::sin(4 * x[1]) + 0.5 * std::cos(3 * x[4]); }, 0.005);
  const std::vector<RelevanceStep> steps =
      learn_relevance(laplace_form(), {&fold, 1}, nullptr, {.rounds = 4}, {.threads = 1});
  ASSERT_GE(steps.size(), 3u);
  const RelevanceStep& best = best_step(steps);
  EXPECT_LT(best.error, 0.6 * steps.front().error);
  ASSERT_EQ(best.learned.transform.factors.size(), 6u);
  EXPECT_EQ(best.learned.transform.factors[1], 1.0);
  for (const std::size_t ignored : {0u, 2u, 3u, 5u})
    EXPECT_LT(best.learned.transform.factors[ignored], 0.12) << ignored;
  for (const std::size_t ignored : {0u, 2u, 3u, 5u}) EXPECT_LT(best.sensitivity[ignored], 0.15 * best.sensitivity[1]);
}

TEST(Relevance, AMatrixFindsTheDirectionThatMatters) {
  // Only x₀ + x₁ matters: no factor per input can tell.
  const Fold fold = fold_of(
      4, [](const double* x) { return std::sin(3 * (x[0] + x[1])); }, 0.02);
  const std::vector<RelevanceStep> steps =
      learn_relevance(laplace_form(true), {&fold, 1}, nullptr, {.rounds = 3}, {.threads = 1});
  const RelevanceStep& best = best_step(steps);
  EXPECT_LT(best.error, 0.5 * steps.front().error);
  const Matrix& a = best.learned.transform.matrix;
  ASSERT_EQ(a.cols(), 4);
  const double length = std::sqrt(a(0, 0) * a(0, 0) + a(0, 1) * a(0, 1) + a(0, 2) * a(0, 2) + a(0, 3) * a(0, 3));
  EXPECT_GT(std::abs(a(0, 0) + a(0, 1)) / (std::sqrt(2.0) * length), 0.99);
}

TEST(Relevance, FoldsLearnTheirOwnAndShareTheErrors) {
  const auto f = [](const double* x) { return x[0] * x[0]; };
  const std::vector<Fold> folds = {fold_of(3, f, 0.1, 200), fold_of(3, f, 0.1, 220)};
  const LabelledRows all = function_rows(3, 300, f, 0.1, 3);
  const std::vector<RelevanceStep> steps = learn_relevance(laplace_form(), folds, &all, {.rounds = 1}, {.threads = 2});
  ASSERT_EQ(steps.size(), 2u);
  ASSERT_EQ(steps[1].folds.size(), 2u);
  EXPECT_NE(steps[1].folds[0].transform, steps[1].folds[1].transform);
  EXPECT_NE(steps[1].learned.transform, steps[1].folds[0].transform);
}

TEST(Relevance, IsTheSameOnAnyNumberOfThreads) {
  const Fold fold = fold_of(
      5, [](const double* x) { return x[0] + x[1] * x[2]; }, 0.1, 700);
  for (const bool l2 : {false, true}) {
    const auto run = [&](int threads) {
      return learn_relevance(laplace_form(l2), {&fold, 1}, nullptr, {.rounds = 2}, {.threads = threads});
    };
    const std::vector<RelevanceStep> one = run(1), three = run(3);
    ASSERT_EQ(one.size(), three.size());
    for (std::size_t k = 0; k < one.size(); ++k) {
      EXPECT_EQ(one[k].error, three[k].error);
      EXPECT_EQ(one[k].learned.transform, three[k].learned.transform);
    }
  }
}

TEST(Relevance, ATargetThatDoesNotVaryLeavesTheInputsAsTheyAre) {
  const Fold fold = fold_of(
      3, [](const double*) { return 0.0; }, 0);
  const std::vector<RelevanceStep> steps =
      learn_relevance(laplace_form(), {&fold, 1}, nullptr, {.rounds = 2}, {.threads = 1});
  ASSERT_FALSE(steps.empty());
  EXPECT_TRUE(steps.back().learned.transform.factors.empty());
}

TEST(Relevance, NumbersThatAreGivenAreNotSearched) {
  const Fold fold = fold_of(
      2, [](const double* x) { return x[0]; }, 0.1, 100);
  const std::vector<RelevanceStep> steps = learn_relevance(
      laplace_form(), {&fold, 1}, nullptr, {.rounds = 1, .bandwidth = 0.7, .lambda = 0.02}, {.threads = 1});
  for (const RelevanceStep& step : steps) {
    EXPECT_EQ(step.learned.bandwidth, 0.7);
    EXPECT_EQ(step.lambda, 0.02);
  }
}

}  // namespace
}  // namespace weft
