#include "pool_choice.hpp"

#include <weft/error.hpp>
#include <weft/fit.hpp>

#include "dense_algebra.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <Eigen/Core>

namespace weft::papers {
namespace {

/// Rows of a smooth function of three inputs, as a table and as the encoder of `encode` leaves them.
struct PoolProblem {
  explicit PoolProblem(Index rows) : table(rows, 3), x(3, rows), y(rows, 1) {
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < 3; ++j)
        table(i, j) = x(j, i) = std::sin(0.7 * static_cast<double>(i * (j + 1)) + static_cast<double>(j));
      y(i, 0) = std::sin(2 * x(0, i)) + x(1, i) * x(2, i) + 0.05 * std::cos(static_cast<double>(i * i));
    }
  }
  Matrix table, x, y;
};

FamilyOptions family(Sampling sampling, Index features) {
  FamilyOptions options;
  options.family = "rff-rbf";
  options.features = features;
  options.sampling = sampling;
  options.seed = 5;
  if (sampling != Sampling::plain) options.candidates = 40;
  if (sampling == Sampling::leverage || sampling == Sampling::leverage_top) options.sampling_lambda = 1e-3;
  return options;
}

struct Pool {
  FeatureMap map;
  Matrix phi;
  PoolSums sums;
};

Pool pool_of(const PoolProblem& problem, Index features) {
  Pool pool{FeatureMap::draw(family(Sampling::plain, features), Inputs::plain(3)), Matrix(features, problem.x.cols()),
            PoolSums(features)};
  pool.map.smoothings(problem.x, pool.phi);
  pool.sums.add(View<const double>(pool.phi), problem.y.data());
  return pool;
}

// The samplers of a fit look at rows; sums must lead them to the same features.
TEST(PoolChoice, IsTheChoiceOfAFit) {
  const PoolProblem problem(500);
  const Pool pool = pool_of(problem, 60);  // a larger pool: its first 40 are the pool
  EncodeOptions encode;
  encode.scale = Scaling::none;
  encode.bias = false;
  encode.task = TargetKind::regression;
  for (const Sampling sampling : {Sampling::leverage_top, Sampling::eerf, Sampling::lkrf}) {
    FitOptions options;
    options.lambda = 1e-3;
    const FeatureMap expected =
        fit({array(problem.table, problem.y), family(sampling, 8), options, encode}).parts().map;
    const ChosenFeatures chosen =
        choose_from_sums(pool.sums, {.sampling = sampling, .features = 8, .pool = 40, .lambda = 1e-3, .seed = 5});
    const FeatureMap map = pool.map.subset(chosen.positions, chosen.scales);
    ASSERT_EQ(map.features(), expected.features()) << name_of(sampling);
    Matrix a(map.features(), problem.x.cols()), b(map.features(), problem.x.cols());
    expected.smoothings(problem.x, a);
    map.smoothings(problem.x, b);
    for (Index i = 0; i < a.rows() * a.cols(); ++i) ASSERT_NEAR(a.data()[i], b.data()[i], 1e-9) << name_of(sampling);
  }
  const ChosenFeatures plain = choose_from_sums(pool.sums, {.sampling = Sampling::plain, .features = 3, .pool = 40});
  EXPECT_EQ(plain.positions, (std::vector<Index>{0, 1, 2}));
}

TEST(PoolChoice, DrawsByTheLeverageScores) {
  const PoolProblem problem(300);
  const Pool pool = pool_of(problem, 40);
  const PoolChoice wanted{.sampling = Sampling::leverage, .features = 10, .pool = 40, .lambda = 1e-3, .seed = 7};
  const Eigen::Map<const Eigen::MatrixXd> phi(pool.phi.data(), 300, 40);  // column t is feature t
  const Eigen::MatrixXd gram = phi.transpose() * phi / (40.0 * 300.0);
  const Eigen::MatrixXd hat = gram * weft::testing::inverse(gram + 1e-3 * Eigen::MatrixXd::Identity(40, 40));
  const Eigen::VectorXd diagonal = hat.diagonal();
  const ChosenFeatures expected = resample({diagonal.data(), diagonal.data() + 40}, 10, 7);
  const ChosenFeatures chosen = choose_from_sums(pool.sums, wanted);
  EXPECT_EQ(chosen.positions, expected.positions);
  for (std::size_t k = 0; k < chosen.scales.size(); ++k) EXPECT_NEAR(chosen.scales[k], expected.scales[k], 1e-9);
}

