// The logistic fit as a job: threads, limits, checkpoints, mistakes.
#include "methods/checkpoint.hpp"
#include "methods/logistic_case.hpp"
#include "temporary_folder.hpp"

#include <cmath>
#include <cstdio>
#include <functional>

namespace weft {

using namespace detail;
namespace {

using namespace testing_logistic;

TEST(Logistic, BitIdenticalForAnyThreadCountAndWithOrWithoutCache) {
  for (const Index classes : {2, 4}) {
    Case c(sectors(700, 3, classes, classes == 2), classes == 2 ? Task::binary : Task::multiclass, 300, "rks-relu");
    c.own().tolerance = 1e-6;
    c.options.lambda = 1e-7;  // hard enough for several Grams
    c.rows.block_rows = 400;
    const FitResult expected = fit_logistic(c.problem());
    EXPECT_EQ(word(expected, "features"), "kept in memory");
    for (const int threads : {2, 5}) {
      c.run.threads = threads;
      c.run.max_memory = threads == 5 ? (5.5 + 3 * static_cast<double>(c.rows.outputs())) * 300 * 300 * 8 : 0;
      const FitResult result = fit_logistic(c.problem());
      EXPECT_EQ(word(result, "features"), threads == 5 ? "computed in every pass" : "kept in memory");
      for (Index i = 0; i < expected.coefficients.rows() * expected.coefficients.cols(); ++i)
        ASSERT_EQ(expected.coefficients.data()[i], result.coefficients.data()[i]) << threads;
      EXPECT_EQ(expected.intercepts, result.intercepts);
    }
  }
}

TEST(Logistic, LimitsAreReported) {
  Case c(sectors(400, 3, 3, false), Task::multiclass, 60, "rks-relu");
  c.own().iterations = 1;
  const FitResult limited = fit_logistic(c.problem());
  EXPECT_EQ(word(limited, "stopped"), "iteration limit");
  EXPECT_EQ(limited.report.warnings.size(), 1U);
  c.own().iterations = 0;
  c.run.max_seconds = 1e-9;
  const FitResult hurried = fit_logistic(c.problem());
  EXPECT_EQ(word(hurried, "stopped"), "time budget");
  EXPECT_EQ(hurried.report.warnings.size(), 1U);
  for (const double intercept : hurried.intercepts) EXPECT_TRUE(std::isfinite(intercept));
  c.options.lambda.reset();
  EXPECT_EQ(word(fit_logistic(c.problem()), "stopped"), "time budget");
}

TEST(Logistic, TimeBudgetKeepsTheBestSoFar) {
  // The fifth pass finds that there is no time left.
  Case c(sectors(400, 3, 2, true), Task::binary, 200, "rks-relu");
  const FitResult full = fit_logistic(c.problem());
  c.run.max_seconds = 30;
  c.run.on_progress = [&](const Progress& progress) {
    if (progress.done == 5) c.run.max_seconds = 1e-9;
  };
  const FitResult part = fit_logistic(c.problem());
  EXPECT_EQ(word(part, "stopped"), "time budget");
  EXPECT_EQ(number(part, "passes"), 5);
  EXPECT_LT(number(part, "objective"), std::log(2.0));
  EXPECT_GE(number(part, "objective"), number(full, "objective"));
}

TEST(Logistic, ResumesFromItsCheckpoint) {
  for (const bool path : {false, true}) {
    Case c(sectors(400, 3, 3, false), Task::multiclass, 60, "rks-relu");
    if (path) c.options.lambda.reset();
    c.own().tolerance = 1e-20;
    const FitResult whole = fit_logistic(c.problem());
    const TemporaryFolder folder;
    c.own().checkpoint = folder.file("checkpoint");
    const auto passes = static_cast<int>(number(whole, "passes"));
    for (const int stop_at : {passes / 3, passes - 2}) {  // on the path and in the final fit
      c.own().resume = false;
      c.run.max_seconds = 1000;
      c.run.on_progress = [&](const Progress& progress) {
        if (progress.done == stop_at) c.run.max_seconds = 1e-9;
      };
      EXPECT_EQ(word(fit_logistic(c.problem()), "stopped"), "time budget");
      c.own().resume = true;
      c.run.max_seconds = 0;
      c.run.on_progress = {};
      const FitResult resumed = fit_logistic(c.problem());
      EXPECT_EQ(word(resumed, "stopped"), "converged");
      EXPECT_LT(number(resumed, "passes"), passes);
      EXPECT_NEAR(number(resumed, "lambda"), number(whole, "lambda"), 1e-12);
      EXPECT_LT((scores(c, resumed) - scores(c, whole)).cwiseAbs().maxCoeff(), 1e-7);
      EXPECT_EQ(resumed.report.numbers.size(), whole.report.numbers.size());
    }
    std::remove(c.own().checkpoint->c_str());
    EXPECT_THROW(fit_logistic(c.problem()), Error);
    c.own().checkpoint = "";
    EXPECT_THROW(fit_logistic(c.problem()), Error);
  }
}

TEST(Logistic, CraftedCheckpointsAreRefused) {
  Case c(sectors(200, 3, 3, false), Task::multiclass, 30, "rks-relu");
  c.options.lambda.reset();
  const TemporaryFolder folder;
  const std::string path = folder.file("checkpoint");
  c.own().checkpoint = path;
  c.run.max_seconds = 1000;
  c.run.on_progress = [&](const Progress& progress) {
    if (progress.done == 12) c.run.max_seconds = 1e-9;
  };
  fit_logistic(c.problem());
  c.run.max_seconds = 0;
  c.run.on_progress = {};
  c.own().resume = true;
  const Checkpoint good = Checkpoint::load(path, "logistic", checkpoint_digest(c.problem()));
  const auto expect_refused = [&](const std::function<void(Checkpoint&)>& change) {
    Checkpoint bad = good;
    change(bad);
    bad.save(path);
    EXPECT_THROW(fit_logistic(c.problem()), Error);
  };
  for (std::size_t a = 0; a < good.arrays.size(); ++a) {
    expect_refused([&](Checkpoint& state) { state.arrays[a].push_back(0); });
    expect_refused([&](Checkpoint& state) { state.arrays[a].push_back(std::nan("")); });
  }
  expect_refused([](Checkpoint& state) { state.arrays[2][0] = -1; });
  expect_refused([](Checkpoint& state) { state.step = -1; });
  expect_refused([](Checkpoint& state) { state.arrays.pop_back(); });
}

TEST(Logistic, MistakesNameTheirRemedy) {
  Case c(sectors(50, 2, 2, true), Task::regression);
  try {
    fit_logistic(c.problem());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::option);
    EXPECT_NE(error.hint().find("least-squares"), std::string::npos);
  }
  c.task = Task::binary;
  c.run.max_memory = 1000;
  EXPECT_THROW(fit_logistic(c.problem()), Error);
  c.run.max_memory = 0;
  c.rows.weights.assign(50, 0);
  EXPECT_THROW(fit_logistic(c.problem()), Error);
  c.options.lambda.reset();
  EXPECT_THROW(fit_logistic(c.problem()), Error);
  c.rows.weights.clear();
  std::atomic<bool> cancel{true};
  c.run.cancel = &cancel;
  try {
    fit_logistic(c.problem());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

}  // namespace
}  // namespace weft
