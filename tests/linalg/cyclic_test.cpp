// Matrices and ridge equations in tiles that several processes hold, against the whole matrix in one of them.
#include "dense_algebra.hpp"
#include "distributed/thread_solver.hpp"
#include "linalg/cyclic_ridge.hpp"
#include "linalg/dense.hpp"
#include "linalg/ridge_case.hpp"

#include <weft/error.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <optional>

namespace weft {

using namespace detail;
namespace {

using namespace test;
using weft::testing::on_processes;
using weft::testing::ThreadProcess;
using weft::testing::ThreadSolver;

constexpr Index kTile = 5;
constexpr int kSizes[] = {1, 2, 3, 4, 6};  // the last is a grid of 2 × 3

Matrix rows_of(const Matrix& all, const std::vector<Index>& numbers) {
  Matrix some(static_cast<Index>(numbers.size()), all.cols());
  for (std::size_t k = 0; k < numbers.size(); ++k)
    std::copy_n(all.row(numbers[k]), all.cols(), some.row(static_cast<Index>(k)));
  return some;
}

/// The tiles of this process of Φ Φᵀ, summed in two blocks of rows.
CyclicMatrix products_of(const Matrix& phi, const CyclicLayout& layout) {
  CyclicMatrix gram(layout);
  const Matrix of_rows = rows_of(phi, layout.rows), of_cols = rows_of(phi, layout.cols);
  const Index half = phi.cols() / 2;
  gram.add_products(of_rows.view().col_range(0, half), of_cols.view().col_range(0, half), 2);
  gram.add_products(of_rows.view().col_range(half, phi.cols() - half),
                    of_cols.view().col_range(half, phi.cols() - half), 1);
  return gram;
}

/// job(process, layout) on so many processes; what the first one returns.
template <class Job>
auto with_layout(int size, Index n, const Job& job) {
  return on_processes(size, [&](ThreadProcess& process) {
    ThreadSolver solver(process, kTile);
    process.set_solver(&solver);
    return job(process, CyclicLayout(n, solver.grid()));
  });
}

TEST(CyclicLayout, HoldsTheEntriesOfTheBlockCyclicLayout) {
  for (const Index n : {1, 5, 12, 37})
    for (const int size : kSizes)
      with_layout(size, n, [&](ThreadProcess&, const CyclicLayout& layout) {
        ThreadSolver::for_each_entry(n, layout.grid, [&](Index i, Index j, std::size_t place) {
          const auto row = place % layout.rows.size(), col = place / layout.rows.size();
          EXPECT_EQ(layout.rows[row], i);
          EXPECT_EQ(layout.cols[col], j);
          EXPECT_EQ(layout.first_row(i), static_cast<Index>(row));
        });
        return 0;
      });
}

TEST(CyclicMatrix, IsTheWholeMatrix) {
  for (const Index n : {3, 37})
    for (const int size : kSizes) {
      const Matrix phi = random_matrix(n, 50, 1), x = random_matrix(n, 2, 2);
      const Dense gram = dense(phi) * dense(phi).transpose();
      with_layout(size, n, [&](ThreadProcess& process, const CyclicLayout& layout) {
        CyclicMatrix tiles = products_of(phi, layout);
        const std::vector<double> diagonal = tiles.diagonal(process);
        for (Index t = 0; t < n; ++t) EXPECT_NEAR(diagonal[static_cast<std::size_t>(t)], gram(t, t), 1e-12);
        EXPECT_LT(largest_difference(dense(tiles.product(x, process)), gram * dense(x)), 1e-11);
        EXPECT_NEAR(tiles.one_norm(process), gram.cwiseAbs().colwise().sum().maxCoeff(), 1e-11);
        tiles.add(tiles);
        EXPECT_LT(largest_difference(dense(tiles.product(x, process)), 2 * gram * dense(x)), 1e-11);
        return 0;
      });
    }
}

/// Equations of the case, whose features and targets need not have the mean 0.
struct Case {
  Matrix phi, y;
  bool centred = false;
  std::optional<Dense> regulariser = {};
  double lambda = 0.3, epsilon = 0.01;

  /// Of A without λR + εI, and the right-hand sides.
  Dense gram() const { return phi_centred() * phi_centred().transpose(); }
  Dense cross() const { return phi_centred() * dense(y).transpose(); }
  std::vector<double> means() const {
    const Eigen::VectorXd mean = dense(phi).rowwise().mean();
    return centred ? std::vector<double>(mean.begin(), mean.end()) : std::vector<double>(mean.size());
  }

