// Sums of members with fewer landmarks.
#include <weft/fit.hpp>
#include <weft/prune.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace weft {
namespace {

Model local_model(const Data& data) {
  const FitOptions options{.method = LocalOptions{.bandwidth = "6", .relevance = 0, .leaf = 150}, .lambda = 1e-4};
  return fit({data, {}, options});
}

TEST(MemberPruning, KeepsTheFewestLandmarksThatTheRuleAccepts) {
  const Data data = generate("friedman1", {.rows = 600});
  const Model model = local_model(data);
  const PruneResult result = prune(model, data, {.epsilon = 0.02});
  EXPECT_LT(result.features_after, result.features_before);
  const double before = evaluate(model, data).r2.value(), after = evaluate(result.model, data).r2.value();
  EXPECT_LE(before - after, 0.02);
  EXPECT_EQ(result.method, PruneMethod::predictions);
  bool rejected = false;
  for (const PruneStep& step : result.path) {
    if (step.kept == result.features_after) {
      EXPECT_NEAR(step.value, before - after, 1e-12);
    }
    rejected |= !step.accepted;
    EXPECT_EQ(step.accepted, step.value <= 0.02);
  }
  EXPECT_TRUE(rejected);
  const PruneResult again = prune(model, data, {.epsilon = 0.05});
  EXPECT_LT(again.features_after, result.features_after);
}

TEST(MemberPruning, AlmostAllLandmarksPredictAsBefore) {
  const Data data = generate("friedman1", {.rows = 400});
  const Data fresh = generate("friedman1", {.rows = 100, .seed = 2});
  const Model model = local_model(data);
  Index landmarks = 0;
  for (const Member& member : model.parts().members) landmarks += member.features();
  const PruneResult result = prune(model, data, {.features = landmarks - 5});
  EXPECT_LT(result.features_after, landmarks);
  const Matrix a = model.predict(fresh), b = result.model.predict(fresh);
  double squares = 0;
  for (Index i = 0; i < a.rows(); ++i) squares += std::pow(a(i, 0) - b(i, 0), 2) / static_cast<double>(a.rows());
  EXPECT_LT(squares, 0.01 * 24);  // the target's variance is about 24
}

TEST(MemberPruning, ANumberOfLandmarksIsALimit) {
  const Data data = generate("moons", {.rows = 500});
  const Model model = fit({data, {}, {.method = LocalOptions{.relevance = 0, .leaf = 100}}});
  const PruneResult result = prune(model, data, {.features = 200});
  EXPECT_LE(result.features_after, 200);
  EXPECT_EQ(result.accept, AcceptRule::error);
  EXPECT_THROW(prune(model, data, {.features = 3}), Error);  // fewer than leaves
}

TEST(MemberPruning, RefusesWhatASumOfMembersDoesNotHave) {
  const Data data = generate("friedman1", {.rows = 200});
  const Model model = local_model(data);
  EXPECT_THROW(prune(model, data, {.accept = AcceptRule::norm}), Error);
  EXPECT_THROW(prune(model, data, {.accept = AcceptRule::error}), Error) << "of a regression";
  EXPECT_THROW(prune(model, data, {.method = PruneMethod::weights}), Error);
  EXPECT_THROW(prune(model, data, {.refit = PruneRefit::least_squares}), Error);
}

TEST(MemberPruning, RefusesModelsWithoutLandmarks) {
  const Data data = generate("friedman1", {.rows = 200});
  FamilyOptions few;
  few.features = 20;
  const Model model = fit({data, few, {.method = LearnedRelevanceOptions{.relevance = 0}}});
  EXPECT_THROW(prune(model, data, {}), Error);
}

}  // namespace
}  // namespace weft
