// Every formula against numbers worked out apart from it, and against laws it must obey.
#include "guarantee/bounds.hpp"

#include "core/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace weft::testing {

using namespace detail;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const LossRange kNumberRange{Loss(Loss::Kind::squared), 3, false};
const LossRange kClassRange{Loss(Loss::Kind::squared), 1, true};
const LossRange kLogistic{Loss(Loss::Kind::logistic), 1, true};

// θB = 2, δ = 0.05, m = 400; ρ = 2(2+1) = 6: 2·6·2/20·(1 + √(ln 20 / 2)).
TEST(Bounds, Theorem62) {
  EXPECT_NEAR(rademacher_gap(kClassRange, 2, 400, std::log(20.0)), 1.2 * (1 + 1.2238734153404083), 1e-12);
  // Numbers: ρ = 2(2+3) = 10, and the losses of two rows may differ by ρ(2·2 + 2·3) instead of ρ·2·2.
  EXPECT_NEAR(rademacher_gap(kNumberRange, 2, 400, std::log(20.0)), 2 + 5 * 1.2238734153404083, 1e-12);
}

// Equation 74 with λ = 0.2, which is sfgd's 0.1; θ = 0.5, B = 3, c = 0.5: reach 2, ρ = 6; κ = 1, T = 50, m = 400. Its
// last term is half that of equation 98, for (λ/2)‖α‖² is λ-strongly convex.
TEST(Bounds, Theorem11) {
  const double expected = 2 * 6 * 2 / 20.0 + 0.2 * 9 + 8 * 36 / (0.2 * 400) + 6.6 * 6.6 / 20 * (1 + 3.912023005428146);
  const DescentRun run{.norm = 3, .lambda = 0.1, .steps = 50};
  EXPECT_NEAR(descent_excess_74(kClassRange, 0.5, 1, -0.5, run, 400), expected, 1e-12);
  // Steps at which the last term is the sum of the others.
  const double steps = enough_steps([&](double t) {
    return descent_excess_74(kClassRange, 0.5, 1, -0.5, {3, 0.1, t}, 400);
  });
  const double others = 2 * 6 * 2 / 20.0 + 0.2 * 9 + 8 * 36 / (0.2 * 400);
  EXPECT_LE(6.6 * 6.6 / (0.4 * steps) * (1 + std::log(steps)), others);
  EXPECT_GT(6.6 * 6.6 / (0.4 * (steps - 1)) * (1 + std::log(steps - 1)), others * (1 - 1e-9));
}

// θ = 2, mean 0.5 at m = 200, ℓ = 3: 2√(3/400) + √(4·3/400 + 0.25); never more than θ.
TEST(Bounds, TraceInPlaceOfTheSupremum) {
  EXPECT_NEAR(traced_root(0.5, 2, 200, 3), 2 * std::sqrt(0.0075) + std::sqrt(0.03 + 0.25), 1e-12);
  EXPECT_EQ(traced_root(2, 2, 200, 3), 2);
  EXPECT_NEAR(traced_root(0.5, 2, 1e12, 3), 0.5, 1e-5);
  EXPECT_NEAR(traced_gap(kNumberRange, 2, 0.7, 400, std::log(20.0)), 2 * 10 * 0.7 / 20 + 25 * 0.06119367076702041,
              1e-12);
}

// The root of the expectation of rare, large values is overestimated except with probability e^{−ℓ}.
TEST(Bounds, TheTraceIsCoveredBySimulation) {
  constexpr int kSets = 4000, kRows = 50;
  constexpr double kLevel = 0.5;
  int wrong = 0;
  for (int set = 0; set < kSets; ++set) {
    const Random random(static_cast<std::uint64_t>(set), RandomStream::generator);
    double mean = 0;  // values 4 with probability 0.05, else 0.01
    for (std::uint64_t i = 0; i < kRows; ++i) mean += (random.uniform(i) < 0.05 ? 4 : 0.01) / kRows;
    wrong += traced_root(std::sqrt(mean), 2, kRows, -std::log(kLevel)) < std::sqrt(0.05 * 4 + 0.95 * 0.01) ? 1 : 0;
  }
  EXPECT_LE(wrong, kLevel * kSets);
  EXPECT_GT(wrong, 0);
}