  CyclicSolution solve(Communicator& process, const CyclicLayout& layout) const {
    const CyclicMatrix gram_tiles = products_of(phi, layout);
    CyclicMatrix penalty(layout), factor(layout);
    std::vector<double> penalties(static_cast<std::size_t>(phi.rows()), 1);
    if (regulariser) {
      layout.for_each_lower([&](Index i, Index j, Index c, Index r) { penalty(c, r) = (*regulariser)(i, j); });
      penalties = penalty.diagonal(process);
    }
    const Eigen::VectorXd diagonal = gram().diagonal();
    std::vector<bool> constant;
    for (const double entry : diagonal) constant.push_back(entry < 1e-9);
    return solve_cyclic({.layout = layout,
                         .processes = process,
                         .gram = gram_tiles,
                         .regulariser = regulariser ? &penalty : nullptr,
                         .cross = matrix(cross()),
                         .means = means(),
                         .weight = static_cast<double>(phi.cols()),
                         .constant = constant,
                         .diagonal = {diagonal.begin(), diagonal.end()},
                         .penalties = penalties},
                        lambda, epsilon, factor);
  }

 private:
  Dense phi_centred() const {
    const Dense all = dense(phi);
    return centred ? Dense(all.colwise() - all.rowwise().mean()) : all;
  }
};

Case with_means(Case c) {
  c.centred = true;
  for (Index t = 0; t < c.phi.rows(); ++t)
    for (Index i = 0; i < c.phi.cols(); ++i) c.phi(t, i) += static_cast<double>(t % 4);
  return c;
}

TEST(CyclicRidge, AgreesWithTheDenseSolveOnEveryGrid) {
  const Index n = 37;
  const Case plain{random_matrix(n, 120, 3), random_matrix(2, 120, 4)};
  Case general = with_means(plain);
  general.regulariser = some_regulariser(n);
  for (const Case& c : {plain, with_means(plain), general}) {
    const Dense r = c.regulariser ? *c.regulariser : Dense(Dense::Identity(n, n));
    const Dense a = c.gram() + c.lambda * r + c.epsilon * Dense::Identity(n, n);
    const Dense expected = weft::testing::solve_symmetric(a, c.cross());
    for (const int size : kSizes) {
      const CyclicSolution found = with_layout(
          size, n, [&](ThreadProcess& process, const CyclicLayout& layout) { return c.solve(process, layout); });
      EXPECT_LT(largest_difference(dense(found.coefficients), expected), 1e-12);
      EXPECT_LT(found.report.relative_residual, 1e-13);
      EXPECT_GT(found.report.reciprocal_condition, 1e-5);
      EXPECT_EQ(found.report.jitter, 0);
    }
  }
}

TEST(CyclicRidge, SolvesASingularSystemWithJitterAndGivesConstantFeaturesZero) {
  // Every feature twice and a constant one: rank 18 of 37.
  Case c = with_means({random_matrix(37, 200, 7), random_matrix(1, 200, 8)});
  for (Index t = 0; t < 18; ++t) std::copy_n(c.phi.row(t), 200, c.phi.row(18 + t));
  std::fill_n(c.phi.row(36), 200, 3.0);
  c.lambda = c.epsilon = 0;
  const CyclicSolution found =
      with_layout(4, 37, [&](ThreadProcess& process, const CyclicLayout& layout) { return c.solve(process, layout); });
  EXPECT_GT(found.report.jitter, 0);
  EXPECT_LT(found.report.jitter, 1e-10);
  EXPECT_GT(found.report.refinement_steps, 0);  // which take back what the jitter changed
  EXPECT_LT(found.report.relative_residual, 1e-13);
  EXPECT_EQ(found.coefficients(36, 0), 0);
  // How two equal features share their coefficient is left to rounding; the fitted values are not.
  const Dense phi = dense(c.phi), half = (phi.colwise() - phi.rowwise().mean()).topRows(18).transpose();
  const Dense fitted = half * weft::testing::least_squares(half, dense(c.y).transpose());
  Dense coefficients = dense(found.coefficients);
  const Dense sums = coefficients.topRows(18) + coefficients.middleRows(18, 18);
  EXPECT_LT(largest_difference(half * sums, fitted), 1e-7);
}

TEST(CyclicRidge, RefusesOnEveryProcessWhatIsNoGramMatrix) {
  Case indefinite{random_matrix(12, 40, 9), random_matrix(1, 40, 10)};
  indefinite.regulariser = Dense(-1000 * some_regulariser(12));
  indefinite.epsilon = 400;
  Case endless = indefinite;
  endless.lambda = std::numeric_limits<double>::infinity();
  for (const Case& c : {indefinite, endless})
    for (const int size : {1, 4})
      with_layout(size, 12, [&](ThreadProcess& process, const CyclicLayout& layout) {
        EXPECT_THROW(c.solve(process, layout), Error);
        return 0;
      });
}

}  // namespace
}  // namespace weft