TEST(PoolChoice, SolvesAndEvaluatesAsOnRows) {
  const PoolProblem problem(300);
  const Pool pool = pool_of(problem, 12);
  const double lambda = 1e-3;
  const ChosenFeatures some{{1, 4, 5, 10}, {1.0, 0.5, 2.0, 1.5}};
  const PoolSums sums = pool.sums.subset(some);
  const LinearFit fitted = ridge_fits(sums, {1e-1, lambda})[1];

  Eigen::MatrixXd phi(4, 300);
  Eigen::VectorXd y(300);
  for (Index i = 0; i < 300; ++i) {
    y(i) = problem.y(i, 0);
    for (Index t = 0; t < 4; ++t) {
      const auto at = static_cast<std::size_t>(t);
      phi(t, i) = some.scales[at] * pool.phi(some.positions[at], i);
    }
  }
  const Eigen::MatrixXd centred = phi.colwise() - phi.rowwise().mean();
  const Eigen::VectorXd target = y.array() - y.mean();
  const Eigen::MatrixXd a = centred * centred.transpose() / 300 + lambda * Eigen::MatrixXd::Identity(4, 4);
  const Eigen::VectorXd b = weft::testing::solve_symmetric(a, centred * target / 300);
  double squares = 0;
  for (Index i = 0; i < 300; ++i) {
    double value = fitted.intercept;
    for (Index t = 0; t < 4; ++t) value += fitted.coefficients[static_cast<std::size_t>(t)] * phi(t, i);
    EXPECT_NEAR(value, y.mean() + b.dot(centred.col(i)), 1e-9);
    squares += (value - y(i)) * (value - y(i)) / 300;
  }
  EXPECT_NEAR(mean_square(sums, fitted), squares, 1e-10);
}

TEST(PoolSums, OfPartsAddUp) {
  const PoolProblem problem(100);
  const Pool pool = pool_of(problem, 6);
  PoolSums first(6), second(6);
  first.add(pool.phi.view().col_range(0, 30), problem.y.data());
  second.add(pool.phi.view().col_range(30, 70), problem.y.data() + 30);
  first.merge(second);
  EXPECT_EQ(first.rows, 100);
  for (Index s = 0; s < 6; ++s) {
    EXPECT_NEAR(first.cross[static_cast<std::size_t>(s)], pool.sums.cross[static_cast<std::size_t>(s)], 1e-10);
    for (Index t = 0; t <= s; ++t) EXPECT_NEAR(first.gram(s, t), pool.sums.gram(s, t), 1e-10);
  }
}

TEST(Resample, UniformScoresLeaveFeaturesAsTheyAre) {
  const std::vector<double> scores(100000, 0.3);
  const ChosenFeatures choice = resample(scores, 20, 1);
  ASSERT_EQ(choice.positions.size(), 20u);  // so many candidates that none is drawn twice
  for (const double scale : choice.scales) EXPECT_NEAR(scale, 1, 1e-10);
}

// The mean of s²φφ' over the D features is the mean of φφ'/(M₀q) over the draws: the multiplicities that the scales
// imply are whole numbers and add up to the number of draws.
TEST(Resample, MergesDuplicatesWithoutChangingTheKernel) {
  const std::vector<double> scores = {0.5, 0.01, 0.2, 0.0, 0.9, 0.3};
  const double total = std::accumulate(scores.begin(), scores.end(), 0.0);
  for (const Index count : {1, 5, 40}) {
    const ChosenFeatures choice = resample(scores, count, 7);
    const double distinct = static_cast<double>(choice.positions.size());
    double draws = 0;
    for (std::size_t k = 0; k < choice.positions.size(); ++k) {
      const double q = scores[static_cast<std::size_t>(choice.positions[k])] / total;
      const double times = choice.scales[k] * choice.scales[k] * 6 * q * static_cast<double>(count) / distinct;
      EXPECT_NEAR(times, std::round(times), 1e-9);
      EXPECT_GT(times, 0.5);
      draws += times;
    }
    EXPECT_NEAR(draws, static_cast<double>(count), 1e-9);
  }
}

TEST(Resample, IsUnbiasedForTheKernelOfThePool) {
  const std::vector<double> scores = {0.5, 0.05, 0.2, 0.1, 0.9, 0.3};
  const std::vector<double> values = {1.0, -2.0, 0.5, 3.0, 0.1, -0.7};  // φφ' of each candidate
  const double expected = std::accumulate(values.begin(), values.end(), 0.0) / 6;
  constexpr int kSeeds = 20000;
  double sum = 0, squares = 0;
  for (int seed = 0; seed < kSeeds; ++seed) {
    const ChosenFeatures choice = resample(scores, 4, static_cast<std::uint64_t>(seed));
    double kernel = 0;
    for (std::size_t k = 0; k < choice.positions.size(); ++k)
      kernel += choice.scales[k] * choice.scales[k] * values[static_cast<std::size_t>(choice.positions[k])] /
                static_cast<double>(choice.positions.size());
    sum += kernel;
    squares += kernel * kernel;
  }
  const double mean = sum / kSeeds;
  EXPECT_NEAR(mean, expected, 5 * std::sqrt((squares / kSeeds - mean * mean) / kSeeds));
}

TEST(Resample, WithoutAnyScoreIsAnError) {
  EXPECT_THROW(resample({0, 0}, 1, 1), Error);
}

}  // namespace
}  // namespace weft::papers