// K = 3, F = 2, m = 400, ℓ = ln 20: 4·2√3/20 + log(1 + 2e^{2√2})·√(ln 20/800).
TEST(Bounds, Softmax) {
  EXPECT_NEAR(softmax_gap(3, 2, 400, std::log(20.0)),
              0.4 * std::sqrt(3.0) + std::log1p(2 * std::exp(2 * std::numbers::sqrt2)) * 0.06119367076702041, 1e-12);
  EXPECT_TRUE(std::isfinite(softmax_gap(10, 1e6, 400, 3)));
}

// Squared loss on classes, reach 1: ρ(1 + d)·d = 2(2 + d)d = 0.1 at d = √1.05 − 1; λ = (d/θ)²/(12·T‖a‖₁).
TEST(Bounds, Equation62) {
  const double d = std::sqrt(1.05) - 1, distance = d / 0.5;
  EXPECT_NEAR(pruning_weight(kClassRange, 1, 0.5, 0.1, 40, 7, 12), distance * distance / (12 * 40 * 7), 1e-12);
  EXPECT_NEAR(pruning_weight(kClassRange, 1, 0.5, 0.1, 40, 7, 2), distance * distance / (2 * 40 * 7), 1e-12);
}

// What the printed theorem lacks: a model that is 0 still has a loss that varies with y.
TEST(Bounds, TheZeroFunctionHasAGapWhereTargetsAreNumbers) {
  EXPECT_EQ(rademacher_gap(kClassRange, 0, 100, 1), 0);
  EXPECT_GT(rademacher_gap(kNumberRange, 0, 100, 1), 0);
}

// Both directions of 6.2 at δ/2: twice 1.2·(1 + √(ln 40 / 2)).
TEST(Bounds, Theorem63) {
  EXPECT_NEAR(minimum_excess(kClassRange, 2, 400, std::log(20.0)), 2.4 * (1 + 1.3581015157406195), 1e-12);
}

// ρ = 6 at reach 2, B = 3, m = 400: √(8·36/(9·400)). No other λ makes λB² + 8ρ²/(λm) smaller.
TEST(Bounds, Equation99) {
  const double lambda = descent_lambda(kClassRange, 0.5, -0.5, 3, 400);
  EXPECT_NEAR(lambda, std::sqrt(8 * 36 / (9.0 * 400)), 1e-12);
  const auto terms = [](double l) { return l * 9 + 8 * 36 / (l * 400); };
  for (const double factor : {0.9, 0.99, 1.01, 1.1}) EXPECT_GT(terms(factor * lambda), terms(lambda));
}

TEST(Bounds, Theorem68AsksForAsManyFeaturesAsCostNoMoreThanTheRows) {
  const double theta = 0.5, kappa = 0.8, rows = 1e6, log_inverse = std::log(20.0);
  const double reach = 2, rows_term = rademacher_gap(kClassRange, reach, rows, log_inverse + std::numbers::ln2);
  const auto features_term = [&](double features) {
    return minimiser_gap(kClassRange, theta, kappa, 0.5, 3, features, rows, log_inverse) - rows_term;
  };
  const double asked = minimiser_features(kClassRange, theta, kappa, 0.5, 3, rows, log_inverse);
  EXPECT_GT(asked, 100);
  EXPECT_LE(features_term(asked), rows_term);
  EXPECT_GT(features_term(asked - 1), rows_term * (1 - 1e-9));
}

// M = (2+3)² = 25, ρ = 10: 2·10·2/20 + 25·√(ln 20 / 800).
TEST(Bounds, Theorem10) {
  EXPECT_NEAR(bounded_loss_gap(kNumberRange, 2, 400, std::log(20.0)), 2 + 25 * 0.06119367076702041, 1e-12);
  // Logistic: ρ = 1/(1+e⁻²), M = log(1+e²).
  EXPECT_NEAR(bounded_loss_gap(kLogistic, 2, 400, std::log(20.0)),
              0.2 * 0.8807970779778823 + 2.1269280110429727 * 0.06119367076702041, 1e-12);
}

// d = 0.5, reach 2: ρ = 2(2.5+3) = 11; 11·0.5/20·(2 + √(2 ln 20)).
TEST(Bounds, Theorem8) {
  EXPECT_NEAR(pruning_gap(kNumberRange, 2, 0.5, 400, std::log(20.0)), 0.275 * (2 + 2.4477468306808166), 1e-12);
  EXPECT_EQ(pruning_gap(kNumberRange, 2, 0, 400, 3), 0);
}

