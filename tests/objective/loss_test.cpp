#include "objective/loss.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace weft {

using namespace detail;
namespace {

std::vector<Loss> all_losses() {
  return {Loss(Loss::Kind::squared), Loss(Loss::Kind::logistic), Loss(Loss::Kind::hinge), Loss(Loss::Kind::huber, 0.7)};
}

// Points away from the corners of hinge (±1) and of Huber (y ± 0.7).
const std::vector<double> kPoints = {-6.3, -2.1, -0.85, -0.1, 0.05, 0.62, 1.2, 3.9, 8.2};

TEST(Loss, DerivativesMatchFiniteDifferences) {
  const double h = 1e-5;
  for (const Loss& loss : all_losses())
    for (const double y : {-1.0, 1.0})
      for (const double f : kPoints) {
        const double slope = (loss.value(f + h, y) - loss.value(f - h, y)) / (2 * h);
        EXPECT_NEAR(loss.derivative(f, y), slope, 1e-7 * (1 + std::abs(slope))) << loss.name() << ' ' << f << ' ' << y;
        const auto second = loss.second_derivative(f, y);
        EXPECT_EQ(second.has_value(), loss.kind() != Loss::Kind::hinge);
        if (!second) continue;
        const double bend = (loss.derivative(f + h, y) - loss.derivative(f - h, y)) / (2 * h);
        EXPECT_NEAR(*second, bend, 1e-6) << loss.name() << ' ' << f << ' ' << y;
        EXPECT_LE(*second, *loss.curvature());
      }
}

TEST(Loss, KnownValues) {
  EXPECT_EQ(Loss(Loss::Kind::squared).value(3, 1), 4);
  EXPECT_NEAR(Loss(Loss::Kind::logistic).value(0, 1), std::log(2.0), 1e-15);
  EXPECT_EQ(Loss(Loss::Kind::hinge).value(0.25, -1), 1.25);
  EXPECT_EQ(Loss(Loss::Kind::hinge).value(2, 1), 0);
  EXPECT_NEAR(Loss(Loss::Kind::huber, 0.7).value(0.7, 0), 0.245, 1e-15);
  EXPECT_NEAR(Loss(Loss::Kind::huber, 0.7).value(2, 0), 0.7 * (2 - 0.35), 1e-15);
}

TEST(Loss, LogisticIsStableFarOut) {
  const Loss loss(Loss::Kind::logistic);
  EXPECT_EQ(loss.value(-1e4, 1), 1e4);
  EXPECT_EQ(loss.value(1e4, 1), 0);
  EXPECT_EQ(loss.derivative(-1e4, 1), -1);
  EXPECT_EQ(loss.derivative(1e4, 1), 0);
  EXPECT_EQ(*loss.second_derivative(1e4, -1), 0);
  // Where 1 + e^{-40} is 1, the loss is still e^{-40}.
  EXPECT_NEAR(loss.value(40, 1) / std::exp(-40.0), 1, 1e-12);
}

TEST(Loss, LipschitzConstantIsTheLargestSlope) {
  const double largest_f = 2.5;
  const double largest_y = 1;
  for (const Loss& loss : all_losses()) {
    double steepest = 0;
    for (const double y : {-largest_y, largest_y})
      for (int k = 0; k <= 1000; ++k)
        steepest = std::max(steepest, std::abs(loss.derivative(largest_f * (k / 500.0 - 1), y)));
    EXPECT_NEAR(loss.lipschitz(largest_f, largest_y), steepest, 1e-12) << loss.name();
  }
}

TEST(Loss, BestConstantMinimises) {
  const std::vector<double> y = {1, 1, -1, 1, -1};
  const std::vector<double> w = {1, 2, 1, 0.5, 0.25};
  for (const Loss& loss : all_losses()) {
    const auto total = [&](double f) {
      double sum = 0;
      for (std::size_t i = 0; i < y.size(); ++i) sum += w[i] * loss.value(f, y[i]);
      return sum;
    };
    const double best = loss.best_constant(5, y.data(), w.data());
    for (const double other : {best - 0.3, best - 0.01, best + 0.01, best + 0.3})
      EXPECT_LE(total(best), total(other) + 1e-12) << loss.name();
  }
  EXPECT_NEAR(Loss(Loss::Kind::logistic).best_constant(5, y.data(), nullptr), std::log(3.0 / 2.0), 1e-12);
  EXPECT_NEAR(Loss(Loss::Kind::logistic).best_constant(1, y.data(), nullptr), 20, 1e-9);
}

TEST(Loss, ByName) {
  EXPECT_EQ(Loss::for_task(Loss::Kind::squared, 1, Task::regression).kind(), Loss::Kind::squared);
  EXPECT_EQ(Loss::for_task(Loss::Kind::hinge, 1, Task::binary).kind(), Loss::Kind::hinge);
  try {
    Loss::for_task(Loss::Kind::hinge, 1, Task::regression);
    FAIL() << "hinge on numbers";
  } catch (const Error& error) {
    EXPECT_EQ(error.field(), "loss");
    EXPECT_NE(error.hint().find("huber"), std::string::npos);
  }
}

}  // namespace
}  // namespace weft
