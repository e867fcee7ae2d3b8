// Where closed forms are known.
#include "core/special_functions.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace weft::detail {

namespace {

double normal_probability(double x) {
  return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

TEST(SpecialFunctions, NormalQuantilesInvertTheDistribution) {
  for (const double p : {1e-12, 1e-3, 0.025, 0.3, 0.5, 0.9})
    EXPECT_NEAR(normal_probability(normal_quantile(p)) / p, 1, 1e-12) << p;
}

TEST(SpecialFunctions, QuantilesOfGammaAndBeta) {
  for (const double p : {1e-9, 0.1, 0.5, 0.99}) {
    EXPECT_NEAR(gamma_quantile(1, p) / -std::log1p(-p), 1, 1e-12) << p;  // exponential
    EXPECT_NEAR(std::erf(std::sqrt(gamma_quantile(0.5, p))) / p, 1, 1e-12) << p;
    EXPECT_NEAR(beta_quantile(7, 1, p) / std::pow(p, 1.0 / 7), 1, 1e-12) << p;
    EXPECT_NEAR(beta_quantile(1, 7, p) / -std::expm1(std::log1p(-p) / 7), 1, 1e-12) << p;
  }
}

TEST(SpecialFunctions, OwensT) {
  EXPECT_NEAR(owens_t(0, 0.7), std::atan(0.7) / (2 * std::numbers::pi), 1e-15);
  for (const double h : {-2.0, 0.3, 1.5})
    EXPECT_NEAR(owens_t(h, 1), 0.5 * normal_probability(h) * normal_probability(-h), 1e-15) << h;
}

}  // namespace

}  // namespace weft::detail
