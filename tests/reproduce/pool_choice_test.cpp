#include "reproduce/pool_choice.hpp"

#include "linalg/dense.hpp"
#include "methods/table_rows.hpp"
#include "sampling/sample_map.hpp"

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

using namespace test;
using testing_rows::smooth_problem;
using testing_rows::TableRows;

FamilyOptions family(const std::string& sampling) {
  FamilyOptions options;
  options.family = "rff-rbf";
  options.features = 8;
  options.sampling = sampling;
  options.seed = 5;
  if (sampling != "plain") options.candidates = 40;
  if (sampling.starts_with("leverage")) options.sampling_lambda = 1e-3;
  return options;
}

/// The pool's features of all rows, and their targets.
struct PoolRows {
  Matrix phi;
  Matrix y;
};

PoolRows pool_rows(const TableRows& rows, const FeatureMap& pool) {
  const TrainingBlock& block = *rows.in_memory();
  PoolRows all{Matrix(pool.features(), block.rows()), Matrix(1, block.rows())};
  pool.smoothings(block.x, all.phi);
  std::copy_n(block.y.row(0), block.rows(), all.y.data());
  return all;
}

Accumulator sums_of(const PoolRows& rows) {
  Accumulator sums(rows.phi.rows(), 1);
  sums.add(rows.phi.view(), rows.y, nullptr, 1);
  return sums;
}

// The samplers of a fit look at rows; sums must lead them to the same features.
TEST(PoolChoice, IsTheChoiceOfAFit) {
  const TableRows rows = smooth_problem(3, 500, 1, 1);
  const Inputs inputs = Inputs::plain(3, true);
  FamilyOptions larger = family("plain");
  larger.features = 60;  // a larger pool: its first 40 are the pool
  const Accumulator sums = sums_of(pool_rows(rows, FeatureMap::draw(larger, inputs)));
  for (const char* sampling : {"leverage", "leverage-top", "eerf", "lkrf"}) {
    const FeatureMap expected = sample_map(family(sampling), inputs, {rows, rows}, {}, nullptr);
    const Choice choice = choose_from_sums(sums, {sampling, 8, 40, 1e-3, family("lkrf").sampling_rho, 5}, 1);
    const FeatureMap chosen = FeatureMap::draw(larger, inputs).subset(choice.positions, choice.scales);
    ASSERT_EQ(chosen.features(), expected.features()) << sampling;
    Matrix x(inputs.columns(), 3), a(expected.features(), 3), b(expected.features(), 3);
    for (Index j = 0; j < x.rows(); ++j)
      for (Index i = 0; i < 3; ++i) x(j, i) = 0.3 * static_cast<double>(i) - 0.1 * static_cast<double>(j);
    expected.smoothings(x, a);
    chosen.smoothings(x, b);
    EXPECT_LT(largest_difference(dense(a), dense(b)), 1e-9) << sampling;
  }
}

TEST(PoolChoice, SolvesAndJudgesAsOnRows) {
  const TableRows rows = smooth_problem(3, 300, 1, 2);
  const PoolRows all = pool_rows(rows, FeatureMap::draw(family("plain"), Inputs::plain(3, true)));
  const Accumulator sums = sums_of(all);
  const double lambda = 1e-3;
  const LinearFit fit = ridge_path(sums, {1e-1, lambda}, 1)[1];

  const Dense phi = dense(all.phi);
  const Dense y = dense(all.y);
  const auto n = static_cast<double>(phi.cols());
  const Dense centred = phi.colwise() - phi.rowwise().mean();
  const Dense target = y.array() - y.mean();
  const Dense a = centred * centred.transpose() / n + lambda * Dense::Identity(phi.rows(), phi.rows());
  const Dense b = a.llt().solve(centred * target.transpose() / n);
  double squares = 0;
  for (Index i = 0; i < phi.cols(); ++i) {
    const double truth = y.mean() + (b.transpose() * centred.col(i))(0, 0);
    double value = fit.intercept;
    for (Index t = 0; t < phi.rows(); ++t) value += fit.coefficients[static_cast<std::size_t>(t)] * phi(t, i);
    EXPECT_NEAR(value, truth, 1e-9);
    squares += (value - y(0, i)) * (value - y(0, i)) / n;
  }
  EXPECT_NEAR(mean_square(sums, fit), squares, 1e-10);
}

}  // namespace
}  // namespace weft
