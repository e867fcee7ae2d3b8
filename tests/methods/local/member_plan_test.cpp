// Fits that also say what they would predict without the held-out rows, against fits without them.
#include "methods/local/member_plan.hpp"

#include "methods/local_case.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace weft {

using namespace detail;
using namespace testing_local;
namespace {

Fold fold_of(const LabelledRows& rows, Index held) {
  std::vector<Index> order(static_cast<std::size_t>(rows.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto first = static_cast<std::size_t>(rows.rows() - held);
  return {rows.subset(std::span(order).first(first)), rows.subset(std::span(order).subspan(first))};
}

LabelledRows sample(Index count) {
  LabelledRows rows = function_rows(
      3, count, [](const double* x) { return std::sin(3 * x[0]) + x[1] * x[2]; }, 0.1, 7);
  for (Index i = 0; i < count; ++i) rows.weights.push_back(0.5 + static_cast<double>(i % 3));
  return rows;
}

MemberPlan plan_with(Index leaf) {
  MemberPlan plan;
  plan.form = laplace_form();
  plan.bandwidth = 2;
  plan.size = leaf;
  return plan;
}

void expect_near(const Matrix& a, const Matrix& b, double tolerance) {
  ASSERT_EQ(a.rows(), b.rows());
  for (Index i = 0; i < a.rows(); ++i) EXPECT_NEAR(a(i, 0), b(i, 0), tolerance) << i;
}

TEST(MemberPlan, HeldOutScoresAreThoseOfAFitWithoutTheRows) {
  const LabelledRows rows = sample(700);
  const Fold fold = fold_of(rows, 120);
  for (const Index leaf : {100, 1000}) {
    MemberPlan plan = plan_with(leaf);
    plan.overlap = leaf == 100 ? 0.3 : 0.5;
    const Member alone = fit_member(plan, fold.fit, {});
    const HeldOutMember both = fit_with_held_out(plan, fold, fold, {});
    ASSERT_EQ(both.member.leaves.size(), alone.leaves.size());
    expect_near(both.held_scores, member_predictions({&alone, 1}, fold.held.x, {}), 1e-9);
    EXPECT_EQ(both.member.features(), alone.features() + 120);  // the held-out rows are in its leaves
  }
}

TEST(MemberPlan, TheMemberIsFittedToAllRowsAndTheirTargets) {
  const LabelledRows rows = sample(400);
  Fold fold = fold_of(rows, 80);
  const Fold targets = fold;
  for (Index i = 0; i < fold.fit.rows(); ++i) fold.fit.y(i, 0) = std::cos(static_cast<double>(i));
  const MemberPlan plan = plan_with(400);
  const Member all = fit_member(plan, rows, {}), alone = fit_member(plan, fold.fit, {});
  const HeldOutMember both = fit_with_held_out(plan, fold, targets, {});
  expect_near(member_predictions({&both.member, 1}, rows.x, {}), member_predictions({&all, 1}, rows.x, {}), 1e-9);
  expect_near(both.held_scores, member_predictions({&alone, 1}, fold.held.x, {}), 1e-9);
}

TEST(MemberPlan, RowsThatNoInputSeparatesAreOneRowOfTheirWeight) {
  LabelledRows rows = sample(300);
  for (Index i = 0; i < 200; ++i)
    for (Index j = 0; j < 3; ++j) rows.x(j, i) = 0.25;
  const LabelledRows merged = merge_equal(rows);
  ASSERT_EQ(merged.rows(), 101);
  double weight = 0, sum = 0;
  for (Index i = 0; i < 200; ++i) {
    weight += rows.weight(i);
    sum += rows.weight(i) * rows.y(i, 0);
  }
  const auto heaviest = std::max_element(merged.weights.begin(), merged.weights.end()) - merged.weights.begin();
  EXPECT_NEAR(merged.weights[static_cast<std::size_t>(heaviest)], weight, 1e-12);
  EXPECT_NEAR(merged.y(heaviest, 0), sum / weight, 1e-12);

  std::vector<Index> mixed;  // equal rows on both sides
  for (Index i = 0; i < 300; ++i) mixed.push_back((i * 7) % 300);
  const Fold fold = fold_of(rows.subset(mixed), 60);
  const MemberPlan plan = plan_with(50);  // fewer than the equal rows
  const Member alone = fit_member(plan, fold.fit, {});
  const HeldOutMember both = fit_with_held_out(plan, fold, fold, {});
  expect_near(both.held_scores, member_predictions({&alone, 1}, fold.held.x, {}), 1e-9);
}

}  // namespace
}  // namespace weft
