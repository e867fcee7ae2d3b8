// Local models and portfolios from tables to predictions.
#include <weft/fit.hpp>

#include "data/memory_table.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace weft {
namespace {

using testing::TableColumn;

/// One minus the variance explained.
double relative_error(const Model& model, const Data& data) {
  return 1 - evaluate(model, data).r2.value();
}

void expect_equal(const Matrix& a, const Matrix& b, double tolerance) {
  ASSERT_EQ(a.rows(), b.rows());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index k = 0; k < a.cols(); ++k) ASSERT_NEAR(a(i, k), b(i, k), tolerance * (1 + std::abs(b(i, k)))) << i;
}

TEST(LocalModel, WithOneLeafEqualsExactKernelRidge) {
  const Data data = generate("friedman1", {.rows = 300});
  const Data fresh = generate("friedman1", {.rows = 50, .seed = 2});
  for (const double lambda : {1e-2, 1e-5}) {
    const FitOptions exact{.method = KernelRidgeOptions{.kernel = "laplace", .bandwidth = "6"}, .lambda = lambda};
    const FitOptions local{.method = LocalOptions{.bandwidth = "6", .relevance = 0, .leaf = 300}, .lambda = lambda};
    expect_equal(fit({data, {}, local}).predict(fresh), fit({data, {}, exact}).predict(fresh), 1e-9);
  }
}

TEST(LocalModel, IsTheSameOnAnyNumberOfThreads) {
  const Data data = generate("friedman1", {.rows = 3000});
  const FitOptions options{.method = LocalOptions{.relevance = 1, .leaf = 400}};
  const Matrix one = fit({data, {}, options, {}, {.threads = 1}}).predict(data);
  const Matrix three = fit({data, {}, options, {}, {.threads = 3}}).predict(data);
  for (Index i = 0; i < one.rows(); ++i) ASSERT_EQ(one(i, 0), three(i, 0));
}

TEST(LocalModel, SurvivesItsFile) {
  const Data data = generate("friedman1", {.rows = 600});
  const Model model = fit({data, {}, {.method = LocalOptions{.relevance = 1, .leaf = 100}}});
  EXPECT_EQ(model.parts().members.size(), 2u);
  EXPECT_EQ(model.relevance().size(), 10u);
  const Matrix before = model.predict(data), after = Model::from_bytes(model.to_bytes()).predict(data);
  for (Index i = 0; i < before.rows(); ++i) ASSERT_EQ(before(i, 0), after(i, 0));
}

TEST(LocalModel, AfterAGlobalOneFitsWhatItLeaves) {
  const Data data = generate("friedman1", {.rows = 4000});
  const Data fresh = generate("friedman1", {.rows = 1000, .seed = 2});
  const Model global =
      fit({data, {}, {.method = KernelRidgeOptions{.kernel = "laplace", .bandwidth = "median", .landmarks = 60}}});
  const Model both = fit({data, {}, {.method = LocalOptions{.relevance = 0, .leaf = 1000, .trees = 1, .global = 60}}});
  EXPECT_EQ(both.parts().members.size(), 2u);
  EXPECT_LT(relative_error(both, fresh), relative_error(global, fresh));
}

TEST(LocalModel, RelevanceFindsTheFiveInputsThatMatter) {
  const Data data = generate("friedman1", {.rows = 2000});
  const Model model = fit({data, {}, {.method = LocalOptions{.relevance = 3}}});
  const std::vector<Relevance> relevance = model.relevance();
  for (std::size_t k = 0; k < 5; ++k) EXPECT_LT(relevance[k].variable, "x6") << k;
  EXPECT_LT(relevance[5].value, 0.2);
}

TEST(Portfolio, IsBetterThanRandomFeaturesOnFriedman1) {
  const Data data = generate("friedman1", {.rows = 1200});
  const Data fresh = generate("friedman1", {.rows = 2000, .seed = 2});
  const Model model = fit({data, {}, {.method = PortfolioOptions{}}, {.scale = Scaling::both}});
  EXPECT_LT(relative_error(model, fresh), 0.9 * relative_error(fit({data, {.features = 1000}}), fresh));
}

TEST(Portfolio, PredictsCalibratedProbabilities) {
  const Data data = generate("moons", {.rows = 800, .noise = 0.3});
  const Data fresh = generate("moons", {.rows = 2000, .seed = 2, .noise = 0.3});
  const Model model = fit({data, {}, {.method = PortfolioOptions{}}, {.scale = Scaling::both}});
  ASSERT_TRUE(model.has_probabilities());
  const Evaluation evaluation = evaluate(model, fresh);
  EXPECT_LT(evaluation.logloss.value(), 0.35);
  EXPECT_GT(evaluation.auc.value(), 0.95);
}

