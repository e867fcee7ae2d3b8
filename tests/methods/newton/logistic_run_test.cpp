// The logistic fit as a job: threads, limits, checkpoints, mistakes.
#include "methods/checkpoint.hpp"
#include "methods/logistic_case.hpp"
#include "temporary_folder.hpp"

#include <cmath>
#include <filesystem>
#include <functional>
#include <utility>

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

/// Fits with a checkpoint and a time limit that is over in the given pass.
FitResult stopped_in_pass(Case& c, double pass) {
  c.own().resume = false;
  c.run.max_seconds = 1000;
  c.run.on_progress = [&c, pass](const Progress& progress) {
    if (progress.done == pass) c.run.max_seconds = 1e-9;
  };
  return fit_logistic(c.problem());
}

/// Goes on from it. Returns the passes that were made here as well.
std::pair<FitResult, double> resumed(Case& c) {
  double passes = 0;
  c.own().resume = true;
  c.run.max_seconds = 0;
  c.run.on_progress = [&](const Progress& progress) { passes = progress.done; };
  FitResult result = fit_logistic(c.problem());
  c.run.on_progress = {};
  return {std::move(result), passes};
}

std::vector<double> all_numbers(const FitResult& fit) {
  std::vector<double> numbers(fit.coefficients.data(),
                              fit.coefficients.data() + fit.coefficients.rows() * fit.coefficients.cols());
  numbers.insert(numbers.end(), fit.intercepts.begin(), fit.intercepts.end());
  for (const auto& [name, value] : fit.report.numbers) numbers.push_back(value);
  return numbers;
}

TEST(Logistic, ResumedIsTheUninterruptedFitBitForBit) {
  for (const Index classes : {2, 3})
    for (const bool path : {false, true}) {
      SCOPED_TRACE(std::to_string(classes) + (path ? " classes, a path" : " classes"));
      Case c(sectors(400, 3, classes, classes == 2), classes == 2 ? Task::binary : Task::multiclass, 60, "rks-relu");
      if (path) c.options.lambda.reset();
      c.own().tolerance = 1e-12;
      const FitResult whole = fit_logistic(c.problem());
      const double passes = number(whole, "passes");
      const TemporaryFolder folder;
      c.own().checkpoint = folder.file("checkpoint");
      int resumes = 0, shorter = 0;
      for (int pass = 3; pass <= passes; pass += 4) {  // each checkpoint is synced
        std::filesystem::remove(*c.own().checkpoint);
        EXPECT_EQ(word(stopped_in_pass(c, pass), "stopped"), "time budget");
        if (!std::filesystem::exists(*c.own().checkpoint)) continue;  // before the first step
        const auto [fit, here] = resumed(c);
        EXPECT_EQ(all_numbers(fit), all_numbers(whole)) << "stopped in pass " << pass;
        ++resumes;
        shorter += here < passes ? 1 : 0;
      }
      EXPECT_GT(resumes, passes / 8);
      EXPECT_GT(shorter, resumes / 2);
      std::filesystem::remove(*c.own().checkpoint);
      EXPECT_THROW(fit_logistic(c.problem()), Error);
      c.own().checkpoint = "";
      EXPECT_THROW(fit_logistic(c.problem()), Error);
    }
}

TEST(Logistic, ResumedAfterItsLimitOfIterationsGoesOnForAsManyAgain) {
  Case c(sectors(400, 3, 3, false), Task::multiclass, 60, "rks-relu");
  c.own().tolerance = 1e-12;
  const FitResult whole = fit_logistic(c.problem());
  const TemporaryFolder folder;
  c.own().checkpoint = folder.file("checkpoint");
  c.own().iterations = 3;
  double objective = std::log(3.0);
  for (bool converged = false; !converged; c.own().resume = true) {
    const FitResult fit = fit_logistic(c.problem());
    converged = word(fit, "stopped") == "converged";
    ASSERT_TRUE(converged || number(fit, "objective") < objective);
    objective = number(fit, "objective");
  }
  EXPECT_TRUE(c.own().resume);
  EXPECT_NEAR(objective, number(whole, "objective"), 1e-10);
}

/// Those of earlier versions have the point alone.
TEST(Logistic, EarlierCheckpointsEndInTheSameMinimum) {
  Case c(sectors(400, 3, 3, false), Task::multiclass, 60, "rks-relu");
  c.options.lambda.reset();
  c.own().tolerance = 1e-20;
  const FitResult whole = fit_logistic(c.problem());
  const TemporaryFolder folder;
  const std::string path = folder.file("checkpoint");
  c.own().checkpoint = path;
  const double passes = number(whole, "passes");
  for (const double pass : {std::floor(passes / 3), passes - 2}) {
    stopped_in_pass(c, pass);
    Checkpoint state = Checkpoint::load(path, "logistic", checkpoint_digest(c.problem()));
    state.arrays.resize(4);
    state.save(path);
    const auto [fit, here] = resumed(c);
    EXPECT_EQ(word(fit, "stopped"), "converged");
    EXPECT_LT(here, passes);
    EXPECT_NEAR(number(fit, "lambda"), number(whole, "lambda"), 1e-12);
    EXPECT_LT((scores(c, fit) - scores(c, whole)).cwiseAbs().maxCoeff(), 1e-7);
    EXPECT_EQ(fit.report.numbers.size(), whole.report.numbers.size());
  }
}

TEST(Logistic, CraftedCheckpointsAreRefused) {
  Case c(sectors(200, 3, 3, false), Task::multiclass, 30, "rks-relu");
  c.options.lambda.reset();
  const TemporaryFolder folder;
  const std::string path = folder.file("checkpoint");
  c.own().checkpoint = path;
  stopped_in_pass(c, 12);
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
  expect_refused([](Checkpoint& state) { state.arrays.resize(5); });
  expect_refused([](Checkpoint& state) { state.arrays.resize(100, state.arrays[0]); });
  for (std::size_t k = 0; k < good.arrays[4].size(); ++k) {
    expect_refused([&](Checkpoint& state) { state.arrays[4][k] = -1; });
    expect_refused([&](Checkpoint& state) { state.arrays[4][k] = 0.5; });
    expect_refused([&](Checkpoint& state) { state.arrays[4][k] = 1e300; });
  }
  expect_refused([](Checkpoint& state) { state.arrays[4][1] = 0; });
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
