#include "methods/local/logistic_refinement.hpp"

#include "methods/local_case.hpp"
#include "objective/platt.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace weft {

using namespace detail;
using namespace testing_local;
namespace {

double true_logit(const double* x) {
  return 6 * std::sin(2 * x[0]) + 2 * x[1] - 2;
}

/// ±1 with the probability of the logit; scaled as a fit scales its targets.
LabelledRows class_rows(Index count, std::uint64_t seed, const TargetScale& scale) {
  LabelledRows rows = function_rows(2, count, true_logit, 0, seed);
  const Random random(seed, RandomStream::noise);
  for (Index i = 0; i < count; ++i) {
    const bool positive = random.uniform(static_cast<std::uint64_t>(i)) < 1 / (1 + std::exp(-rows.y(i, 0)));
    rows.y(i, 0) = ((positive ? 1 : -1) - scale.mean[0]) / scale.deviation[0];
  }
  return rows;
}

/// Mean squared distance of calibrated probabilities from the true ones at fresh rows.
double distance_from_truth(const MemberCandidate& candidate, const Fold& fold, const TargetScale& scale) {
  const auto raw = [&](double score) { return scale.mean[0] + scale.deviation[0] * score; };
  std::vector<double> scores;
  std::vector<std::uint8_t> positive;
  for (Index i = 0; i < fold.held.rows(); ++i) {
    scores.push_back(raw(candidate.held_scores(i, 0)));
    positive.push_back(raw(fold.held.y(i, 0)) > 0);
  }
  const Sigmoid sigmoid = fit_sigmoid(scores, positive);
  const LabelledRows fresh = function_rows(2, 2000, true_logit, 0, 9);
  const Matrix predicted = member_predictions(candidate.members, fresh.x, {});
  double sum = 0;
  for (Index i = 0; i < fresh.rows(); ++i)
    sum += std::pow(sigmoid.probability(raw(predicted(i, 0))) - 1 / (1 + std::exp(-fresh.y(i, 0))), 2);
  return sum / static_cast<double>(fresh.rows());
}

TEST(LogisticRefinement, ComesCloserToTheProbabilities) {
  const weft::Run run{.threads = 2};
  const TargetScale scale{{-0.3}, {0.95}};
  const Fold fold{class_rows(4000, 1, scale), class_rows(1000, 2, scale)};
  LabelledRows all = class_rows(5000, 3, scale);
  KernelForm form = laplace_form(true);
  form.full = false;
  const std::vector<RelevanceStep> steps = learn_relevance(form, {&fold, 1}, nullptr, {.rounds = 0}, run);
  const LearnedForm learned{form, steps.front()};
  const CandidateFits fits(all, {&fold, 1}, 1000, 1, run);
  const MemberCandidate squared = fits.global(learned, 200);
  const MemberCandidate logistic = refine_logistic(squared, fold, scale, run);
  EXPECT_LT(distance_from_truth(logistic, fold, scale), 0.7 * distance_from_truth(squared, fold, scale));
  EXPECT_EQ(logistic.name(), "laplace-l2, landmarks, logistic");
  // Scores of all rows and of those without the held-out ones are alike, and mean the same classes as least squares'.
  const Matrix predicted = member_predictions(logistic.members, fold.held.x, {});
  Index same = 0, close = 0;
  for (Index i = 0; i < predicted.rows(); ++i) {
    const double threshold = -scale.mean[0] / scale.deviation[0];
    same += (logistic.held_scores(i, 0) > threshold) == (squared.held_scores(i, 0) > threshold);
    close += std::abs(predicted(i, 0) - logistic.held_scores(i, 0)) < 0.2;
  }
  EXPECT_GT(same, 950);
  EXPECT_GT(close, 900);
}

}  // namespace
}  // namespace weft
