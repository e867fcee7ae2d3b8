#include "objective/platt.hpp"

#include "core/random.hpp"

#include <weft/error.hpp>

#include <gtest/gtest.h>
#include <cmath>
#include <vector>

namespace weft {

using namespace detail;
namespace {

struct Scored {
  std::vector<double> scores;
  std::vector<std::uint8_t> positive;
};

/// Labels drawn from p = 1 / (1 + exp(slope f + offset)).
Scored draw(Index rows, double slope, double offset, double spread = 1) {
  const Random random(5, RandomStream::generator);
  Scored data;
  for (Index i = 0; i < rows; ++i) {
    const double f = spread * random.normal(static_cast<std::uint64_t>(i));
    data.scores.push_back(f);
    data.positive.push_back(random.uniform(static_cast<std::uint64_t>(i), 7) < Sigmoid{slope, offset}.probability(f));
  }
  return data;
}

double loss(const Scored& data, const std::vector<double>& weights, Sigmoid s) {
  double positives = 0, negatives = 0, sum = 0;
  for (std::size_t i = 0; i < data.scores.size(); ++i) (data.positive[i] ? positives : negatives) += weights[i];
  for (std::size_t i = 0; i < data.scores.size(); ++i) {
    const double t = data.positive[i] ? (positives + 1) / (positives + 2) : 1 / (negatives + 2);
    const double p = 1 / (1 + std::exp(s.slope * data.scores[i] + s.offset));
    sum -= weights[i] * (t * std::log(p) + (1 - t) * std::log(1 - p));
  }
  return sum;
}

/// A grid that shrinks around its best point.
Sigmoid brute_force(const Scored& data, const std::vector<double>& weights) {
  Sigmoid best;
  for (double width = 8; width > 1e-7; width *= 0.5) {
    const Sigmoid centre = best;
    for (int i = -4; i <= 4; ++i)
      for (int j = -4; j <= 4; ++j) {
        const Sigmoid trial{centre.slope + i * width / 4, centre.offset + j * width / 4};
        if (loss(data, weights, trial) < loss(data, weights, best)) best = trial;
      }
  }
  return best;
}

TEST(Platt, RecoversAKnownSigmoid) {
  const Scored data = draw(200000, -1.7, 0.4);
  const Sigmoid found = fit_sigmoid(data.scores, data.positive);
  EXPECT_NEAR(found.slope, -1.7, 0.03);  // about three standard errors
  EXPECT_NEAR(found.offset, 0.4, 0.03);
}

TEST(Platt, MaximisesTheLikelihood) {
  for (const double offset : {-3.0, 0.0, 1.0}) {
    const Scored data = draw(300, -1.2, offset);
    std::vector<double> weights;
    for (std::size_t i = 0; i < 300; ++i) weights.push_back(0.5 + static_cast<double>(i % 3));
    const Sigmoid expected = brute_force(data, weights);
    const Sigmoid found = fit_sigmoid(data.scores, data.positive, weights);
    EXPECT_NEAR(found.slope, expected.slope, 1e-5);
    EXPECT_NEAR(found.offset, expected.offset, 1e-5);
    EXPECT_LE(loss(data, weights, found), loss(data, weights, expected) + 1e-10);
  }
}

TEST(Platt, WeightsAreCopies) {
  const Scored data = draw(100, -1, 0.2);
  std::vector<double> weights;
  Scored repeated;
  for (std::size_t i = 0; i < 100; ++i) {
    weights.push_back(static_cast<double>(i % 3));
    for (std::size_t k = 0; k < i % 3; ++k) {
      repeated.scores.push_back(data.scores[i]);
      repeated.positive.push_back(data.positive[i]);
    }
  }
  const Sigmoid a = fit_sigmoid(data.scores, data.positive, weights);
  const Sigmoid b = fit_sigmoid(repeated.scores, repeated.positive);
  EXPECT_NEAR(a.slope, b.slope, 1e-8);
  EXPECT_NEAR(a.offset, b.offset, 1e-8);
}

TEST(Platt, DoesNotDependOnTheUnitOfTheScores) {
  Scored data = draw(500, -1, 0.2);
  const Sigmoid unit = fit_sigmoid(data.scores, data.positive);
  for (double& score : data.scores) score *= 1e-9;
  const Sigmoid small = fit_sigmoid(data.scores, data.positive);
  EXPECT_NEAR(small.slope * 1e-9, unit.slope, 1e-7);
  EXPECT_NEAR(small.offset, unit.offset, 1e-7);
}

TEST(Platt, SeparableOneSidedAndConstantScoresStayFinite) {
  const std::vector<double> scores = {-3, -2, -1, 1, 2, 3};
  const Sigmoid separable = fit_sigmoid(scores, std::vector<std::uint8_t>{0, 0, 0, 1, 1, 1});
  EXPECT_LT(separable.slope, 0);
  EXPECT_GT(separable.probability(3), 0.75);
  EXPECT_LT(separable.probability(3), 1);
  const Sigmoid one_sided = fit_sigmoid(scores, std::vector<std::uint8_t>(6, 1));
  EXPECT_NEAR(one_sided.probability(0), 7.0 / 8, 1e-6);  // Platt's target (6+1)/(6+2)
  const std::vector<double> same(6, 2.0);
  const Sigmoid constant = fit_sigmoid(same, std::vector<std::uint8_t>{0, 0, 0, 1, 1, 1});
  EXPECT_NEAR(constant.probability(2), 0.5, 1e-6);
  EXPECT_EQ(Sigmoid({-1, 0}).probability(1e6), 1);
  EXPECT_EQ(Sigmoid({-1, 0}).probability(-1e6), 0);
}

TEST(Platt, MistakesAreErrors) {
  EXPECT_THROW(fit_sigmoid({}, {}), Error);
  const std::vector<double> bad = {1, NAN};
  EXPECT_THROW(fit_sigmoid(bad, std::vector<std::uint8_t>{0, 1}), Error);
}

}  // namespace
}  // namespace weft
