// Explanations against known functions, predictions of tables made by hand, and enumerated coalitions.
#include <weft/explanation.hpp>
#include <weft/fit.hpp>

#include "explain/row_sample.hpp"
#include "model/sample_members.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace weft {
namespace {

using namespace detail;

/// Three columns with the values −1, 0.2, 0.5 and 1 in all combinations, and f of them.
struct Table {
  Matrix x = Matrix(192, 3);
  Matrix y = Matrix(192, 1);

  template <class F>
  explicit Table(F f) {
    const double values[] = {-1, 0.2, 0.5, 1};
    for (Index i = 0; i < x.rows(); ++i) {
      for (Index j = 0, code = i; j < 3; ++j, code /= 4) x(i, j) = values[code % 4];
      y(i, 0) = f(x(i, 0), x(i, 1), x(i, 2));
    }
  }
  Data data() const { return array(x, y); }
};

Model fitted(const Data& data, const std::string& family) {
  FamilyOptions options;
  options.family = family;
  options.features = 200;
  options.gamma = 1;
  FitOptions fit_options;
  fit_options.lambda = 1e-8;
  EncodeOptions encode;
  encode.scale = Scaling::none;
  encode.task = TargetKind::regression;
  return fit({data, options, fit_options, encode});
}

double product(double a, double b, double c) {
  return 2 * a * b + c;
}

TEST(Explanation, GrowthOfTheLossOfAnExactModelIsTwiceTheSquaredEffect) {
  const Table table(product);
  const Explanation found = explain(fitted(table.data(), "rw-relu"), table.data(), {.repeats = 3});
  EXPECT_EQ(found.rows, 192);
  EXPECT_EQ(found.loss, "mse");
  EXPECT_LT(*found.loss_before, 1e-3);
  ASSERT_EQ(found.variables.size(), 3U);
  for (const VariableEffect& variable : found.variables) {
    EXPECT_NEAR(variable.loss->value, 2 * std::pow(variable.effect.value, 2), 0.05);
    EXPECT_LT(variable.effect.low, variable.effect.value);
    EXPECT_GT(variable.effect.high, variable.effect.value);
  }
  EXPECT_EQ(found.variables.back().name, "x2");
}

TEST(Explanation, InteractionOfAProductIsItsStandardDeviation) {
  const Table table(product);
  const Explanation found = explain(fitted(table.data(), "rw-relu"), table.data());
  // 2(a − ā)(b − b̄) of independent a and b with variance v.
  const double mean = 0.175, variance = (1 + 0.04 + 0.25 + 1) / 4 - mean * mean;
  ASSERT_EQ(found.interactions.size(), 3U);
  EXPECT_EQ(found.interactions.front().first, "x0");
  EXPECT_EQ(found.interactions.front().second, "x1");
  EXPECT_NEAR(found.interactions.front().strength.value, 2 * variance, 0.25);
  EXPECT_LT(found.interactions[1].strength.value, 0.05);
}

TEST(Explanation, StumpsDoNotInteract) {
  const Table table([](double a, double b, double c) { return a + b * b - c; });
  const Explanation found = explain(fitted(table.data(), "rw-stumps"), table.data());
  for (const Interaction& pair : found.interactions) EXPECT_LT(pair.strength.value, 1e-9);
}

TEST(Explanation, CurvesAreMeanPredictionsOfTablesWithOneValue) {
  const Table table(product);
  const Model model = fitted(table.data(), "rw-relu");
  const Explanation found = explain(model, table.data(), {.variables = "x1"});
  ASSERT_EQ(found.curves.size(), 1U);
  const DependenceCurve& curve = found.curves.front();
  EXPECT_EQ(curve.values, (std::vector<double>{-1, 0.2, 0.5, 1}));
  EXPECT_EQ(curve.rows.size(), 30U);
  for (Index g = 0; g < curve.points(); ++g) {
    Matrix x = table.x;
    for (Index i = 0; i < x.rows(); ++i) x(i, 1) = curve.values[static_cast<std::size_t>(g)];
    const Matrix predicted = model.predict(array(x));
    double mean = 0;
    for (Index i = 0; i < x.rows(); ++i) mean += predicted(i, 0) / static_cast<double>(x.rows());
    EXPECT_NEAR(curve.mean(g, 0), mean, 1e-11);
    for (Index i = 0; i < 30; ++i)
      EXPECT_NEAR(curve.individual(g, i), predicted(curve.rows[static_cast<std::size_t>(i)], 0), 1e-11);
    EXPECT_LE(curve.low(g, 0), curve.mean(g, 0));
    EXPECT_GE(curve.high(g, 0), curve.mean(g, 0));
  }
}

TEST(Explanation, QuantilesWhereThereAreMoreValuesThanPoints) {
  const Data data = generate("friedman1", {.rows = 300});
  FamilyOptions family;
  family.features = 50;
  const Explanation found = explain(fit({data, family}), data, {.curves = 2, .points = 7});
  ASSERT_EQ(found.curves.size(), 2U);
  EXPECT_EQ(found.curves[0].values.size(), 7U);
  EXPECT_TRUE(std::is_sorted(found.curves[0].values.begin(), found.curves[0].values.end()));
}

TEST(Explanation, ACategoryIsOneVariableWithItsNames) {
  const Model model(testing::sample_parts("y"));
  const Explanation found = explain(model, testing::sample_data(60, "y"), {.variables = "city"});
  EXPECT_EQ(found.variables.size(), 3U);
  EXPECT_FALSE(found.curves.front().categories.empty());
  EXPECT_TRUE(found.curves.front().values.empty());
}

TEST(Explanation, CurvesAndInteractionsCanBeLeftOut) {
  const Table table(product);
  const Model model = fitted(table.data(), "rw-relu");
  const Explanation few = explain(model, table.data(), {.curves = 0, .interactions = 0});
  EXPECT_TRUE(few.curves.empty());
  EXPECT_TRUE(few.interactions.empty());
  EXPECT_EQ(few.variables.size(), 3U);
  EXPECT_EQ(explain(model, table.data(), {.interactions = 2}).interactions.size(), 1U);
}

TEST(Explanation, RowsWithoutATargetAreLeftOutAndTheOthersKeepTheirNumbers) {
  Table table(product);
  const Model model = fitted(table.data(), "rw-relu");
  for (Index i = 0; i < 150; ++i) table.y(i, 0) = std::nan("");
  const Explanation found = explain(model, table.data(), {.curves = 1});
  EXPECT_EQ(found.rows, 42);
  const DependenceCurve& curve = found.curves.front();
  EXPECT_EQ(curve.rows.front(), 150);
  EXPECT_LT(curve.rows.back(), 192);
}

TEST(Explanation, UnknownVariableNamesThoseThereAre) {
  const Model model(testing::sample_parts("y"));
  try {
    explain(model, testing::sample_data(60, "y"), {.variables = "a,town"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'town'"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("city"), std::string::npos);
  }
}

TEST(Explanation, RowsWithoutTargetsHaveEffectsAlone) {
  const Table table(product);
  const Explanation found = explain(fitted(table.data(), "rw-relu"), array(table.x));
  EXPECT_TRUE(found.loss.empty());
  EXPECT_FALSE(found.variables.front().loss);
  EXPECT_GT(found.variables.front().effect.value, found.variables.back().effect.value);
}

/// By their definition: all coalitions, every background row.
std::vector<double> enumerated(const Model& model, const Matrix& row, const Matrix& background) {
  const Index n = row.cols();
  std::vector<double> value;  // of a coalition: the mean prediction
  for (Index set = 0; set < (Index{1} << n); ++set) {
    Matrix x = background;
    for (Index i = 0; i < x.rows(); ++i)
      for (Index j = 0; j < n; ++j)
        if ((set >> j) & 1) x(i, j) = row(0, j);
    const Matrix predicted = model.predict(array(x));
    value.push_back(0);
    for (Index i = 0; i < x.rows(); ++i) value.back() += predicted(i, 0) / static_cast<double>(x.rows());
  }
  std::vector<double> result(static_cast<std::size_t>(n));
  for (Index j = 0; j < n; ++j)
    for (Index set = 0; set < (Index{1} << n); ++set) {
      if ((set >> j) & 1) continue;
      const int size = __builtin_popcountll(static_cast<unsigned long long>(set));
      const double weight = std::tgamma(size + 1) * std::tgamma(n - size) / std::tgamma(n + 1);
      result[static_cast<std::size_t>(j)] +=
          weight * (value[static_cast<std::size_t>(set | (Index{1} << j))] - value[static_cast<std::size_t>(set)]);
    }
  return result;
}

const RowExplanation::Part& part_of(const RowExplanation& row, const std::string& name) {
  return *std::find_if(row.parts.begin(), row.parts.end(), [&](const auto& part) { return part.variable == name; });
}

Matrix one_row() {
  Matrix row(1, 3);
  row(0, 0) = 0.7;
  row(0, 1) = -0.4;
  row(0, 2) = 0.3;
  return row;
}

TEST(RowExplanation, OfFeaturesOfOneVariableEqualsEnumeration) {
  const Table table([](double a, double b, double c) { return a + b * b - 2 * c; });
  for (const char* family : {"rw-stumps", "rw-relu/sparse:1", "rks-cos/axis"}) {
    const Model model = fitted(table.data(), family);
    const Matrix row = one_row();
    const RowExplanation found = explain_rows(model, array(row), table.data()).front();
    const std::vector<double> expected = enumerated(model, row, table.x);
    EXPECT_TRUE(found.exact) << family;
    for (Index j = 0; j < 3; ++j)
      EXPECT_NEAR(part_of(found, "x" + std::to_string(j)).value[0], expected[static_cast<std::size_t>(j)], 1e-8)
          << family;
    EXPECT_NEAR(found.prediction[0], model.predict(array(row))(0, 0), 1e-8) << family;
  }
}

TEST(RowExplanation, SampledValuesAreWithinTheirErrorsOfEnumeration) {
  const Table table(product);
  const Model model = fitted(table.data(), "rw-relu");
  const Matrix row = one_row();
  const RowExplanation found = explain_rows(model, array(row), table.data(), {.permutations = 2000}).front();
  const std::vector<double> expected = enumerated(model, row, table.x);
  EXPECT_FALSE(found.exact);
  double sum = found.base[0];
  for (Index j = 0; j < 3; ++j) {
    const RowExplanation::Part& part = part_of(found, "x" + std::to_string(j));
    EXPECT_LT(part.standard_error[0], 0.05);
    EXPECT_NEAR(part.value[0], expected[static_cast<std::size_t>(j)], 4 * part.standard_error[0] + 1e-9);
    sum += part.value[0];
  }
  EXPECT_NEAR(sum, model.predict(array(row))(0, 0), 1e-9);
}

TEST(RowExplanation, ErrorsShrinkWithTheRootOfTheOrders) {
  const Table table(product);
  const Model model = fitted(table.data(), "rw-relu");
  const auto error = [&](Index permutations) {
    const Matrix row = one_row();
    return part_of(explain_rows(model, array(row), table.data(), {.permutations = permutations}).front(), "x0")
        .standard_error[0];
  };
  EXPECT_NEAR(error(4000) / error(1000), 0.5, 0.1);
}

TEST(RowSample, RowsAreSpreadOverTheTable) {
  const Data data = generate("friedman1", {.rows = 5000});
  const Encoder encoder = Encoder::fit(data, {});
  const RowSample sample = spaced_rows(encoder, data, true, 100, {});
  ASSERT_EQ(sample.count(), 100);
  EXPECT_EQ(sample.y.cols(), 100);
  EXPECT_GT(sample.rows.back(), 4800);
  for (std::size_t i = 1; i < sample.rows.size(); ++i) EXPECT_LE(sample.rows[i] - sample.rows[i - 1], 100);
}

}  // namespace
}  // namespace weft
