#include "objective/row_loss.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace weft {

using namespace detail;
namespace {

struct Evaluated {
  RowValue loss;
  double slope, curvature;
};

Evaluated at(const NumberLoss& loss, double score, double y) {
  Matrix truth(1, 1), scores(loss.outputs(), 1), curvature(loss.outputs() + 1, 1);
  truth(0, 0) = y;
  for (Index k = 0; k < loss.outputs(); ++k) scores(k, 0) = score;
  const RowValue value = loss.row(truth, scores, curvature, 0);
  return {value, scores(0, 0), curvature(0, 0)};
}

std::vector<NumberLoss> number_losses() {
  std::vector<NumberLoss> losses = {
      NumberLoss({RegressionLoss::squared}, 1), NumberLoss({RegressionLoss::huber, {}, {0.7}}, 1),
      NumberLoss({RegressionLoss::absolute}, 1), NumberLoss({RegressionLoss::quantile, {0.2}}, 1),
      NumberLoss({RegressionLoss::poisson}, 1)};
  for (NumberLoss& loss : losses) loss.smooth(0.05);
  return losses;
}

TEST(RowLoss, SlopesAreThoseOfTheValue) {
  for (const NumberLoss& loss : number_losses())
    for (const double f : {-1.3, 0.2, 1.99, 2.0, 2.01, 2.5, 4.0}) {
      const double h = 1e-6;
      const double slope = (at(loss, f + h, 2).loss.value - at(loss, f - h, 2).loss.value) / (2 * h);
      EXPECT_NEAR(at(loss, f, 2).slope, slope, 1e-6) << name_of(loss.loss().kind) << " " << f;
    }
}

TEST(RowLoss, CurvatureIsTheSecondDerivativeOrATwentiethOfAMajoriser) {
  for (const NumberLoss& loss : number_losses()) {
    const bool bent = loss.loss().kind != RegressionLoss::squared && loss.loss().kind != RegressionLoss::poisson;
    for (const double f : {-1.0, 1.85, 2.0, 2.001, 3.5}) {
      const double h = 1e-5;
      const double second = (at(loss, f + h, 2).slope - at(loss, f - h, 2).slope) / (2 * h);
      const Evaluated here = at(loss, f, 2);
      EXPECT_GE(here.curvature, second * (1 - 1e-6)) << name_of(loss.loss().kind) << " " << f;
      if (here.curvature <= second * (1 + 1e-6)) continue;
      ASSERT_TRUE(bent) << name_of(loss.loss().kind) << " " << f;
      // ℓ(g) ≤ ℓ(f) + ℓ'(f)(g − f) + 20·ω(g − f)²/2 for all g, and no smaller weight does that.
      double least = 0;
      for (double g = -8; g < 12; g += 0.0037) {
        if (std::abs(g - f) < 0.01) continue;
        const double needed =
            (at(loss, g, 2).loss.value - here.loss.value - here.slope * (g - f)) * 2 / (g - f) / (g - f);
        EXPECT_LE(needed, 20 * here.curvature * (1 + 1e-9)) << name_of(loss.loss().kind) << " " << f << " " << g;
        least = std::max(least, needed);
      }
      EXPECT_NEAR(least, 20 * here.curvature, 0.02 * least) << name_of(loss.loss().kind) << " " << f;
    }
  }
}

TEST(RowLoss, SmoothingIsAboveByAtMostItsWidth) {
  for (const NumberLoss& loss : number_losses()) {
    if (!loss.has_corner()) continue;
    const double most = (loss.loss().kind == RegressionLoss::absolute ? 2 : 1) * 0.05 * std::log(2.0);
    for (double f = -1; f < 5; f += 0.01) {
      const RowValue value = at(loss, f, 2).loss;
      EXPECT_GE(value.value, value.exact - 1e-14);
      EXPECT_LE(value.value - value.exact, most + 1e-14);
    }
  }
}

TEST(RowLoss, ConstantsMinimise) {
  const std::vector<double> y = {0, 1, 1, 4, 9, 2}, weights = {1, 0.5, 2, 1, 1, 3};
  for (const NumberLoss& loss : number_losses()) {
    if (loss.loss().kind == RegressionLoss::huber) continue;  // begins at the median
    const auto sum = [&](double f) {
      double total = 0;
      for (std::size_t i = 0; i < y.size(); ++i) total += weights[i] * loss.loss().value(f, y[i], 0);
      return total;
    };
    const double best = loss.best_constant(y, weights, 0);
    for (double f = -2; f < 10; f += 0.1) EXPECT_LE(sum(best), sum(f) + 1e-12) << name_of(loss.loss().kind);
  }
}

TEST(RowLoss, PredictionsAreMeansAndOrderedQuantiles) {
  const double scores[3] = {2, -1, 0.5};
  double predicted[3];
  FittedLoss{RegressionLoss::poisson}.predict(3, scores, predicted);
  for (int k = 0; k < 3; ++k) EXPECT_DOUBLE_EQ(predicted[k], std::exp(scores[k]));
  const FittedLoss quantiles{RegressionLoss::quantile, {0.05, 0.5, 0.9}};
  quantiles.predict(3, scores, predicted);
  EXPECT_EQ(std::vector<double>(predicted, predicted + 3), (std::vector<double>{-1, 0.5, 2}));
  EXPECT_EQ(quantiles.column_names({"y"}), (std::vector<std::string>{"q0.05", "q0.5", "q0.9"}));
}

}  // namespace
}  // namespace weft
