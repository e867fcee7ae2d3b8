#include "methods/learned_relevance/feature_relevance.hpp"

#include "methods/local_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace weft {

using namespace detail;
using namespace testing_local;
namespace {

LabelledRows with_bias(LabelledRows rows) {
  Matrix x(rows.x.rows() + 1, rows.rows());
  std::copy_n(rows.x.data(), rows.x.rows() * rows.rows(), x.data());
  std::fill_n(x.row(rows.x.rows()), rows.rows(), 1.0);
  rows.x = std::move(x);
  return rows;
}

FeatureForm form_of(const char* family, Index inputs, bool bias = false) {
  FeatureForm form;
  form.family.family = family;
  form.family.features = 300;
  form.inputs = Inputs::plain(inputs, bias);
  return form;
}

TEST(FeatureRelevance, OfInputsThatAreIgnoredTendsToZero) {
  const auto f = [](const double* x) { return std::sin(3 * x[1]) + std::cos(2 * x[4]); };
  const Fold fold{with_bias(function_rows(10, 1500, f, 0.02, 1)), with_bias(function_rows(10, 600, f, 0.02, 2))};
  // Stumps can tell the inputs apart by themselves: their error is near the noise from the start.
  for (const auto& [family, share] :
       {std::pair{"rks-cos", 0.5}, {"rw-relu", 0.5}, {"rw-relu/sparse:2", 0.5}, {"rw-stumps", 1.0}}) {
    const std::vector<RelevanceStep> steps =
        learn_feature_relevance(form_of(family, 10, true), {&fold, 1}, nullptr, 3, {.threads = 1});
    const RelevanceStep& best = best_step(steps);
    EXPECT_LT(best.error, share * steps.front().error) << family;
    ASSERT_EQ(best.learned.transform.factors.size(), 11u) << family;
    EXPECT_EQ(best.learned.transform.factors[10], 1);
    for (const std::size_t ignored : {0u, 2u, 3u, 5u, 6u, 7u, 8u, 9u}) {
      EXPECT_LT(best.learned.transform.factors[ignored], 0.2) << family << ' ' << ignored;
      EXPECT_LT(best.sensitivity[ignored], 0.15 * best.sensitivity[1]) << family << ' ' << ignored;
    }
  }
}

TEST(FeatureRelevance, FoldsLearnTheirOwn) {
  const auto f = [](const double* x) { return x[0] * x[0]; };
  const std::vector<Fold> folds = {{function_rows(3, 200, f, 0.1, 1), function_rows(3, 100, f, 0.1, 2)},
                                   {function_rows(3, 220, f, 0.1, 3), function_rows(3, 100, f, 0.1, 4)}};
  const LabelledRows all = function_rows(3, 300, f, 0.1, 5);
  const FeatureForm form = form_of("rks-cos", 3);
  const std::vector<RelevanceStep> steps = learn_feature_relevance(form, folds, &all, 1, {.threads = 2});
  ASSERT_EQ(steps.size(), 2u);
  ASSERT_EQ(steps[1].folds.size(), 2u);
  EXPECT_NE(steps[1].folds[0].transform, steps[1].folds[1].transform);
  EXPECT_NE(steps[1].learned.transform, steps[1].folds[0].transform);
  EXPECT_EQ(fit_features(form, steps[1], all, folds, {.threads = 1}).held_scores.rows(), 200);
}

}  // namespace
}  // namespace weft
