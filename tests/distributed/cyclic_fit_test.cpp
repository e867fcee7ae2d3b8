// Fits whose matrices are shared out over processes, because one process has no memory for them, against the fit of one
// process that has.
#include <weft/distributed.hpp>

#include "core/random.hpp"
#include "distributed/thread_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace weft::testing {

using namespace detail;
namespace {

constexpr Index kTableRows = 5000;
constexpr double kLittleMemory = 1.2e6;  // of what 80 features need: more than their tiles, less than all matrices

/// Rows and weights: Data made of it are views.
struct WeightedRows {
  Matrix x{kTableRows, 4}, y{kTableRows, 1}, weights{kTableRows, 1};

  explicit WeightedRows(bool classes) {
    const Random random(7, RandomStream::generator);
    for (Index i = 0; i < kTableRows; ++i) {
      const auto row = static_cast<std::uint64_t>(i);
      for (Index j = 0; j < 4; ++j) x(i, j) = random.normal(row, static_cast<std::uint32_t>(j));
      const double value = std::sin(x(i, 0)) + x(i, 1) * x(i, 2) + 0.1 * random.normal(row, 9);
      y(i, 0) = classes ? (value > 0 ? 1 : 0) : 50 + value;
      weights(i, 0) = 0.5 + random.uniform(row, 10);
    }
  }
  Data data() const { return array(x, y, weights); }
};

FitRequest request_of(const Data& train, const FitOptions& options, const std::string& family, double memory) {
  FitRequest made{.train = train, .family = {.family = family, .features = 80}, .fit = options};
  made.run.max_memory = memory;
  return made;
}

Model fit_in_tiles(const Data& train, const FitOptions& options, const std::string& family, int size) {
  return on_processes(size, [&](ThreadProcess& process) {
    ThreadSolver solver(process, 8);
    process.set_solver(&solver);
    const SharedTable shared({train}, "rows", process);
    return fit(request_of(train, options, family, kLittleMemory), shared);
  });
}

std::string word(const Model& model, const std::string& name) {
  for (const auto& [key, text] : model.parts().report.words)
    if (key == name) return text;
  return {};
}

/// The λ that is chosen is small enough for the condition of the equations to multiply rounding by 1e8.
void expect_as_alone(bool classes, const FitOptions& options, const std::string& family, double tolerance) {
  const WeightedRows rows(classes);
  const Data train = rows.data();
  const Model alone = fit(request_of(train, options, family, 0));
  const Matrix expected = alone.predict(train.rows(0, 300));
  EXPECT_EQ(word(alone, "matrices"), "");
  for (const int size : {1, 2, 4, 6}) {
    const Model shared = fit_in_tiles(train, options, family, size);
    EXPECT_EQ(word(shared, "matrices"), "shared out over " + std::to_string(size) + " processes");
    EXPECT_NEAR(*shared.parts().report.number("lambda") / *alone.parts().report.number("lambda"), 1, 1e-9);
    EXPECT_NEAR(*shared.parts().report.number("train_mse"), *alone.parts().report.number("train_mse"), 1e-8);
    const Matrix found = shared.predict(train.rows(0, 300));
    for (Index i = 0; i < expected.rows(); ++i)
      for (Index o = 0; o < expected.cols(); ++o) ASSERT_NEAR(found(i, o), expected(i, o), tolerance);
  }
}

TEST(CyclicFit, GivenLambda) {
  expect_as_alone(false, {.lambda = 1e-3}, "rw-sign", 1e-9);
}

TEST(CyclicFit, WithoutInterceptAndWithTheRidgePenalty) {
  FitOptions options{.lambda = 1e-3, .intercept = false};
  options.method = LeastSquaresOptions{.regularizer = Regularizer::ridge};
  expect_as_alone(false, options, "rw-relu", 1e-9);
}

TEST(CyclicFit, ChoosesTheSameLambda) {
  expect_as_alone(false, {}, "rw-relu", 1e-6);
}

TEST(CyclicFit, ClassesHaveProbabilities) {
  const WeightedRows rows(true);
  const Data train = rows.data();
  const Model shared = fit_in_tiles(train, {}, "rw-relu", 4);
  const Evaluation evaluation = evaluate(shared, train);
  EXPECT_LT(*evaluation.logloss, 0.4);
  EXPECT_NEAR(*evaluation.error, *evaluate(fit(request_of(train, {}, "rw-relu", 0)), train).error, 1e-3);
}

TEST(CyclicFit, RefusesWhatNeedsWholeMatrices) {
  FitOptions options;
  options.method = LeastSquaresOptions{.calibrate = true};
  const WeightedRows rows(false);
  const Data train = rows.data();
  const auto refusal = [&](int size, double memory) -> std::string {
    return on_processes(size, [&](ThreadProcess& process) -> std::string {
      ThreadSolver solver(process, 8);
      process.set_solver(&solver);
      const SharedTable shared({train}, "rows", process);
      try {
        static_cast<void>(fit(request_of(train, options, "rw-sign", memory), shared));
      } catch (const Error& error) {
        return error.place() + ": " + error.message();
      }
      return "";
    });
  };
  EXPECT_NE(refusal(2, kLittleMemory).find("calibrate"), std::string::npos) << refusal(2, kLittleMemory);
  options.method = LeastSquaresOptions{};
  EXPECT_NE(refusal(2, 1e5).find("80 features on 2 processes"), std::string::npos) << refusal(2, 1e5);
}

}  // namespace
}  // namespace weft::testing
