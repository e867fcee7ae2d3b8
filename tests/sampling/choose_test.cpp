#include "sampling/choose.hpp"

#include <weft/error.hpp>

#include "core/random.hpp"
#include "dense_algebra.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include <Eigen/Core>

namespace weft {

using namespace detail;
namespace {

using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Dense gram_of(Index size, Index rank, std::uint64_t seed) {
  const Random random(seed, RandomStream::noise);
  Dense phi(size, rank);
  for (Index s = 0; s < size; ++s)
    for (Index r = 0; r < rank; ++r)
      phi(s, r) =
          random.normal(static_cast<std::uint64_t>(s), static_cast<std::uint32_t>(r)) / (1.0 + static_cast<double>(r));
  return phi * phi.transpose() / static_cast<double>(size * rank);
}

TEST(LeverageScores, AreTheDiagonalOfTheDenseProduct) {
  for (const auto& [size, rank] : {std::pair<Index, Index>{1, 1}, {7, 20}, {40, 60}, {40, 5}, {150, 90}})
    for (const double lambda : {1e-6, 1e-3, 1.0, 100.0}) {
      const Dense gram = gram_of(size, rank, 3);
      const Dense q = gram * testing::inverse(gram + lambda * Dense::Identity(size, size));
      const std::vector<double> scores = leverage_scores({gram.data(), size, size}, lambda, 2);
      for (Index t = 0; t < size; ++t)
        EXPECT_NEAR(scores[static_cast<std::size_t>(t)], q(t, t), 1e-10) << size << " " << rank << " " << lambda;
    }
}

TEST(LeverageScores, TendToOneEachAsLambdaVanishes) {
  // Whatever the features' sizes, while the rows can tell all of them apart.
  const Dense gram = gram_of(30, 50, 4);
  for (const double score : leverage_scores({gram.data(), 30, 30}, 1e-13, 1)) EXPECT_NEAR(score, 1, 1e-5);
  const std::vector<double> between = leverage_scores({gram.data(), 30, 30}, 1e-5, 1);
  EXPECT_GT(*std::max_element(between.begin(), between.end()),
            1.05 * *std::min_element(between.begin(), between.end()));
  // More candidates than rows: those share the rows' directions, and the scores add up to their number.
  const Dense flat = gram_of(40, 5, 3);
  const std::vector<double> scores = leverage_scores({flat.data(), 40, 40}, 1e-10, 1);
  EXPECT_NEAR(std::accumulate(scores.begin(), scores.end(), 0.0), 5, 1e-4);
}

TEST(LeverageScores, AreUniformAtBothEndsOfLambda) {
  Dense gram = gram_of(30, 50, 4);
  const Eigen::VectorXd roots = gram.diagonal().cwiseSqrt().cwiseInverse();
  gram = roots.asDiagonal() * gram * roots.asDiagonal();  // equal diagonals, as for features of equal size
  const auto spread = [&](double lambda) {
    const std::vector<double> scores = leverage_scores({gram.data(), 30, 30}, lambda, 1);
    return *std::max_element(scores.begin(), scores.end()) / *std::min_element(scores.begin(), scores.end());
  };
  EXPECT_NEAR(spread(1e-9), 1, 1e-4);
  EXPECT_NEAR(spread(1e6), 1, 1e-4);
  EXPECT_GT(spread(1e-1), 1.05);
}

TEST(LeverageScores, LostInRoundingAreAnError) {
  const Dense gram = Dense::Ones(3, 3);
  EXPECT_THROW(leverage_scores({gram.data(), 3, 3}, 1e-30, 1), Error);
}

TEST(LambdaOfDimension, LeavesThatManyDirections) {
  Dense features = Dense::Random(60, 200);
  for (Index t = 0; t < 60; ++t) features.row(t) *= std::pow(0.8, static_cast<double>(t));
  const Dense gram = features * features.transpose() / 60;
  for (const double dimension : {2.0, 10.0, 30.0}) {
    const double lambda = lambda_of_dimension({gram.data(), 60, 60}, dimension);
    const Dense inverse = testing::inverse(gram + lambda * Dense::Identity(60, 60));
    EXPECT_NEAR((gram * inverse).trace(), dimension, 1e-6);
  }
  EXPECT_GT(lambda_of_dimension({gram.data(), 60, 60}, 60), 0);  // all of them: as small as can be
}

TEST(DrawDistinct, UniformScoresLeaveFeaturesAsTheyAre) {
  const ChosenFeatures choice = draw_distinct(std::vector<double>(100, 0.3), 20, 1);
  ASSERT_EQ(choice.positions.size(), 20u);
  for (const double scale : choice.scales) EXPECT_NEAR(scale, 1, 1e-10);
}

TEST(DrawDistinct, DrawsInProportionToScoresAndIsUnbiased) {
  const std::vector<double> scores = {0.5, 0.05, 0.0, 0.2, 0.1, 2.0, 0.3};
  const std::vector<double> values = {1.0, -2.0, 9.0, 0.5, 3.0, 0.1, -0.7};
  // 4 · 2.0 is above the sum of all, and 3 · 0.5 above that of the rest: both are certain, and two are left for the
  // others.
  const std::vector<double> expected = {1, 2 * 0.05 / 0.65, 0, 2 * 0.2 / 0.65, 2 * 0.1 / 0.65, 1, 2 * 0.3 / 0.65};
  constexpr int kSeeds = 20000;
  std::vector<double> shares(scores.size());
  double mean = 0;
  for (int seed = 0; seed < kSeeds; ++seed) {
    const ChosenFeatures choice = draw_distinct(scores, 4, static_cast<std::uint64_t>(seed));
    ASSERT_EQ(choice.positions.size(), 4u);
    EXPECT_TRUE(std::is_sorted(choice.positions.begin(), choice.positions.end(), std::less_equal<>()));
    for (std::size_t k = 0; k < 4; ++k) {
      const auto at = static_cast<std::size_t>(choice.positions[k]);
      shares[at] += 1.0 / kSeeds;
      mean += choice.scales[k] * choice.scales[k] * values[at] / 4 / kSeeds;
    }
  }
  for (std::size_t t = 0; t < scores.size(); ++t)
    EXPECT_NEAR(shares[t], expected[t], 5 * std::sqrt(expected[t] * (1 - expected[t]) / kSeeds) + 1e-9) << t;
  EXPECT_NEAR(mean, (1.0 - 2.0 + 0.5 + 3.0 + 0.1 - 0.7) / 7, 0.05);  // 9.0 has no score, and no part in the kernel
}

TEST(DrawDistinct, TakesWhatHasAScoreWhereThatIsTooFew) {
  const ChosenFeatures choice = draw_distinct({0.5, 0, 0.1, 0}, 3, 5);
  EXPECT_EQ(choice.positions, (std::vector<Index>{0, 2}));
  for (const double scale : choice.scales) EXPECT_NEAR(scale, std::sqrt(0.5), 1e-12);
  EXPECT_THROW(draw_distinct({0, 0}, 1, 1), Error);
}

TEST(TakeTop, TakesTheHighestAndOfEqualOnesTheFirst) {
  EXPECT_EQ(take_top({3, 1, 4, 1, 5}, 3).positions, (std::vector<Index>{0, 2, 4}));
  EXPECT_EQ(take_top({1, 1, 1, 1}, 2).positions, (std::vector<Index>{0, 1}));
  EXPECT_TRUE(take_top({1, 2}, 1).scales.empty());
}

TEST(AlignedWeights, OfTwoCandidatesAreKnown) {
  // q = ½ ± d with 4d² = ρ.
  for (const double rho : {0.0, 0.09, 0.5, 0.99}) {
    const std::vector<double> q = aligned_weights({1, 3}, rho);
    EXPECT_NEAR(q[0], 0.5 - std::sqrt(rho) / 2, 1e-9);
    EXPECT_NEAR(q[1], 0.5 + std::sqrt(rho) / 2, 1e-9);
  }
  EXPECT_NEAR(aligned_weights({1, 3}, 5)[1], 1, 1e-12);
}

TEST(AlignedWeights, AreFeasibleAndBeatEveryOtherChoice) {
  const Random random(8, RandomStream::noise);
  const std::size_t n = 12;
  std::vector<double> scores;
  for (std::size_t t = 0; t < n; ++t) scores.push_back(std::abs(random.normal(t)));
  const auto value = [&](const std::vector<double>& q) {
    return std::inner_product(q.begin(), q.end(), scores.begin(), 0.0);
  };
  const auto divergence = [&](const std::vector<double>& q) {
    return static_cast<double>(n) * std::inner_product(q.begin(), q.end(), q.begin(), 0.0) - 1;
  };
  for (const double rho : {0.1, 1.0, 4.0}) {
    const std::vector<double> best = aligned_weights(scores, rho);
    EXPECT_NEAR(std::accumulate(best.begin(), best.end(), 0.0), 1, 1e-12);
    EXPECT_NEAR(divergence(best), rho, 1e-8);
    for (std::uint64_t trial = 0; trial < 2000; ++trial) {
      // A random q, mixed with the best one and drawn towards uniform until it is feasible.
      std::vector<double> q(n);
      double sum = 0;
      for (std::size_t t = 0; t < n; ++t)
        sum += q[t] = best[t] * 3 + std::exp(2 * random.normal(trial, static_cast<std::uint32_t>(t + 1))) * 0.1;
      for (double& weight : q) weight /= sum;
      const double shrink = std::min(1.0, std::sqrt(rho / divergence(q)));
      for (double& weight : q) weight = shrink * weight + (1 - shrink) / static_cast<double>(n);
      EXPECT_LE(value(q), value(best) + 1e-9);
    }
  }
}

TEST(TakeAligned, ScalesByTheWeightsAndDropsZeros) {
  const std::vector<double> scores = {1, 5, 2, 8};
  EXPECT_EQ(take_aligned(scores, 2, 0).positions, (std::vector<Index>{0, 1}));  // ρ = 0: uniform, so the plain ones
  for (const double scale : take_aligned(scores, 2, 0).scales) EXPECT_NEAR(scale, 1, 1e-15);
  const std::vector<double> q = aligned_weights(scores, 0.5);
  const ChosenFeatures choice = take_aligned(scores, 2, 0.5);
  EXPECT_EQ(choice.positions, (std::vector<Index>{1, 3}));
  EXPECT_NEAR(choice.scales[1], std::sqrt(4 * q[3]), 1e-12);
  EXPECT_EQ(take_aligned(scores, 3, 100).positions, (std::vector<Index>{3}));
}

TEST(DrawWithReplacement, IsOnAverageTheKernelOfThePool) {
  // (1/T')Σ scale² over the T' features is the mean over draws of 1/(M₀q) for each candidate: 1/M₀ on average.
  const std::vector<double> scores{0.9, 0.05, 0, 0.3, 0.6, 0.01};
  const double total = std::accumulate(scores.begin(), scores.end(), 0.0);
  std::vector<double> mean(scores.size());
  double repeated = 0;
  constexpr int kRuns = 20000;
  for (int run = 0; run < kRuns; ++run) {
    const ChosenFeatures choice = draw_with_replacement(scores, 4, static_cast<std::uint64_t>(run));
    const auto distinct = static_cast<double>(choice.positions.size());
    double draws = 0;
    for (std::size_t k = 0; k < choice.positions.size(); ++k) {
      const auto t = static_cast<std::size_t>(choice.positions[k]);
      const double square = choice.scales[k] * choice.scales[k] / distinct;
      mean[t] += square / kRuns;
      const double times = square * 4 * 6 * scores[t] / total;
      EXPECT_NEAR(times, std::round(times), 1e-9);
      draws += times;
      EXPECT_TRUE(k == 0 || choice.positions[k - 1] < choice.positions[k]);
    }
    EXPECT_NEAR(draws, 4, 1e-9);
    if (distinct < 4) repeated += 1;
  }
  for (std::size_t t = 0; t < scores.size(); ++t) {
    // Variance of the mean of 4 draws: (1/(M₀²q) − 1/M₀²)/4.
    const double q = scores[t] / total;
    const double deviation = q > 0 ? std::sqrt((1 / q - 1) / 4 / kRuns) / 6 : 0;
    EXPECT_NEAR(mean[t], q > 0 ? 1.0 / 6 : 0, 5 * deviation) << t;
  }
  EXPECT_GT(repeated, 0.5 * kRuns);
}

TEST(DrawWithReplacement, UniformScoresWithoutRepetitionLeaveFeaturesAsTheyAre) {
  std::vector<double> scores(100000, 0.5);
  const ChosenFeatures choice = draw_with_replacement(scores, 5, 1);
  ASSERT_EQ(choice.positions.size(), 5);
  for (const double scale : choice.scales) EXPECT_NEAR(scale, 1, 1e-9);
}

TEST(DrawWithReplacement, AsManyAsCorollary33AsksForKeepTheKernel) {
  // Ma et al. 2025, Theorem 3.2 rests on −½I ⪯ (K + NλI)^(−½)(K̂ − K)(K + NλI)^(−½) ⪯ ½I with probability 1 − δ.
  const Index rows = 25, pool = 300;
  const double lambda = 0.02, delta = 0.05;
  const Random random(8, RandomStream::noise);
  Dense phi(rows, pool);
  for (Index t = 0; t < pool; ++t) {
    const double size = t % 30 == 0 ? 4 : 0.5;  // few matter much
    for (Index i = 0; i < rows; ++i)
      phi(i, t) = size * random.normal(static_cast<std::uint64_t>(t), static_cast<std::uint32_t>(i)) /
                  (1.0 + static_cast<double>(i));
  }
  const Dense gram = phi.transpose() * phi / static_cast<double>(pool * rows);
  const std::vector<double> scores = leverage_scores({gram.data(), pool, pool}, lambda, 1);
  const double dimension = std::accumulate(scores.begin(), scores.end(), 0.0);
  const auto asked = static_cast<Index>(std::ceil(5 * dimension * std::log(16 * dimension / delta)));
  const Dense kernel = phi * phi.transpose() / static_cast<double>(pool);
  const Dense root = testing::inverse_root(kernel + static_cast<double>(rows) * lambda * Dense::Identity(rows, rows));
  constexpr int kRuns = 200;
  int failures = 0, failures_of_a_few = 0;
  const auto distance = [&](Index count, std::uint64_t seed) {
    const ChosenFeatures choice = draw_with_replacement(scores, count, seed);
    Dense drawn = Dense::Zero(rows, rows);
    for (std::size_t k = 0; k < choice.positions.size(); ++k)
      drawn += choice.scales[k] * choice.scales[k] / static_cast<double>(choice.positions.size()) *
               phi.col(choice.positions[k]) * phi.col(choice.positions[k]).transpose();
    return testing::eigenvalues(root * (drawn - kernel) * root).cwiseAbs().maxCoeff();
  };
  for (int run = 0; run < kRuns; ++run) {
    failures += distance(asked, static_cast<std::uint64_t>(run)) > 0.5;
    failures_of_a_few += distance(std::max<Index>(1, asked / 20), static_cast<std::uint64_t>(run)) > 0.5;
  }
  EXPECT_LE(failures, delta * kRuns);
  EXPECT_GT(failures_of_a_few, kRuns / 2);  // far fewer do not
}

}  // namespace
}  // namespace weft
