#include <weft/incremental.hpp>

#include "core/random.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace weft::testing {

using namespace detail;
namespace {

struct Table {
  Matrix x, y, weights;

  Table(Index rows, Index targets, bool weighted) : x(rows, 3), y(rows, targets), weights(rows, weighted ? 1 : 0) {
    const Random random(5, RandomStream::generator);
    for (Index i = 0; i < rows; ++i) {
      const auto at = static_cast<std::uint64_t>(i);
      for (Index j = 0; j < 3; ++j) x(i, j) = random.normal(at, static_cast<std::uint32_t>(j));
      for (Index k = 0; k < targets; ++k)
        y(i, k) = 100 + std::sin(x(i, 0) + static_cast<double>(k)) + x(i, 1) * x(i, 2) + 0.1 * random.normal(at, 9);
      if (weighted) weights(i, 0) = 0.5 + random.uniform(at, 10);
    }
  }
  Data rows(Index first, Index count) const {
    return array(x.view().row_range(first, count), y.view().row_range(first, count),
                 weights.cols() == 0 ? View<const double>{} : weights.view().row_range(first, count));
  }
  Data all() const { return rows(0, x.rows()); }
};

FamilyOptions family() {
  FamilyOptions options;
  options.features = 60;
  return options;
}

Matrix in_batches(const Table& table, const std::vector<Index>& sizes, const FitOptions& options,
                  const EncodeOptions& encode = {}) {
  IncrementalFit fit(Encoder::fit(table.all(), encode), family(), options);
  Index first = 0;
  for (const Index size : sizes) {
    fit.add(table.rows(first, size));
    first += size;
  }
  EXPECT_EQ(fit.rows(), table.x.rows());
  return fit.model().predict(table.all());
}

void expect_near(const Matrix& a, const Matrix& b, double tolerance) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index k = 0; k < a.cols(); ++k) ASSERT_NEAR(a(i, k), b(i, k), tolerance) << i << " " << k;
}

TEST(IncrementalFit, IsTheFitOnAllRowsWhateverTheBatches) {
  for (const bool weighted : {false, true})
    for (const bool intercept : {true, false})
      for (const std::optional<double> lambda : {std::optional<double>(1e-4), std::optional<double>()}) {
        FitOptions options;
        options.lambda = lambda;
        options.intercept = intercept;
        const Table table(3000, 2, weighted);
        const Matrix whole = fit({table.all(), family(), options}).predict(table.all());
        expect_near(in_batches(table, {3000}, options), whole, 1e-7);
        expect_near(in_batches(table, {1, 700, 2200, 99}, options), whole, 1e-6);
      }
}

TEST(IncrementalFit, OneBatchGivesTheSameBits) {
  const Table table(2500, 1, false);
  const Matrix whole = fit({table.all(), family()}).predict(table.all());
  const Matrix batch = in_batches(table, {2500}, {});
  for (Index i = 0; i < whole.rows(); ++i) ASSERT_EQ(whole(i, 0), batch(i, 0));
}

TEST(IncrementalFit, KnowsClassesThatABatchLacks) {
  Table table(900, 1, false);
  for (Index i = 0; i < 900; ++i) table.y(i, 0) = i < 300 ? 0 : i < 600 ? 1 : 2;
  EncodeOptions encode;
  encode.task = TargetKind::classification;
  const Matrix whole = fit({table.all(), family(), {}, encode}).predict(table.all());
  const Matrix batches = in_batches(table, {300, 300, 300}, {}, encode);
  for (Index i = 0; i < whole.rows(); ++i) ASSERT_EQ(whole(i, 0), batches(i, 0));
}

TEST(IncrementalFit, ABatchThatFailsLeavesNothingBehind) {
  Table table(600, 1, false);
  FitOptions options;
  options.lambda = 1e-3;
  IncrementalFit fit(Encoder::fit(table.all(), {.missing = MissingCells::error}), family(), options);
  fit.add(table.rows(0, 300));
  const Matrix before = fit.model().predict(table.all());
  table.x(450, 1) = NAN;
  EXPECT_THROW(fit.add(table.rows(300, 300)), Error);
  table.x(450, 1) = 0;
  const Matrix after = fit.model().predict(table.all());
  EXPECT_EQ(fit.rows(), 300);
  for (Index i = 0; i < 450; ++i) ASSERT_EQ(before(i, 0), after(i, 0));
}

TEST(IncrementalFit, SaysWhatItCannotDo) {
  const Table table(50, 1, false);
  const Encoder encoder = Encoder::fit(table.all(), {});
  EXPECT_THROW(IncrementalFit(encoder, family()).model(), Error);
  const auto refused = [&](auto&& change) {
    FitOptions options;
    FamilyOptions features = family();
    change(features, options);
    EXPECT_THROW(IncrementalFit(encoder, features, options), Error);
  };
  refused([](FamilyOptions&, FitOptions& options) { options.method = LassoOptions{}; });
  refused([](FamilyOptions&, FitOptions& options) { options.use<LeastSquaresOptions>().calibrate = true; });
  refused([](FamilyOptions&, FitOptions& options) { options.class_weights = ClassWeighting::balanced; });
  refused([](FamilyOptions& features, FitOptions&) { features.sampling = Sampling::leverage; });
  IncrementalFit one_row(encoder, family());
  one_row.add(table.rows(0, 1));
  EXPECT_THROW(one_row.model(), Error) << "nothing to choose lambda on";
}

}  // namespace
}  // namespace weft::testing