TEST(Portfolio, OneOfItsCandidatesCanBeKept) {
  const Data data = generate("friedman1", {.rows = 400});
  EXPECT_EQ(
      fit({data, {}, {.method = PortfolioOptions{.single = true}}, {.scale = Scaling::both}}).parts().members.size(),
      1u);
}

Data table(std::vector<TableColumn> columns) {
  return testing::memory_table(std::move(columns), "y");
}

std::vector<double> ramp(std::size_t count, double step) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(step * static_cast<double>(i));
  return values;
}

void expect_finite_predictions(const Data& data) {
  for (const MethodOptions& method : {MethodOptions{PortfolioOptions{}}, MethodOptions{LocalOptions{.leaf = 20}}}) {
    const Matrix predictions = fit({data, {}, {.method = method}, {.scale = Scaling::both}}).predict(data);
    for (Index i = 0; i < predictions.rows(); ++i) ASSERT_TRUE(std::isfinite(predictions(i, 0))) << i;
  }
}

TEST(LearnedKernels, TakeConstantInputsAndDuplicates) {
  expect_finite_predictions(table({{"a", std::vector<double>(60, 3.0)}, {"y", ramp(60, 0.5)}}));
  expect_finite_predictions(table({{"a", ramp(60, 1)}, {"b", std::vector<double>(60, 1.0)}, {"y", ramp(60, 2)}}));
  std::vector<double> twice(80), targets(80);
  for (std::size_t i = 0; i < 80; ++i) {
    twice[i] = i < 40 ? 0 : 1;
    targets[i] = static_cast<double>(i % 7);
  }
  expect_finite_predictions(table({{"a", twice}, {"y", targets}}));
}

TEST(LearnedKernels, TakeVeryFewRowsAndLeavesOfOneClass) {
  expect_finite_predictions(table({{"a", ramp(3, 1)}, {"y", ramp(3, 1.5)}}));
  std::vector<std::string> classes(90, "no");
  for (std::size_t i = 0; i < 6; ++i) classes[i] = "yes";  // leaves without a yes
  expect_finite_predictions(table({{"a", ramp(90, 1)}, {"y", classes}}));
}

// Without relevance it is least squares on the features that this family draws.
TEST(LearnedRelevance, WithoutRoundsEqualsLeastSquares) {
  const Data data = generate("friedman1", {.rows = 3000});
  const Data fresh = generate("friedman1", {.rows = 50, .seed = 2});
  for (const char* family : {"auto", "rw-relu"}) {
    FamilyOptions options;
    options.family = family;
    options.features = 100;
    options.sigma = 0.7;
    const FitOptions plain{.method = LeastSquaresOptions{}, .lambda = 1e-4};
    const FitOptions learned{.method = LearnedRelevanceOptions{.relevance = 0}, .lambda = 1e-4};
    const Matrix a = fit({data, options, learned}).predict(fresh), b = fit({data, options, plain}).predict(fresh);
    for (Index i = 0; i < a.rows(); ++i) EXPECT_NEAR(a(i, 0), b(i, 0), 1e-7 * (1 + std::abs(b(i, 0)))) << family;
  }
}

TEST(LearnedRelevance, IsLearnedStoredAndTheSameOnAnyNumberOfThreads) {
  const Data data = generate("friedman1", {.rows = 3000});
  FamilyOptions options;
  options.features = 100;
  const FitOptions learned{.method = LearnedRelevanceOptions{.relevance = 2}};
  const Model model = fit({data, options, learned, {}, {.threads = 1}});
  const Model three = Model::from_bytes(fit({data, options, learned, {}, {.threads = 3}}).to_bytes());
  const Matrix a = model.predict(data), b = three.predict(data);
  for (Index i = 0; i < a.rows(); ++i) ASSERT_EQ(a(i, 0), b(i, 0));
  const std::vector<double>& relevance = three.parts().relevance;
  ASSERT_EQ(relevance.size(), 10u);
  for (std::size_t j = 0; j < 5; ++j)
    for (std::size_t ignored = 5; ignored < 10; ++ignored) EXPECT_GT(relevance[j], relevance[ignored]);
  FamilyOptions by_rows = options;
  by_rows.sampling = Sampling::leverage;
  EXPECT_THROW(fit({data, by_rows, learned}), Error);
}

}  // namespace
}  // namespace weft
