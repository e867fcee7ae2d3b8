#include <weft/distributed.hpp>

#include "core/random.hpp"
#include "distributed/thread_processes.hpp"

#include <gtest/gtest.h>

#include <cmath>

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

FitRequest request(const Data& train, FitOptions fit) {
  FamilyOptions family;
  family.features = 80;
  return {.train = train, .family = family, .fit = std::move(fit)};
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

Shared fit_shared(const Numbers& numbers, const FitOptions& options, int size) {
  return on_processes(size, [&](Communicator& process) {
    const SharedTable table(numbers.files(), "files", process);
    const Model model = fit(request(table.all(), options), table);
    Evaluation evaluation = evaluate(model, table);
    return Shared{fitted_numbers(model), model.predict(numbers.rows(0, 500)), std::move(evaluation)};
  });
}

void expect_as_alone(bool classes, const FitOptions& options) {
  const Numbers numbers(classes);
  const Model alone = fit(request(numbers.rows(0, kRows), options));
  const Matrix predictions = alone.predict(numbers.rows(0, 500));
  const Evaluation evaluation = evaluate(alone, numbers.rows(0, kRows));
  const Shared one = fit_shared(numbers, options, 1);
  for (Index i = 0; i < predictions.rows(); ++i)
    ASSERT_NEAR(one.predictions(i, 0), predictions(i, 0), 1e-10 * (1 + std::abs(predictions(i, 0))));
  EXPECT_EQ(one.evaluation.rows, kRows);
  EXPECT_NEAR(*one.evaluation.mse, *evaluation.mse, 1e-10);
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
  FitOptions options;
  options.lambda = 1e-4;
  options.intercept = false;
  expect_as_alone(false, options);
}

TEST(SharedFit, ClassesAreCalibratedOnTheSameRows) {
  expect_as_alone(true, {});
  expect_as_alone(true, {.method = LeastSquaresOptions{.calibrate = true}});
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
  expect_refused(given, "fit");
  given = request(numbers.rows(0, 100), {});
  given.run.max_seconds = 1;
  expect_refused(given, "max_time");
  given = request(numbers.rows(0, 100), {});
  given.family.sampling = Sampling::leverage;
  expect_refused(given, "sampling");
}

}  // namespace
}  // namespace weft::testing
