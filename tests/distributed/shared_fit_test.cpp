#include <weft/distributed.hpp>

#include "core/random.hpp"
#include "distributed/thread_processes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

namespace weft::testing {

using namespace detail;
namespace {

constexpr Index kRows = 9000;

struct Numbers {
  Matrix x{kRows, 4}, y{kRows, 1}, weights{kRows, 1};

  explicit Numbers(bool classes) {
    const Random random(5, RandomStream::generator);
    for (Index i = 0; i < kRows; ++i) {
      const auto row = static_cast<std::uint64_t>(i);
      for (Index j = 0; j < 4; ++j) x(i, j) = random.normal(row, static_cast<std::uint32_t>(j));
      const double value = std::sin(x(i, 0)) + x(i, 1) * x(i, 2) + 0.1 * random.normal(row, 9);
      y(i, 0) = classes ? (value > 0 ? 1 : 0) : 50 + value;
      weights(i, 0) = 0.5 + random.uniform(row, 10);
    }
  }
  Data rows(Index first, Index end) const {
    return array(x.view().row_range(first, end - first), y.view().row_range(first, end - first),
                 weights.view().row_range(first, end - first));
  }
  /// Files of very different sizes, one of them without rows.
  std::vector<Data> files() const {
    return {rows(0, 2500), rows(0, 10).rows(0, 0), rows(2500, 2510), rows(2510, 8000), rows(8000, kRows)};
  }
};

struct Options {
  FitOptions fit = {};
  FamilyOptions family = {.features = 80};
};

/// Least squares on random features, unless told otherwise.
FitRequest request(const Data& train, Options options) {
  return {.train = train, .family = std::move(options.family), .fit = std::move(options.fit)};
}

struct Shared {
  std::string bytes;  ///< of the coefficients and the calibration
  Matrix predictions;
  Evaluation evaluation;
};

std::string fitted_numbers(const Model& model) {
  const ModelParts& parts = model.parts();
  std::string text(reinterpret_cast<const char*>(parts.coefficients.data()),
                   static_cast<std::size_t>(parts.coefficients.rows() * parts.coefficients.cols()) * sizeof(double));
  for (const double number : parts.intercepts) text += " " + std::to_string(std::hash<double>()(number));
  for (const double number : parts.calibration.slope) text += " " + std::to_string(std::hash<double>()(number));
  return text;
}

/// Of models that are sums of members.
std::string fitted_members(const Model& model) {
  std::string text = fitted_numbers(model);
  const auto add = [&](const Matrix& matrix) {
    text.append(reinterpret_cast<const char*>(matrix.data()),
                static_cast<std::size_t>(matrix.rows() * matrix.cols()) * sizeof(double));
  };
  for (const Member& member : model.parts().members)
    for (const Leaf& leaf : member.leaves) {
      add(leaf.coefficients);
      if (leaf.map.sections() != nullptr) add(leaf.map.sections()->landmarks);
    }
  return text;
}

Shared fit_shared(const Numbers& numbers, const Options& options, int size) {
  return on_processes(size, [&](Communicator& process) {
    const SharedTable table(numbers.files(), "files", process);
    const Model model = fit(request(table.all(), options), table);
    Evaluation evaluation = evaluate(model, table);
    return Shared{fitted_numbers(model), model.predict(numbers.rows(0, 500)), std::move(evaluation)};
  });
}

/// The bits of one process, where tolerance is 0: the statistics of these columns are the same however they are merged.
void expect_as_alone(bool classes, const Options& options, double tolerance = 0) {
  const Numbers numbers(classes);
  const Model alone = fit(request(numbers.rows(0, kRows), options));
  const Matrix predictions = alone.predict(numbers.rows(0, 500));
  const Evaluation evaluation = evaluate(alone, numbers.rows(0, kRows));
  const Shared one = fit_shared(numbers, options, 1);
  for (Index i = 0; i < predictions.rows(); ++i)
    for (Index o = 0; o < predictions.cols(); ++o)
      ASSERT_NEAR(one.predictions(i, o), predictions(i, o), tolerance * (1 + std::abs(predictions(i, o))));
  if (tolerance == 0 && !classes) {  // the second fit that gives some classifiers probabilities sums folds
    EXPECT_TRUE(one.bytes == fitted_numbers(alone));
  }
  EXPECT_EQ(one.evaluation.rows, kRows);
  if (evaluation.mse) {
    EXPECT_NEAR(*one.evaluation.mse, *evaluation.mse, 10 * std::max(1e-13, tolerance));
  }
  if (classes) {
    EXPECT_NEAR(*one.evaluation.logloss, *evaluation.logloss, 1e-9);
  }
  for (const int size : {2, 3, 8}) {
    const Shared more = fit_shared(numbers, options, size);
    EXPECT_TRUE(more.bytes == one.bytes) << size << " processes";
    EXPECT_EQ(more.evaluation.to_json(), one.evaluation.to_json()) << size << " processes";
  }
}

TEST(SharedFit, LeastSquaresIsThatOfOneProcess) {
  expect_as_alone(false, {});
}

TEST(SharedFit, WithGivenLambdaWithoutIntercept) {
  expect_as_alone(false, {{.lambda = 1e-4, .intercept = false}});
}

TEST(SharedFit, ClassesAreCalibratedOnTheSameRows) {
  expect_as_alone(true, {});
  // Folds are too many sums for a tree where all rows are in one process.
  expect_as_alone(true, {{.method = LeastSquaresOptions{.calibrate = true}}}, 1e-10);
}

TEST(SharedFit, BalancedClassesAreCountedOverAllProcesses) {
  expect_as_alone(true, {{.class_weights = ClassWeighting::balanced}});
  expect_as_alone(true, {{.method = LogisticOptions{}, .class_weights = ClassWeighting::balanced}});
}

TEST(SharedFit, Lasso) {
  expect_as_alone(false, {{.method = LassoOptions{}}});
  expect_as_alone(true, {{.method = LassoOptions{.nonzeros = 20}}});
  expect_as_alone(false, {{.method = LassoOptions{}, .intervals = true}});
}

TEST(SharedFit, KernelsOnLandmarks) {
  const auto expect = [&](bool classes, LandmarkSampling sampling) {
    const KernelRidgeOptions kernel{.kernel = "laplace", .landmarks = 60, .landmark_sampling = sampling};
    expect_as_alone(classes, {{.method = kernel, .lambda = 1e-3}, {}});
  };
  expect(false, LandmarkSampling::uniform);
  expect(false, LandmarkSampling::pivoted);
  expect(true, LandmarkSampling::leverage);
}

TEST(SharedFit, KernelsByConjugateGradients) {
  for (const bool classes : {false, true})
    expect_as_alone(classes, {{.method = KernelRidgeOptions{.landmarks = 60,
                                                            .landmark_sampling = LandmarkSampling::leverage,
                                                            .solver = LandmarkSolver::cg}},
                              {}});
}

TEST(SharedFit, Logistic) {
  expect_as_alone(true, {{.method = LogisticOptions{}}});
  expect_as_alone(true, {{.method = LogisticOptions{}, .lambda = 1e-4, .intercept = false, .intervals = true}});
}

TEST(SharedFit, OtherLosses) {
  const FamilyOptions few{.features = 20};
  const auto expect = [&](const FitOptions& fit, const FamilyOptions& family) {
    expect_as_alone(false, {fit, family});
  };
  expect({.method = NewtonOptions{.loss = RegressionLoss::huber}, .lambda = 1e-4}, few);
  expect({.method = NewtonOptions{.loss = RegressionLoss::quantile, .quantiles = "0.1,0.9", .iterations = 10},
          .lambda = 1e-4},
         few);
  expect({.method = KernelNewtonOptions{.loss = RegressionLoss::squared, .landmarks = 30}}, {});
}

TEST(SharedFit, FeaturesChosenByTheRows) {
  for (const Sampling sampling : {Sampling::leverage, Sampling::lkrf, Sampling::eerf}) {
    // Sums over all candidates are too large for a tree where all rows are in one process.
    expect_as_alone(false, {{}, {.features = 30, .sampling = sampling}}, 1e-10);
    expect_as_alone(true, {{}, {.features = 30, .sampling = sampling, .sampling_rows = 3000}}, 1e-10);
  }
}

TEST(SharedFit, CheckpointsGoOnWithAnotherNumberOfProcesses) {
  const Numbers numbers(true);
  const std::string file = ::testing::TempDir() + "shared.checkpoint";
  const auto options = [&](const std::string& checkpoint, bool resume) {
    return Options{{.method = LogisticOptions{.iterations = 2, .checkpoint = checkpoint, .resume = resume}}};
  };
  const auto copy = [&](int size) {
    const std::string name = file + std::to_string(size);
    std::filesystem::copy_file(file, name, std::filesystem::copy_options::overwrite_existing);
    return name;
  };
  const Shared first = fit_shared(numbers, options(file, false), 3);
  const Shared two = fit_shared(numbers, options(copy(2), true), 2);
  EXPECT_TRUE(two.bytes == fit_shared(numbers, options(copy(5), true), 5).bytes);
  EXPECT_LT(*two.evaluation.logloss, *first.evaluation.logloss);
  const Model alone = fit(request(numbers.rows(0, kRows), options(copy(0), true)));
  const Matrix predictions = alone.predict(numbers.rows(0, 500));
  for (Index i = 0; i < predictions.rows(); ++i) EXPECT_NEAR(two.predictions(i, 0), predictions(i, 0), 1e-10);
}

/// As bits: the fits are the same.
void expect_same_work(FitRequest request, std::initializer_list<int> sizes) {
  request.run.threads = 1;
  const std::string alone = fitted_members(fit(request));
  for (const int size : sizes)
    EXPECT_TRUE(alone ==
                on_processes(size, [&](Communicator& process) { return fitted_members(fit(request, process)); }))
        << size << " processes";
}

TEST(SharedWork, LeavesOfTrees) {
  const Numbers numbers(false);
  const Data rows = numbers.rows(0, 2600);
  expect_same_work({.train = rows, .fit = {.method = LocalOptions{.relevance = 1, .leaf = 200, .trees = 2}}}, {1, 3});
  expect_same_work(
      {.train = rows, .fit = {.method = LocalOptions{.relevance = 0, .leaf = 300, .trees = 1, .global = 100}}}, {2});
}

TEST(SharedWork, Portfolio) {
  const Numbers numbers(true);
  expect_same_work({.train = numbers.rows(0, 2600),
                    .fit = {.method = PortfolioOptions{.relevance = 1, .leaf = 300, .landmarks = 100}}},
                   {2});
}

std::string scores_of(const TuneResult& result) {
  std::string text = std::to_string(result.best);
  for (const Trial& trial : result.trials) {
    Trial same = trial;
    same.seconds = 0;
    text += same.to_json();
    for (const CurvePoint& point : trial.path) text += point.to_json();
  }
  return text;
}

void expect_same_search(TuneRequest request) {
  const TuneResult alone = tune(request);
  EXPECT_EQ(static_cast<Index>(alone.trials.size()), alone.planned);
  for (const int size : {1, 2, 3})
    EXPECT_EQ(scores_of(on_processes(size, [&](Communicator& process) { return tune(request, process); })),
              scores_of(alone))
        << size << " processes";
}

TEST(SharedWork, ConfigurationsOfASearch) {
  const Numbers numbers(false);
  TuneRequest request{.train = numbers.rows(0, 3000), .family = {.family = "rw-relu,rks-cos", .features = 30}};
  request.options = {.configurations = 4, .folds = 3, .lambdas = 5};
  expect_same_search(request);
  request.options.search = SearchStrategy::halving;
  expect_same_search(request);
  request.fit.method = LassoOptions{};
  request.options.search = SearchStrategy::random;
  request.options.configurations = 3;
  expect_same_search(request);
}

TEST(SharedWork, SearchesGoOnFromTheLogOfOtherProcesses) {
  const Numbers numbers(false);
  const std::string log = ::testing::TempDir() + "shared.jsonl";
  std::filesystem::remove(log);
  TuneRequest request{.train = numbers.rows(0, 2000), .family = {.family = "rw-relu", .features = 20}};
  request.options = {.configurations = 3, .folds = 2, .lambdas = 3, .log = log};
  on_processes(2, [&](Communicator& process) { return tune(request, process); });
  request.options.configurations = 6;
  const TuneResult more = on_processes(3, [&](Communicator& process) { return tune(request, process); });
  EXPECT_EQ(more.resumed, 3);
  EXPECT_EQ(more.trials.size(), 6);
  request.options.log = "";
  EXPECT_EQ(more.winner().score, tune(request).winner().score);
}

TEST(SharedFit, RefusesWhatItCannotShareOut) {
  const Numbers numbers(false);
  const auto expect_refused = [&](const FitRequest& refused, const char* field) {
    try {
      check_shared_fit(refused);
      FAIL() << field;
    } catch (const Error& error) {
      EXPECT_EQ(error.field(), field);
      EXPECT_FALSE(error.hint().empty());
    }
  };
  FitRequest given = request(numbers.rows(0, 100), {});
  given.fit.method = PortfolioOptions{};
  given.family = {};
  given.run.max_seconds = 1;
  expect_refused(given, "max_time");
  given = request(numbers.rows(0, 100), {});
  given.run.max_seconds = 1;
  expect_refused(given, "max_time");
  expect_refused(request(numbers.rows(0, 100), {{.method = KernelRidgeOptions{}}, {}}), "landmarks");
  expect_refused(request(numbers.rows(0, 100), {{.method = FunctionalGradientOptions{}}}), "fit");
}

}  // namespace
}  // namespace weft::testing
