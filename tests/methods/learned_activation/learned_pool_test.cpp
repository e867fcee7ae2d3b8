// Algorithm 1 of Ma et al. 2025: scores under a learned activation, and importance weights that leave the pool's kernel
// alone.
#include "methods/learned_activation/learned_pool.hpp"

#include "dense_algebra.hpp"
#include "methods/learned_case.hpp"
#include "methods/method.hpp"

#include <numeric>

namespace weft {

using namespace detail;
namespace {

using testing::Dense;
using testing::sectors;
using testing::TableRows;
using testing::waves;
using Case = testing::LearnedCase;

/// Cases of every loss; features is S.
Case pool_case(Task task, Index features, Index candidates, Sampling sampling = Sampling::leverage) {
  TableRows rows =
      task == Task::regression ? waves(240, 2) : sectors(240, 2, task == Task::binary ? 2 : 3, task == Task::binary);
  rows.weights.assign(240, 1);
  for (std::size_t i = 0; i < 240; i += 4) rows.weights[i] = 2.5;
  Case c(std::move(rows), task, features, "rks-relu");
  c.family.sampling = sampling;
  c.family.candidates = candidates;
  c.own().iterations = 5;
  return c;
}

ScoredPool scored(const Case& c) {
  return score_pool(draw_candidates(c.family, c.inputs(), c.run, nullptr), {c.rows, c.rows}, c.task, c.options,
                    c.family, c.run);
}

std::vector<double> scores_of(const ScoredPool& pool, const Case& c) {
  return pool.scores(c.family.features, c.family, c.run);
}

TEST(LearnedPool, ScoresAreTheDefinitionByAnExplicitInverse) {
  for (const Task task : {Task::regression, Task::binary, Task::multiclass}) {
    Case c = pool_case(task, 5, 20);
    c.family.sampling_lambda = 1e-3;
    const ScoredPool pool = scored(c);
    ASSERT_EQ(pool.candidates.features(), 20);
    // Rows weigh by √w; docs/mathematics.md §8.4 with features of mean square 1, divided by the pool's size.
    Dense z = c.features(pool.candidates.with_activation(pool.activation)).transpose();
    double total = 0;
    for (Index i = 0; i < 240; ++i) {
      z.row(i) *= std::sqrt(c.weight(i));
      total += c.weight(i);
    }
    z /= std::sqrt(z.squaredNorm() / (20 * total));
    const Dense square = z.transpose() * z;
    const Dense scores = square * testing::inverse(square / 20 + total * 1e-3 * Dense::Identity(20, 20)) / 20;
    const std::vector<double> found = scores_of(pool, c);
    for (Index t = 0; t < 20; ++t) EXPECT_NEAR(found[static_cast<std::size_t>(t)], scores(t, t), 1e-9);
    const auto [low, high] = std::minmax_element(found.begin(), found.end());
    EXPECT_GT(*high, 1.2 * *low);  // scores that tell the features apart
  }
}

// The pool's objective is the fit's or eq. 8 of the paper: ã then does not depend on the fit's λ.
TEST(LearnedPool, TheBalancedPoolDoesNotSeeTheFitsLambda) {
  Case c = pool_case(Task::regression, 5, 20);
  const auto activation = [&](double lambda) {
    c.options.lambda = lambda;
    const ScoredPool pool = scored(c);
    std::vector<double> a = dynamic_cast<const LearnedActivation&>(*pool.activation).coefficients();
    const double length = std::sqrt(std::inner_product(a.begin(), a.end(), a.begin(), 0.0));
    for (double& value : a) value /= length;
    return a;
  };
  EXPECT_NE(activation(1e-1), activation(1e-6));
  c.own().pool_objective = LearnedObjective::balanced;
  EXPECT_EQ(activation(1e-1), activation(1e-6));
}

TEST(LearnedPool, WithoutALambdaScoresAddUpToTwiceTheFeatures) {
  const Case c = pool_case(Task::regression, 3, 40);
  const ScoredPool pool = scored(c);
  for (const Index count : {1, 3, 5}) {
    const std::vector<double> scores = pool.scores(count, c.family, c.run);
    EXPECT_NEAR(std::accumulate(scores.begin(), scores.end(), 0.0), 2.0 * static_cast<double>(count), 1e-4);
  }
}

TEST(LearnedPool, TheWeightedKernelIsThePoolsOnAverage) {
  Case c = pool_case(Task::regression, 8, 30);
  c.family.sampling_lambda = 1e-2;
  const ScoredPool pool = scored(c);
  const auto kernel = [&](const FeatureMap& map) {
    const Dense z = c.features(map.with_activation(pool.activation)).leftCols(12);
    return Dense(z.transpose() * z / static_cast<double>(map.features()));
  };
  const Dense truth = kernel(pool.candidates);
  constexpr int kDraws = 3000;
  Dense mean = Dense::Zero(12, 12), squares = Dense::Zero(12, 12);
  for (int k = 0; k < kDraws; ++k) {
    c.family.seed = static_cast<std::uint64_t>(k);
    const Dense drawn = kernel(pool.choose(8, c.family, c.run));
    mean += drawn / kDraws;
    squares += drawn.cwiseProduct(drawn) / kDraws;
  }
  for (Index i = 0; i < 12; ++i)
    for (Index j = 0; j < 12; ++j) {
      const double error = std::sqrt((squares(i, j) - mean(i, j) * mean(i, j)) / kDraws);
      EXPECT_NEAR(mean(i, j), truth(i, j), 5 * error);
    }
}

TEST(LearnedPool, ServesAnyNumberOfChoices) {
  Case c = pool_case(Task::regression, 6, 40, Sampling::leverage_top);
  const ScoredPool pool = scored(c);
  for (const Index count : {1, 6, 40}) {
    const FeatureMap map = pool.choose(count, c.family, c.run);
    EXPECT_EQ(map.features(), count);
    EXPECT_TRUE(map.parts().front().centres.scales.empty());
    EXPECT_EQ(map.parts().front().family.activation->name(), "relu");  // the fit starts where it would without a pool
  }
  // All of the pool, unscaled: the features that a plain draw of that many has.
  const FeatureMap all = pool.choose(40, c.family, c.run);
  FamilyOptions plain = c.family;
  plain.sampling = Sampling::plain;
  plain.candidates = default_value(0);
  plain.features = 40;
  const FeatureMap drawn = FeatureMap::draw(plain, c.inputs());
  for (Index t = 0; t < 40; ++t)
    EXPECT_EQ(all.parts().front().centres.weights(t, 0), drawn.parts().front().centres.weights(t, 0));
}

TEST(LearnedPool, EverySamplingAndLossFitsItsChoice) {
  for (const Task task : {Task::regression, Task::binary, Task::multiclass})
    for (const Sampling sampling : {Sampling::leverage, Sampling::leverage_top, Sampling::eerf, Sampling::lkrf}) {
      Case c = pool_case(task, 6, 30, sampling);
      const FittedMap made = make_map({c.family, c.options, c.inputs(), {c.rows, c.rows}, c.task, c.run});
      EXPECT_LE(made.map.features(), 6);
      EXPECT_EQ(testing::number(made.report, "pool"), 30);
      EXPECT_EQ(testing::number(made.report, "pool_lambda"), 1e-6);
      const FitResult result = fit_learned_activation({made.map, c.rows, task, c.options, c.family, c.run});
      EXPECT_EQ(result.map->parts().front().centres.scales, made.map.parts().front().centres.scales);
      EXPECT_LT(testing::number(result.report, "objective"), testing::number(result.report, "sweep 0 objective"));
    }
}

TEST(LearnedPool, SomeRowsScoreAndLearn) {
  Case c = pool_case(Task::regression, 5, 20);
  const ScoredPool all = scored(c);
  c.family.sampling_rows = 240;
  EXPECT_EQ(scores_of(scored(c), c), scores_of(all, c));
  c.family.sampling_rows = 60;
  const ScoredPool some = scored(c);
  EXPECT_NE(scores_of(some, c), scores_of(all, c));
  const auto kept = scoring_rows(c.rows, c.family);
  ASSERT_EQ(kept->rows(), 60);
  FamilyOptions family = c.family;
  family.sampling_rows = 0;
  const ScoredPool alone =
      score_pool(draw_candidates(family, c.inputs(), c.run, nullptr), {*kept, *kept}, c.task, c.options, family, c.run);
  EXPECT_EQ(scores_of(alone, c), scores_of(some, c));
}

TEST(LearnedPool, IsTheSameForEveryThreadCount) {
  Case c = pool_case(Task::multiclass, 5, 20);
  const ScoredPool one = scored(c);
  c.run.threads = 3;
  EXPECT_EQ(scores_of(scored(c), c), scores_of(one, c));
}

TEST(LearnedPool, RefusesAPoolThatIsTooSmall) {
  for (const bool by_pool : {false, true}) {
    Case c = pool_case(Task::regression, 10, by_pool ? 0 : 9);
    if (by_pool) c.family.pool = 9;
    try {
      scored(c);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.field(), by_pool ? "pool" : "candidates");
      EXPECT_NE(std::string(error.what()).find("10 features cannot be chosen among 9"), std::string::npos);
    }
  }
  Case c = pool_case(Task::regression, 3, 0);
  c.family.pool = 17;  // dense features have no subsets of variables
  EXPECT_EQ(draw_candidates(c.family, c.inputs(), c.run, nullptr).features(), 17);
  c.family.candidates = 20;
  EXPECT_THROW(draw_candidates(c.family, c.inputs(), c.run, nullptr), Error);
}

}  // namespace
}  // namespace weft
