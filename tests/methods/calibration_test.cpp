#include <weft/fit.hpp>

#include "methods/least_squares/least_squares.hpp"
#include "methods/table_rows.hpp"
#include "objective/platt.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace weft {

using namespace detail;
namespace {

TEST(Calibration, ProbabilitiesMatchFrequenciesOnFreshRows) {
  FamilyOptions family;
  family.family = "rw-relu";
  family.features = 100;
  FitOptions options;
  options.use<LeastSquaresOptions>().calibrate = true;
  const Model model = fit({generate("moons", {.rows = 4000, .seed = 1, .noise = 0.4}), family, options});
  ASSERT_TRUE(model.has_probabilities());
  const Data fresh = generate("moons", {.rows = 8000, .seed = 2, .noise = 0.4});
  // Bins of predicted probability: what was predicted happened about as often.
  double predicted[5] = {}, happened[5] = {}, count[5] = {};
  model.for_each_prediction(fresh, {.with_targets = true}, [&](const PredictionBlock& block) {
    for (Index i = 0; i < block.rows(); ++i) {
      const double p = block.probabilities(i, 1);
      const auto bin = std::min<std::size_t>(4, static_cast<std::size_t>(5 * p));
      predicted[bin] += p;
      happened[bin] += block.targets(i, 0);
      ++count[bin];
    }
  });
  for (int bin = 0; bin < 5; ++bin) {
    ASSERT_GT(count[bin], 100);
    EXPECT_NEAR(predicted[bin] / count[bin], happened[bin] / count[bin], 0.1) << bin;
  }
  EXPECT_LT(*evaluate(model, fresh).logloss, 0.35);
}

TEST(Calibration, SeveralClassesAddUpToOne) {
  FamilyOptions family;
  family.features = 60;
  FitOptions options;
  options.use<LeastSquaresOptions>().calibrate = true;
  const Data data = generate("gaussian-quantiles", {.rows = 900});
  const Matrix p = fit({data, family, options}).probabilities(data);
  ASSERT_EQ(p.cols(), 3);
  for (Index i = 0; i < p.rows(); ++i) EXPECT_NEAR(p(i, 0) + p(i, 1) + p(i, 2), 1, 1e-12);
}

/// The sigmoid on the scores of every row by the fit without it, with the same total penalty.
Sigmoid sigmoid_of_refits(const testing_rows::TableRows& all, const FeatureMap& map, FitOptions options) {
  std::vector<double> scores;
  std::vector<std::uint8_t> positive;
  std::vector<double> weights = all.weights;
  double total = static_cast<double>(all.rows());
  if (!weights.empty()) total = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double lambda = *options.lambda, epsilon = options.own<LeastSquaresOptions>().epsilon;
  for (Index left = 0; left < all.rows(); ++left) {
    testing_rows::TableRows rows(Matrix(all.x.rows(), all.rows() - 1), Matrix(1, all.rows() - 1));
    for (Index i = 0; i + 1 < all.rows(); ++i) {
      const Index from = i < left ? i : i + 1;
      for (Index j = 0; j < all.x.rows(); ++j) rows.x(j, i) = all.x(j, from);
      rows.y(0, i) = all.y(0, from);
      if (!weights.empty()) rows.weights.push_back(weights[static_cast<std::size_t>(from)]);
    }
    const double share = total / (total - (weights.empty() ? 1 : weights[static_cast<std::size_t>(left)]));
    options.lambda = lambda * share;
    options.use<LeastSquaresOptions>().epsilon = epsilon * share;
    const FamilyOptions family;
    const weft::Run run;
    const FitResult fit = fit_least_squares({map, rows, Task::binary, options, family, run});
    Matrix phi(map.features(), 1);
    map.smoothings(all.x.view().col_range(left, 1), phi.view());
    double score = fit.intercepts[0];
    for (Index t = 0; t < map.features(); ++t) score += fit.coefficients(t, 0) * phi(t, 0);
    scores.push_back(score);
    positive.push_back(all.y(0, left) > 0);
  }
  // Through 1/2 at the score 0: with the mirror image of every row.
  for (std::size_t i = 0; i < static_cast<std::size_t>(all.rows()); ++i) {
    scores.push_back(-scores[i]);
    positive.push_back(positive[i] == 0);
    if (!weights.empty()) weights.push_back(weights[i]);
  }
  return fit_sigmoid(scores, positive, weights);
}

TEST(Calibration, OfLeastSquaresIsThatOfLeavingEveryRowOut) {
  testing_rows::TableRows rows = testing_rows::sectors(60, 3, 2, true, 1.5);
  FamilyOptions family;
  family.features = 20;
  const FeatureMap map = FeatureMap::draw(resolve_family(family, 3), Inputs::plain(3, true));
  const weft::Run run;
  for (const bool weighted : {false, true})
    for (const bool intercept : {true, false}) {
      for (Index i = 0; weighted && i < 60; ++i) rows.weights.push_back(0.5 + 0.1 * static_cast<double>(i % 7));
      FitOptions options{.lambda = 1e-3, .intercept = intercept};
      const FitResult fit = fit_least_squares({map, rows, Task::binary, options, family, run});
      const Sigmoid wanted = sigmoid_of_refits(rows, map, options);
      ASSERT_EQ(fit.calibration.slope.size(), 1U);
      EXPECT_NEAR(fit.calibration.slope[0], wanted.slope, 1e-5 * std::abs(wanted.slope));
      EXPECT_EQ(fit.calibration.offset[0], 0);
      EXPECT_NEAR(wanted.offset, 0, 1e-5);
      rows.weights.clear();
    }
}

TEST(Calibration, EveryMethodHasProbabilitiesThatHold) {
  const Data data = generate("moons", {.rows = 1500, .seed = 1, .noise = 0.5});
  const Data fresh = generate("moons", {.rows = 4000, .seed = 2, .noise = 0.5});
  FamilyOptions family;
  family.features = 200;
  const FitOptions all[] = {
      {.method = LeastSquaresOptions{}, .lambda = 1e-3},
      {.method = LeastSquaresOptions{}},
      {.method = LassoOptions{}, .lambda = 1e-3},
      {.method = FunctionalGradientOptions{}, .lambda = 1e-1},
      {.method = OptimalStepOptions{.loss = DescentLoss::hinge}, .lambda = 1e-3},
      {.method = LearnedActivationOptions{.loss = LearnedLoss::squared, .iterations = 2}, .lambda = 1e-3},
  };
  for (const FitOptions& options : all) {
    SCOPED_TRACE(method_name(options.method));
    const Model model = fit({data, family, options});
    ASSERT_TRUE(model.has_probabilities());
    const Evaluation found = evaluate(model, fresh);
    // Half of the rows are of each class: a model that knows nothing has 0.693 and 0.25.
    EXPECT_LT(found.logloss.value(), 0.5);
    EXPECT_LT(found.brier.value(), 0.17);
    // A sigmoid through 1/2 at the score 0, fitted to the fresh rows themselves, is hardly better.
    std::vector<double> scores;
    std::vector<std::uint8_t> positive;
    model.for_each_prediction(fresh, {.with_targets = true}, [&](const PredictionBlock& block) {
      for (Index i = 0; i < block.rows(); ++i) {
        scores.push_back(block.scores(i, 0));
        positive.push_back(block.targets(i, 0) == 1);
      }
    });
    const std::size_t rows = scores.size();
    for (std::size_t i = 0; i < rows; ++i) {
      scores.push_back(-scores[i]);
      positive.push_back(positive[i] == 0);
    }
    const Sigmoid best = fit_sigmoid(scores, positive);
    double least = 0;  // mirror images have the losses of their rows
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double p = best.probability(scores[i]);
      least -= std::log(positive[i] != 0 ? p : 1 - p) / static_cast<double>(scores.size());
    }
    EXPECT_LT(found.logloss.value(), least + 0.01);
  }
}

TEST(Calibration, IsForLeastSquaresClassifiersOnly) {
  FitOptions options;
  options.use<LeastSquaresOptions>().calibrate = true;
  EXPECT_THROW(fit({generate("friedman1", {.rows = 200}), {.features = 20}, options}), Error);
  EXPECT_EQ(methods_with("calibrate"), (std::vector<std::string>{"least-squares", "kernel-ridge"}));
}

}  // namespace
}  // namespace weft
