// The choice of λ where a GPU solves for all λs and scores them, beside the processor's.
#include "core/random.hpp"
#include "devices.hpp"
#include "objective/ridge_choice.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace weft {

using namespace detail;
namespace {

constexpr Index kFeatures = 1000;  // a GPU is asked from there on

/// Rows that are a few waves of one number, with noise.
Accumulator sums_of(Index rows, std::uint64_t seed) {
  const Random random(seed, RandomStream::noise);
  Matrix phi(kFeatures, rows), y(2, rows);
  for (Index i = 0; i < rows; ++i) {
    const double x = random.normal(static_cast<std::uint64_t>(i), 0);
    for (Index t = 0; t < kFeatures; ++t)
      phi(t, i) = std::cos(0.004 * static_cast<double>(t) * x + static_cast<double>(t));
    for (Index o = 0; o < 2; ++o)
      y(o, i) = std::sin(2 * x + static_cast<double>(o)) +
                0.3 * random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(o + 1));
  }
  Accumulator sums(kFeatures, 2);
  sums.add(phi.view(), y, nullptr, 2);
  return sums;
}

TEST(RidgeChoiceOfDevice, FindsTheErrorsOfTheProcessor) {
  if (testing::tested_gpu() == nullptr) GTEST_SKIP() << "no GPU: " << gpus().problem;
  const Accumulator fitted = sums_of(300, 1), held_out = sums_of(100, 2);
  Penalty penalty;
  penalty.kind = Regularizer::rkhs;
  penalty.matrix = Matrix(kFeatures, kFeatures);
  for (Index i = 0; i < kFeatures; ++i)
    for (Index j = 0; j < kFeatures; ++j) penalty.matrix(i, j) = std::exp(-0.5 * std::abs(static_cast<double>(i - j)));
  weft::Run run;
  run.threads = 2;
  const RidgeChoice here = choose_ridge({true, 1e-8}, penalty, fitted, held_out, run);
  run.device = "gpu";
  const RidgeChoice there = choose_ridge({true, 1e-8}, penalty, fitted, held_out, run);
  ASSERT_EQ(there.errors.size(), here.errors.size());
  for (std::size_t i = 0; i < here.errors.size(); ++i)
    EXPECT_NEAR(there.errors[i], here.errors[i], 1e-7 * here.errors[i]);
  EXPECT_EQ(there.effective, here.effective);
}

}  // namespace
}  // namespace weft