// θ = 0.5, B = 3, c = 0.5: reach 2, ρ = 6; κ = 1, λ = 0.1, T = 50, m = 400.
TEST(Bounds, Theorem67) {
  const double expected = 2 * 6 * 2 / 20.0 + 0.1 * 9 + 8 * 36 / (0.1 * 400) + 6.6 * 6.6 / 10 * (1 + 3.912023005428146);
  EXPECT_NEAR(descent_excess(kClassRange, 0.5, 1, -0.5, {.norm = 3, .lambda = 0.1, .steps = 50}, 400), expected, 1e-12);
}

// Equation 104 as printed, with B₁ such that B' = 3 and log 2/δ in both.
TEST(Bounds, Theorem68) {
  const double theta = 0.5, kappa = 0.8, features = 64, rows = 400, log_half = std::log(40.0);
  const double draw = 1 + 2 * std::sqrt(2 * log_half);
  const double row = 1 + std::sqrt(log_half / 2);
  const double b1 = 3 / (theta + kappa / 8 * draw);
  const double rho = 2 * (1.5 + 1);
  const double expected = rho * theta * b1 * (kappa / 8 * (1 + 2.0 / 20 * row) * draw + 2 * theta / 20 * row);
  EXPECT_NEAR(minimiser_gap(kClassRange, theta, kappa, 0, 3, features, rows, std::log(20.0)), expected, 1e-12);
}

TEST(Bounds, FallWithRowsAndRiseWithConfidence) {
  const auto gaps = [](double rows, double log_inverse) {
    return std::vector<double>{rademacher_gap(kNumberRange, 2, rows, log_inverse),
                               bounded_loss_gap(kNumberRange, 2, rows, log_inverse),
                               pruning_gap(kNumberRange, 2, 0.5, rows, log_inverse),
                               minimiser_gap(kNumberRange, 0.5, 1, 0.2, 3, 64, rows, log_inverse)};
  };
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_GT(gaps(100, 3)[i], gaps(400, 3)[i]) << i;
    EXPECT_LT(gaps(100, 3)[i], gaps(100, 5)[i]) << i;
  }
}

TEST(Bounds, WhatIsBeyondDoubleIsInfiniteNeverNaN) {
  EXPECT_EQ(reach_of(0, 5), kInfinity);
  EXPECT_EQ(reach_of(0.5, kInfinity), kInfinity);
  EXPECT_EQ(reach_of(0, 0), 0);
  for (const LossRange& range : {kNumberRange, kClassRange, kLogistic})
    for (const double reach : {1e200, kInfinity}) {
      EXPECT_GT(rademacher_gap(range, reach, 100, 3), 1e190);
      EXPECT_GT(bounded_loss_gap(range, reach, 100, 3), 1e190);
      EXPECT_GT(pruning_gap(range, 1, reach, 100, 3), 1e190);
    }
  EXPECT_EQ(minimiser_gap(kClassRange, 0, 0, 0, 3, 64, 100, 3), kInfinity);
  EXPECT_EQ(softmax_gap(3, kInfinity, 100, 3), kInfinity);
}

TEST(Bounds, GridRoundsUpByAtMostAQuarterOfAnOctave) {
  for (const double unit : {1.0, 7.0, 1e-9})
    for (double radius = 1e-2 * unit; radius < 1e12 * unit; radius *= 1.7) {
      const GridRadius rounded = round_up(radius, unit);
      EXPECT_GE(rounded.radius, radius);
      EXPECT_LE(rounded.radius, radius * std::exp2(0.25) * (1 + 1e-12));
      EXPECT_GT(rounded.log_cost, 0);
    }
  EXPECT_EQ(round_up(1e-300, 1).radius, std::exp2(-10.0));
  EXPECT_EQ(round_up(0, 1).radius, 0);
}

// The union bound: the shares of δ of all places add up to no more than 1.
TEST(Bounds, SharesOfTheGridAddUpToOne) {
  double shares = std::exp(-round_up(0, 1).log_cost);
  for (int step = -40; step <= 4000; ++step) shares += std::exp(-round_up(std::exp2((step - 0.5) / 4), 1).log_cost);
  EXPECT_LE(shares, 1);
  EXPECT_GT(shares, 0.98);
}

}  // namespace

}  // namespace weft::testing
