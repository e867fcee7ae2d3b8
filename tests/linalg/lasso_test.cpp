#include "linalg/lasso.hpp"

#include "dense_algebra.hpp"
#include "linalg/dense.hpp"

#include <weft/error.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>

namespace weft {

using namespace detail;
namespace {

using namespace test;
using Vector = Eigen::VectorXd;

/// Φ and y themselves, which the solver never sees: objective, gradient and dual value are computed from them here.
struct Truth {
  Dense phi;  // m×T
  Vector y;
  int divisor = 1;
  Matrix gram;
  std::vector<double> cross;

  Truth(Dense phi_, Vector y_, int divisor_) : phi(std::move(phi_)), y(std::move(y_)), divisor(divisor_) {
    gram = matrix(phi.transpose() * phi);
    const Vector q = phi.transpose() * y;
    cross.assign(q.begin(), q.end());
  }
  double rows() const { return static_cast<double>(phi.rows()); }
  LassoProblem problem() const { return {gram, cross, y.squaredNorm(), rows(), divisor}; }
  double objective(const Vector& a, double lambda) const {
    return (phi * a - y).squaredNorm() / (divisor * rows()) + lambda * a.lpNorm<1>();
  }
  /// A lower bound on the minimum: D(θ) for θ = the residual scaled into the dual feasible set.
  double dual(const Vector& a, double lambda) const {
    const double mu = lambda * divisor * rows() / 2;
    const Vector r = y - phi * a;
    const double s = std::min(1.0, mu / (phi.transpose() * r).lpNorm<Eigen::Infinity>());
    return (y.squaredNorm() - (y - s * r).squaredNorm()) / (divisor * rows());
  }
};

Vector vector(const std::vector<double>& a) {
  return Eigen::Map<const Vector>(a.data(), static_cast<Index>(a.size()));
}

/// Signal on a few columns plus noise; `correlation` mixes a common factor into all columns.
Truth random_truth(Index rows, Index features, double correlation, int divisor, std::uint64_t seed) {
  Dense phi = dense(random_matrix(rows, features, seed));
  const Vector common = dense(random_matrix(rows, 1, seed + 1));
  phi = (1 - correlation) * phi + correlation * common * Eigen::RowVectorXd::Ones(features);
  Vector y = 0.3 * dense(random_matrix(rows, 1, seed + 2));
  for (Index j = 0; j < std::min<Index>(features, 8); ++j) y += (j % 2 == 0 ? 1.0 : -0.5) * phi.col(j);
  return {phi, y, divisor};
}

void expect_optimal(const Truth& truth, double lambda, const LassoResult& result, double tolerance) {
  const Vector a = vector(result.coefficients);
  const double scale = truth.y.squaredNorm() / (truth.divisor * truth.rows());
  EXPECT_EQ(result.stop, LassoStop::converged);
  EXPECT_LE(result.gap, tolerance * scale);
  EXPECT_GE(result.gap, 0);
  EXPECT_NEAR(result.objective, truth.objective(a, lambda), 1e-10 * scale);
  EXPECT_LE(truth.objective(a, lambda) - truth.dual(a, lambda), 2 * tolerance * scale + 1e-12 * scale);
  EXPECT_EQ(result.nonzeros, (a.array() != 0).count());
  const double mu = lambda * truth.divisor * truth.rows() / 2;
  const Vector g = truth.phi.transpose() * (truth.y - truth.phi * a);
  double violation = 0;
  for (Index j = 0; j < a.size(); ++j)
    violation = std::max(violation, a(j) != 0 ? std::abs(g(j) - std::copysign(mu, a(j))) : std::abs(g(j)) - mu);
  EXPECT_NEAR(result.kkt_violation, violation / mu, 1e-7);
}

/// FISTA with restarts, run until its own steps vanish: slow, and shares nothing with the solver.
Vector fista(const Truth& truth, double lambda, int steps) {
  const double mu = lambda * truth.divisor * truth.rows() / 2;
  const Dense q = truth.phi.transpose() * truth.phi;
  const Vector c = truth.phi.transpose() * truth.y;
  const double lipschitz = testing::eigenvalues(q).maxCoeff();
  Vector a = Vector::Zero(q.rows());
  Vector z = a;
  double t = 1;
  for (int step = 0; step < steps; ++step) {
    const Vector moved = z - (q * z - c) / lipschitz;
    const Vector next = (moved.array().abs() - mu / lipschitz).max(0) * moved.array().sign();
    const double t_next = (1 + std::sqrt(1 + 4 * t * t)) / 2;
    const bool restart = (z - next).dot(next - a) > 0;
    z = restart ? next : Vector(next + (t - 1) / t_next * (next - a));
    t = restart ? 1 : t_next;
    a = next;
  }
  return a;
}

LassoSolverOptions tight(double tolerance) {
  LassoSolverOptions options;
  options.tolerance = tolerance;
  return options;
}

TEST(Lasso, IsTheSoftThresholdForOrthogonalColumns) {
  const Index features = 30;
  Dense phi = testing::orthonormal(dense(random_matrix(100, features, 1)));
  for (Index j = 0; j < features; ++j) phi.col(j) *= 0.1 * static_cast<double>(j + 1);
  for (const int divisor : {1, 2}) {
    const Truth truth(phi, dense(random_matrix(100, 1, 2)), divisor);
    const double lambda = 0.2 * lasso_lambda_max(truth.problem());
    const double mu = lambda * divisor * truth.rows() / 2;
    const LassoResult result = lasso(truth.problem(), lambda, {}, tight(1e-14), {});
    for (Index j = 0; j < features; ++j) {
      const double q = truth.cross[j];
      const double expected = std::copysign(std::max(0.0, std::abs(q) - mu), q) / phi.col(j).squaredNorm();
      EXPECT_NEAR(result.coefficients[j], expected, 1e-10);
    }
  }
}

TEST(Lasso, SatisfiesTheOptimalityConditionsTallAndWide) {
  for (const auto& [rows, features] : {std::pair<Index, Index>{300, 40}, {60, 200}, {150, 150}})
    for (const int divisor : {1, 2})
      for (const double correlation : {0.0, 0.9})
        for (const double share : {0.5, 0.05, 0.002}) {
          const Truth truth = random_truth(rows, features, correlation, divisor, 3);
          const double lambda = share * lasso_lambda_max(truth.problem());
          for (const double tolerance : {1e-4, 1e-10})
            expect_optimal(truth, lambda, lasso(truth.problem(), lambda, {}, tight(tolerance), {}), tolerance);
        }
}

TEST(Lasso, AgreesWithProximalGradient) {
  for (const auto& [rows, features] : {std::pair<Index, Index>{200, 50}, {50, 90}}) {
    const Truth truth = random_truth(rows, features, 0.3, 1, 7);
    for (const double share : {0.3, 0.03}) {
      const double lambda = share * lasso_lambda_max(truth.problem());
      const Vector expected = fista(truth, lambda, 20000);
      const LassoResult result = lasso(truth.problem(), lambda, {}, tight(1e-13), {});
      EXPECT_LT((vector(result.coefficients) - expected).lpNorm<Eigen::Infinity>(), 1e-7);
      EXPECT_NEAR(result.objective, truth.objective(expected, lambda), 1e-11);
    }
  }
}

TEST(Lasso, ConvergesOnDuplicateAndZeroColumns) {
  Dense phi = dense(random_matrix(120, 90, 11));
  phi.col(4).setZero();
  for (Index j = 30; j < 60; ++j) phi.col(j) = phi.col(j - 30);
  for (Index j = 60; j < 90; ++j) phi.col(j) = -2 * phi.col(j - 60) + 1e-9 * phi.col(j);
  const Vector y = phi.leftCols(10).rowwise().sum() + Vector(0.1 * dense(random_matrix(120, 1, 12)));
  const Truth truth(phi, y, 1);
  for (const double share : {0.5, 0.01, 1e-4}) {
    const double lambda = share * lasso_lambda_max(truth.problem());
    const LassoResult result = lasso(truth.problem(), lambda, {}, tight(1e-9), {});
    expect_optimal(truth, lambda, result, 1e-9);
    EXPECT_EQ(result.coefficients[4], 0);
  }
}

TEST(Lasso, ConvergesWhereCoordinateDescentCrawls) {
  // Smooth steps along one variable, as stump features are: condition number beyond 1e16.
  const Index rows = 500;
  const Index features = 300;
  Dense phi(rows, features);
  Vector y(rows);
  for (Index i = 0; i < rows; ++i) {
    const double x = -2 + 4 * static_cast<double>(i) / static_cast<double>(rows - 1);
    for (Index t = 0; t < features; ++t)
      phi(i, t) = std::erf(x - 3 + 6 * static_cast<double>(t) / static_cast<double>(features - 1));
    y(i) = std::sin(3 * x) + (i % 3 == 0 ? 0.5 : -0.25);
  }
  const Truth truth(phi, y, 2);
  const Vector spectrum = testing::eigenvalues(dense(truth.gram));
  ASSERT_LT(spectrum.minCoeff(), 1e-15 * spectrum.maxCoeff());
  for (const double share : {0.1, 1e-2, 1e-3, 1e-4}) {
    const double lambda = share * lasso_lambda_max(truth.problem());
    expect_optimal(truth, lambda, lasso(truth.problem(), lambda, {}, tight(1e-7), {}), 1e-7);
  }
}

TEST(Lasso, IsZeroFromLambdaMaxOn) {
  for (const int divisor : {1, 2}) {
    const Truth truth = random_truth(80, 30, 0.2, divisor, 13);
    const double largest = lasso_lambda_max(truth.problem());
    for (const double lambda : {largest, 2 * largest}) {
      const LassoResult result = lasso(truth.problem(), lambda, {}, tight(1e-12), {});
      EXPECT_EQ(result.nonzeros, 0);
      EXPECT_EQ(result.stop, LassoStop::converged);
      EXPECT_NEAR(result.objective, truth.y.squaredNorm() / (divisor * 80.0), 1e-12);
      const std::vector<double> elsewhere(30, 1.0);
      EXPECT_LE(lasso(truth.problem(), lambda, elsewhere, tight(1e-12), {}).gap, 1e-12 * result.objective);
    }
    EXPECT_GT(lasso(truth.problem(), 0.99 * largest, {}, tight(1e-12), {}).nonzeros, 0);
  }
}

TEST(Lasso, TheTwoNormalisationsAreOneProblem) {
  const Truth one = random_truth(100, 40, 0.1, 1, 17);
  const Truth two = random_truth(100, 40, 0.1, 2, 17);
  EXPECT_DOUBLE_EQ(lasso_lambda_max(one.problem()), 2 * lasso_lambda_max(two.problem()));
  const LassoResult a = lasso(one.problem(), 0.1, {}, tight(1e-12), {});
  const LassoResult b = lasso(two.problem(), 0.05, {}, tight(1e-12), {});
  EXPECT_LT((vector(a.coefficients) - vector(b.coefficients)).lpNorm<Eigen::Infinity>(), 1e-12);
  EXPECT_NEAR(a.objective, 2 * b.objective, 1e-12);
}

TEST(Lasso, PathIsOptimalAtEveryLambda) {
  const Truth truth = random_truth(120, 200, 0.5, 1, 19);
  std::vector<double> lambdas;
  for (int i = 0; i < 20; ++i) lambdas.push_back(lasso_lambda_max(truth.problem()) * std::pow(10, -0.15 * i));
  const auto path = lasso_path(truth.problem(), lambdas, tight(1e-8), {});
  ASSERT_EQ(path.size(), lambdas.size());
  for (std::size_t i = 0; i < path.size(); ++i) expect_optimal(truth, lambdas[i], path[i], 1e-8);
  const LassoResult again = lasso(truth.problem(), lambdas[10], path[10].coefficients, tight(1e-8), {});
  EXPECT_EQ(again.epochs + again.newton_steps, 0) << "a solution is recognised as one";
}

TEST(Lasso, SaysWhenItStopsEarly) {
  const Truth truth = random_truth(100, 300, 0.9, 1, 23);
  const double lambda = 1e-3 * lasso_lambda_max(truth.problem());
  LassoSolverOptions options = tight(1e-12);
  options.max_steps = 3;
  const LassoResult few = lasso(truth.problem(), lambda, {}, options, {});
  EXPECT_EQ(few.stop, LassoStop::max_steps);
  EXPECT_GT(few.gap, 0);
  EXPECT_GE(few.gap, few.objective - lasso(truth.problem(), lambda, {}, tight(1e-12), {}).objective);
  weft::Run run;
  run.max_seconds = 1e-9;
  EXPECT_EQ(lasso(truth.problem(), lambda, {}, tight(1e-12), run).stop, LassoStop::max_seconds);
  // No double can reach this gap; the solver must notice that it no longer gains.
  const LassoResult beyond = lasso(truth.problem(), lambda, {}, tight(1e-25), {});
  EXPECT_EQ(beyond.stop, LassoStop::stalled);
  EXPECT_LT(beyond.gap, 1e-12);
  const std::atomic<bool> cancel = true;
  weft::Run cancelled;
  cancelled.cancel = &cancel;
  EXPECT_THROW(lasso(truth.problem(), lambda, {}, tight(1e-12), cancelled), Error);
}

TEST(Lasso, RefusesBadInput) {
  Truth truth = random_truth(20, 5, 0, 1, 29);
  for (const double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(lasso(truth.problem(), bad, {}, {}, {}), Error);
  LassoProblem wrong = truth.problem();
  wrong.yy = 1e-3 * truth.y.squaredNorm();  // belongs to other targets: the residual would be negative
  EXPECT_THROW(lasso(wrong, 1e-3, {}, {}, {}), Error);
  truth.gram(2, 3) = std::nan("");
  EXPECT_THROW(lasso(truth.problem(), 1, {}, {}, {}), Error);
}

TEST(Lasso, HandlesATargetOfZeros) {
  const Truth truth(dense(random_matrix(20, 5, 31)), Vector::Zero(20), 1);
  const LassoResult result = lasso(truth.problem(), 0.1, std::vector<double>(5, 1.0), {}, {});
  EXPECT_EQ(result.nonzeros, 0);
  EXPECT_EQ(lasso_lambda_max(truth.problem()), 0);
}

}  // namespace
}  // namespace weft
