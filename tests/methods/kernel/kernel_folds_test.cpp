// Exact kernel ridge regression where rows have a rule: λ, errors and calibration by folds of the rule, against dense
// refits.
#include "methods/kernel_case.hpp"

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

using namespace testing_rows;

RowRule kernel_rule(RowRule::Kind kind, Index rows) {
  std::vector<Index> keys;
  for (Index i = 0; i < rows; ++i) keys.push_back(kind == RowRule::Kind::times ? (i * 7) % rows : i / 4);
  return {kind, "key", std::move(keys)};
}

/// Mean squared error of rows in parts that are predicted, each by a dense fit to the rows that train it.
double dense_error(const KernelCase& c, double lambda) {
  const Folds folds = c.rows.rule().folds(c.rows.rows(), 5, {}, c.family.seed);
  double sum = 0, total = 0;
  for (Index fold = folds.forward ? 1 : 0; fold < folds.parts; ++fold) {
    KernelCase some = c;
    std::vector<Index> kept, held;
    for (Index i = 0; i < c.rows.rows(); ++i) {
      const Index part = folds.of_row[static_cast<std::size_t>(i)];
      if (part == fold) held.push_back(i);
      if (folds.forward ? part < fold : part != fold) kept.push_back(i);
    }
    const auto columns = [](const Matrix& from, const std::vector<Index>& at) {
      Matrix to(from.rows(), static_cast<Index>(at.size()));
      for (Index j = 0; j < to.rows(); ++j)
        for (Index i = 0; i < to.cols(); ++i) to(j, i) = from(j, at[static_cast<std::size_t>(i)]);
      return to;
    };
    some.rows.x = columns(c.rows.x, kept);
    some.rows.y = columns(c.rows.y, kept);
    some.rows.weights.clear();
    double weight = static_cast<double>(kept.size());
    if (!c.rows.weights.empty()) {
      weight = 0;
      for (const Index i : kept) {
        some.rows.weights.push_back(c.rows.weights[static_cast<std::size_t>(i)]);
        weight += some.rows.weights.back();
      }
    }
    const RowMatrix f = dense_predictions(some, lambda * weight, columns(c.rows.x, held));
    for (std::size_t k = 0; k < held.size(); ++k) {
      const double w = c.rows.weights.empty() ? 1 : c.rows.weights[static_cast<std::size_t>(held[k])];
      for (Index o = 0; o < c.rows.y.rows(); ++o)
        sum += w * std::pow(c.rows.y(o, held[k]) - f(static_cast<Eigen::Index>(k), o), 2) /
               static_cast<double>(c.rows.y.rows());
      total += w;
    }
  }
  return sum / total;
}

class KernelRule : public ::testing::TestWithParam<RowRule::Kind> {};

TEST_P(KernelRule, ErrorsAreThoseOfDenseFits) {
  for (const bool intercept : {true, false})
    for (const bool weighted : {true, false}) {
      KernelCase c = KernelCase::smooth(80, 2);
      c.options.intercept = intercept;
      c.options.lambda = 2e-3;
      if (weighted) c.add_weights();
      c.rows.set_rule(kernel_rule(GetParam(), 80));
      const FitResult fit = c.fit(c.landmarks());
      EXPECT_NEAR(fit.report.number("fold_mse").value(), dense_error(c, 2e-3), 1e-9);
      EXPECT_FALSE(fit.report.number("loo_mse").has_value());
      // The model itself is the same with and without a rule.
      c.rows.set_rule({});
      const FitResult plain = c.fit(c.landmarks());
      for (Index i = 0; i < fit.coefficients.rows(); ++i) ASSERT_EQ(fit.coefficients(i, 0), plain.coefficients(i, 0));
    }
}

TEST_P(KernelRule, TheChosenLambdaHasTheLeastErrorOfTheFolds) {
  KernelCase c = KernelCase::smooth(80);
  c.rows.set_rule(kernel_rule(GetParam(), 80));
  const FitResult chosen = c.fit(c.landmarks());
  const double lambda = chosen.report.number("lambda").value();
  const double least = dense_error(c, lambda);
  EXPECT_NEAR(chosen.report.number("fold_mse").value(), least, 1e-9);
  for (const double factor : {1e-2, 0.1, 10.0, 100.0}) EXPECT_GE(dense_error(c, factor * lambda), 0.99 * least);
}

INSTANTIATE_TEST_SUITE_P(Rules, KernelRule, ::testing::Values(RowRule::Kind::groups, RowRule::Kind::times));

}  // namespace
}  // namespace weft
