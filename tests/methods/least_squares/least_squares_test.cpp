#include <weft/fit.hpp>

#include <weft/load.hpp>

#include "dense_algebra.hpp"
#include "methods/least_squares/least_squares.hpp"
#include "methods/table_rows.hpp"
#include "objective/penalty.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace weft {

using namespace detail;
namespace {

using testing_rows::RowMatrix;
using testing_rows::smooth_problem;
using testing_rows::TableRows;
using testing_rows::to_eigen;

FamilyOptions family(const std::string& name, Index features) {
  FamilyOptions options;
  options.family = name;
  options.features = features;
  options.sigma = 0.7;
  options.theta = 0.5;
  options.pool = 3;
  return options;
}

struct SolverCase {
  TableRows rows;
  FamilyOptions family_options;
  FitOptions options;
  Run run;
  FeatureMap map;

  SolverCase(TableRows table, const FamilyOptions& chosen)
      : rows(std::move(table)),
        family_options(chosen),
        map(FeatureMap::draw(chosen, Inputs::plain(rows.x.rows() - 1, true))) {}

  FitResult fit() const { return fit_least_squares({map, rows, Task::regression, options, family_options, run}); }
  // rows × outputs.
  RowMatrix predict(const FitResult& result, const Matrix& x) const {
    Matrix phi(map.features(), x.cols());
    map.smoothings(x, phi.view());
    RowMatrix f = to_eigen(phi.view()).transpose() * to_eigen(result.coefficients.view());
    for (Eigen::Index o = 0; o < f.cols(); ++o) f.col(o).array() += result.intercepts[static_cast<std::size_t>(o)];
    return f;
  }
};

/// The problem's definition, solved densely in the raw features with a ones column for the intercept.
RowMatrix dense_predictions(const SolverCase& s, Regularizer regularizer, double lambda, const Matrix& x,
                            double coefficient_ridge = 0) {
  const Index t = s.map.features();
  const Index m = s.rows.rows();
  const bool ridge = regularizer == Regularizer::ridge;
  Matrix phi_block(t, m), new_block(t, x.cols());
  if (ridge) {
    s.map.smoothings(s.rows.x, phi_block.view());
    s.map.smoothings(x, new_block.view());
  } else {
    s.map.values(s.rows.x, phi_block);
    s.map.values(x, new_block);
  }
  const Eigen::Index extra = s.options.intercept ? 1 : 0;
  RowMatrix phi(m, t + extra), fresh(x.cols(), t + extra);
  phi.leftCols(t) = to_eigen(phi_block.view()).transpose();
  fresh.leftCols(t) = to_eigen(new_block.view()).transpose();
  if (extra == 1) {
    phi.rightCols(1).setOnes();
    fresh.rightCols(1).setOnes();
  }
  Eigen::VectorXd w = Eigen::VectorXd::Ones(m);
  for (std::size_t i = 0; i < s.rows.weights.size(); ++i) w(static_cast<Eigen::Index>(i)) = s.rows.weights[i];
  RowMatrix penalty = RowMatrix::Zero(t + extra, t + extra);
  if (ridge)
    penalty.topLeftCorner(t, t) = RowMatrix::Identity(t, t) * static_cast<double>(t);
  else
    penalty.topLeftCorner(t, t) = to_eigen((regularizer == Regularizer::rkhs ? s.map.gram() : s.map.l2_gram()).view());
  penalty *= lambda;
  // Anonymous 2026, eq. 82, in the coefficients a; f = (1/T)Σ a φ where the penalty is a ridge.
  penalty.diagonal().head(t).array() += coefficient_ridge * (ridge ? static_cast<double>(t * t) : 1.0);
  const RowMatrix normal = phi.transpose() * w.asDiagonal() * phi + w.sum() * penalty;
  const RowMatrix y = to_eigen(s.rows.y.view()).transpose();
  return fresh * testing::solve(normal, phi.transpose() * w.asDiagonal() * y);
}

TEST(LeastSquares, EqualsTheDenseSolve) {
  const Matrix fresh = smooth_problem(3, 40, 1, 99).x;
  for (const char* name : {"rw-relu", "rw-sign", "rw-exp-relu", "rw-stumps", "rw-relu/sparse:2", "rks-relu", "rw-cos"})
    for (const Regularizer regularizer : {Regularizer::rkhs, Regularizer::l2p, Regularizer::ridge})
      for (const bool intercept : {true, false})
        for (const bool weighted : {false, true}) {
          const bool plain = std::string(name).starts_with("rks");
          if (plain && regularizer != Regularizer::ridge) continue;
          // Few features keep the dense matrix well-conditioned: its solve is then a truth to 1e-9.
          SolverCase s(smooth_problem(3, 300, 2, 7), family(name, 12));
          s.options.use<LeastSquaresOptions>().regularizer = regularizer;
          s.options.lambda = 1e-3;
          s.options.use<LeastSquaresOptions>().epsilon = 0;
          s.options.intercept = intercept;
          if (weighted)
            for (Index i = 0; i < 300; ++i) s.rows.weights.push_back(0.1 + static_cast<double>(i % 7));
          const RowMatrix expected = dense_predictions(s, regularizer, 1e-3, fresh);
          const double error = (s.predict(s.fit(), fresh) - expected).cwiseAbs().maxCoeff();
          EXPECT_LT(error, 1e-9) << name << " " << name_of(regularizer) << " intercept " << intercept << " weighted "
                                 << weighted;
        }
}

TEST(LeastSquares, TheRidgeOnCoefficientsIsThatOfEquation82) {
  const Matrix fresh = smooth_problem(3, 40, 1, 99).x;
  for (const char* name : {"rw-relu", "rw-sign", "rw-exp-sign", "rw-stumps", "rks-sign"})
    for (const bool intercept : {true, false}) {
      const bool plain = std::string(name).starts_with("rks");
      const Regularizer regularizer = plain ? Regularizer::ridge : Regularizer::rkhs;
      SolverCase s(smooth_problem(3, 300, 2, 7), family(name, 12));
      s.options.method = LeastSquaresOptions{.regularizer = regularizer, .epsilon = 0, .coefficient_ridge = 1e-3};
      s.options.lambda = 1e-4;
      s.options.intercept = intercept;
      const RowMatrix expected = dense_predictions(s, regularizer, 1e-4, fresh, 1e-3);
      const RowMatrix without = dense_predictions(s, regularizer, 1e-4, fresh);
      EXPECT_LT((s.predict(s.fit(), fresh) - expected).cwiseAbs().maxCoeff(), 1e-9) << name << " " << intercept;
      EXPECT_GT((without - expected).cwiseAbs().maxCoeff(), 1e-3) << name << " " << intercept;
    }
}

TEST(LeastSquares, WhereFeaturesVanishTheModelIsConstantAndSaysSo) {
  // 110 inputs as adult has: A(w)² is about e^-740 here, and λ/A² overflows for some of the features, or for all.
  for (const char* name : {"rw-sign", "rw-relu"})
    for (const double gamma : {0.05, 0.0562, 0.06, 0.07, 0.1}) {
      FamilyOptions narrow = family(name, 60);
      narrow.theta.reset();
      narrow.sigma = 1;
      narrow.gamma = gamma;
      SolverCase s(smooth_problem(110, 200, 1, 7), narrow);
      s.options.lambda = 1e-6;
      const FitResult result = s.fit();
      const double mean = to_eigen(s.rows.y.view()).mean();
      EXPECT_LT((s.predict(result, s.rows.x).array() - mean).abs().maxCoeff(), 1e-12) << name << " " << gamma;
      ASSERT_EQ(result.report.warnings.size(), 1) << name << " " << gamma;
      EXPECT_NE(result.report.warnings.front().find("vanish"), std::string::npos);
    }
}

TEST(LeastSquares, ManyOutputsEqualSeparateFits) {
  SolverCase all(smooth_problem(4, 500, 3, 3), family("rw-relu", 60));
  all.options.lambda = 1e-6;
  const FitResult together = all.fit();
  for (Index o = 0; o < 3; ++o) {
    SolverCase one(smooth_problem(4, 500, 3, 3), family("rw-relu", 60));
    Matrix y(1, 500);
    std::copy_n(all.rows.y.row(o), 500, y.row(0));
    one.rows.y = y;
    one.options.lambda = 1e-6;
    const FitResult alone = one.fit();
    const RowMatrix difference = one.predict(alone, all.rows.x).col(0) - all.predict(together, all.rows.x).col(o);
    EXPECT_LT(difference.cwiseAbs().maxCoeff(), 1e-9);
  }
}

TEST(LeastSquares, BlocksChangeLittleAndThreadsNothing) {
  // (Training always cuts its rows alike, see training_rows; this is about the arithmetic.)
  SolverCase s(smooth_problem(5, 3000, 1, 4), family("rw-relu", 150));
  s.options.lambda = 1e-6;
  const FitResult base = s.fit();
  const RowMatrix f = s.predict(base, s.rows.x);
  for (const Index block_rows : {100, 777, 5000}) {
    s.rows.block_rows = block_rows;
    EXPECT_LT((s.predict(s.fit(), s.rows.x) - f).cwiseAbs().maxCoeff(), 1e-8) << block_rows;
  }
  s.rows.block_rows = 2048;
  for (const int threads : {1, 2, 3, 5}) {
    s.run.threads = threads;
    const FitResult again = s.fit();
    EXPECT_TRUE(std::equal(base.coefficients.data(), base.coefficients.data() + 150, again.coefficients.data()));
    EXPECT_EQ(base.intercepts, again.intercepts);
  }
}

TEST(LeastSquares, WeightsAreRepetitions) {
  SolverCase weighted(smooth_problem(3, 200, 1, 5), family("rw-relu", 30));
  SolverCase repeated(smooth_problem(3, 200, 1, 5), family("rw-relu", 30));
  Matrix x(4, 300), y(1, 300);
  for (Index i = 0; i < 300; ++i) {
    const Index from = i < 200 ? i : i - 200;  // the first hundred rows twice
    for (Index j = 0; j < 4; ++j) x(j, i) = weighted.rows.x(j, from);
    y(0, i) = weighted.rows.y(0, from);
  }
  for (Index i = 0; i < 200; ++i) weighted.rows.weights.push_back(i < 100 ? 2 : 1);
  repeated.rows.x = x;
  repeated.rows.y = y;
  weighted.options.lambda = repeated.options.lambda = 1e-5;
  const RowMatrix a = weighted.predict(weighted.fit(), x);
  EXPECT_LT((a - repeated.predict(repeated.fit(), x)).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(LeastSquares, ManyFeaturesApproachKernelRidge) {
  // T → ∞: f = K_X(K_X + mλI)⁻¹y.
  const TableRows train = smooth_problem(3, 80, 1, 6);
  const Matrix fresh = smooth_problem(3, 50, 1, 60).x;
  const double lambda = 1e-4;
  const FeatureMap any = FeatureMap::draw(family("rw-relu", 1), Inputs::plain(3, true));
  const RowMatrix k = to_eigen(any.implicit_kernel(train.x, train.x).view());
  const RowMatrix cross = to_eigen(any.implicit_kernel(fresh, train.x).view());
  const RowMatrix y = to_eigen(train.y.view()).transpose();
  const RowMatrix limit = cross * testing::solve_symmetric(k + 80 * lambda * RowMatrix::Identity(80, 80), y);
  double previous = 1e300;
  double last = 0;
  for (const Index features : {10, 60, 400, 2000}) {
    SolverCase s(train, family("rw-relu", features));
    s.options.lambda = lambda;
    s.options.intercept = false;
    s.options.use<LeastSquaresOptions>().epsilon = 0;
    last = (s.predict(s.fit(), fresh) - limit).norm() / limit.norm();
    EXPECT_LT(last, previous) << features;
    previous = last;
  }
  EXPECT_LT(last, 0.01);
}

TEST(LeastSquares, ChosenLambdaIsNearTheBestOnFreshRows) {
  const TableRows train = smooth_problem(6, 600, 1, 8);
  const TableRows fresh = smooth_problem(6, 3000, 1, 80);
  const RowMatrix y = to_eigen(fresh.y.view()).transpose();
  const auto error = [&](std::optional<double> lambda) {
    SolverCase s(train, family("rw-relu", 300));
    s.options.lambda = lambda;
    return (s.predict(s.fit(), fresh.x) - y).squaredNorm() / 3000;
  };
  double best = 1e300;
  for (double lambda = 1e-14; lambda < 10; lambda *= 10) best = std::min(best, error(lambda));
  EXPECT_LT(error(std::nullopt), 1.25 * best);
}

TEST(LeastSquares, SinglePrecisionSaysWhatItCost) {
  SolverCase s(smooth_problem(5, 2000, 1, 9), family("rw-relu", 200));
  s.options.lambda = 1e-4;
  const RowMatrix exact = s.predict(s.fit(), s.rows.x);
  s.options.use<LeastSquaresOptions>().precision = Precision::float32;
  const FitResult single = s.fit();
  EXPECT_LT((s.predict(single, s.rows.x) - exact).cwiseAbs().maxCoeff(), 1e-2);
  ASSERT_TRUE(single.report.number("single_precision_error").has_value());
  EXPECT_LT(*single.report.number("single_precision_error"), 1e-2);
}

TEST(LeastSquares, VarianceFactorGivesTheInverseOfTheNormalMatrix) {
  SolverCase s(smooth_problem(3, 400, 1, 10), family("rw-relu", 15));
  s.options.use<LeastSquaresOptions>().regularizer = Regularizer::ridge;
  s.options.lambda = 1e-4;
  s.options.intercept = false;
  s.options.use<LeastSquaresOptions>().std = true;
  const FitResult result = s.fit();
  Matrix phi(15, 400);
  s.map.smoothings(s.rows.x, phi.view());
  const RowMatrix design = to_eigen(phi.view());
  const RowMatrix normal = design * design.transpose() + 400 * (1e-4 * 15 + 1e-10) * RowMatrix::Identity(15, 15);
  const RowMatrix lower = to_eigen(result.variance_factor.view());
  EXPECT_LT((lower * lower.transpose() - normal).norm(), 1e-10 * normal.norm());
  // Noise of standard deviation 0.1 on a target the features nearly span.
  ASSERT_EQ(result.noise.size(), 1u);
  EXPECT_GT(result.noise[0], 0.09);
}

TEST(LeastSquares, LargeOffsetsOfTheTargetCostNoDigits) {
  SolverCase small(smooth_problem(4, 600, 1, 14), family("rw-relu", 80));
  SolverCase large(smooth_problem(4, 600, 1, 14), family("rw-relu", 80));
  for (Index i = 0; i < 600; ++i) large.rows.y(0, i) += 1e9;
  const FitResult a = small.fit();
  const FitResult b = large.fit();
  EXPECT_NEAR(*a.report.number("lambda") / *b.report.number("lambda"), 1, 1e-6);
  EXPECT_NEAR(*a.report.number("train_mse"), *b.report.number("train_mse"), 1e-6);
  const RowMatrix difference = large.predict(b, large.rows.x) - small.predict(a, small.rows.x);
  EXPECT_LT((difference.array() - 1e9).abs().maxCoeff(), 1e-5);  // 1e9 has seven digits behind the point
}

TEST(LeastSquares, DeviationsHoldTheInterceptToo) {
  // With a ridge, features and a column of ones: s²(1 + φᵀ(ΦᵀΦ + Wλ diag(T…T, 0))⁻¹φ), φ with its one.
  const Data data = generate("friedman1", {.rows = 150});
  FitOptions options;
  options.use<LeastSquaresOptions>().regularizer = Regularizer::ridge;
  options.lambda = 1e-3;
  options.use<LeastSquaresOptions>().epsilon = 0;
  options.use<LeastSquaresOptions>().std = true;
  const Model model = fit({data, family("rks-relu", 12), options});
  Matrix phi(12, 150);
  const Matrix x = load_inputs(model.parts().encoder, data);
  model.parts().map.smoothings(x, phi.view());
  RowMatrix design(13, 150);
  design.topRows(12) = to_eigen(phi.view());
  design.bottomRows(1).setOnes();
  RowMatrix normal = design * design.transpose();
  normal.topLeftCorner(12, 12).diagonal().array() += 150 * 1e-3 * 12;
  const RowMatrix inverse = testing::inverse(normal);
  model.for_each_prediction(data, {.with_std = true}, [&](const PredictionBlock& block) {
    for (Index i = 0; i < block.rows(); ++i) {
      const double leverage = design.col(i).dot(inverse * design.col(i));
      EXPECT_NEAR(block.std(i, 0), model.parts().noise[0] * std::sqrt(1 + leverage), 1e-9);
    }
  });
}

TEST(LeastSquares, AnOutputThatNoHeldOutRowHasDoesNotChooseLambda) {
  // The second output is constant but for two rows; wherever those land, λ stays within reach of the first output's.
  SolverCase one(smooth_problem(4, 400, 1, 15), family("rw-relu", 80));
  SolverCase two(smooth_problem(4, 400, 2, 15), family("rw-relu", 80));
  for (Index i = 0; i < 400; ++i) {
    two.rows.y(0, i) = one.rows.y(0, i);
    two.rows.y(1, i) = i == 3 || i == 4 ? 1 : -1;
  }
  const double alone = *one.fit().report.number("held_out_error");
  const FitResult both = two.fit();
  EXPECT_LT(*both.report.number("held_out_error"), 100 * (alone + 1));
}

TEST(LeastSquares, HeldOutRowsWithoutWeightAreAnError) {
  SolverCase s(smooth_problem(3, 40, 1, 16), family("rw-relu", 10));
  s.rows.weights.assign(40, 0.0);
  s.rows.weights[7] = 1;
  EXPECT_THROW(s.fit(), Error);
}

TEST(LeastSquares, TimeBudgetReturnsTheRowsSoFar) {
  SolverCase s(smooth_problem(5, 5000, 1, 11), family("rw-relu", 300));
  s.rows.block_rows = 50;
  s.options.lambda = 1e-6;
  s.run.max_seconds = 1e-6;
  const FitResult result = s.fit();
  ASSERT_FALSE(result.report.warnings.empty());
  EXPECT_NE(result.report.warnings.front().find("time limit"), std::string::npos);
  EXPECT_TRUE(s.predict(result, s.rows.x).allFinite());
}

TEST(LeastSquares, TimeBudgetTakesRowsFromTheWholeTable) {
  // Sorted: the second half has a larger target. Rows held in memory and rows that are streamed.
  for (const bool streamed : {false, true}) {
    SolverCase s(smooth_problem(3, 20000, 1, 11), family("rw-relu", 20));
    s.rows.streamed = streamed;
    for (Index i = 10000; i < 20000; ++i) s.rows.y(0, i) += 100;
    s.options.lambda = 1e3;
    s.run.max_seconds = 1e-6;
    const FitResult result = s.fit();
    const double mean = s.predict(result, s.rows.x).mean();
    EXPECT_NEAR(mean, 53, 5) << streamed;
    EXPECT_NE(result.report.warnings.front().find("of 20000 rows (1"), std::string::npos)
        << result.report.warnings.front();
  }
}

TEST(LeastSquares, TimeEnoughUsesEveryRow) {
  SolverCase s(smooth_problem(3, 9000, 1, 11), family("rw-relu", 40));
  const FitResult free = s.fit();
  s.run.max_seconds = 1e6;
  const FitResult limited = s.fit();
  EXPECT_TRUE(limited.report.warnings.empty());
  s.options.lambda = 1e-6;
  const FitResult given = s.fit();
  s.run.max_seconds = 0;
  const FitResult same = s.fit();
  for (Index t = 0; t < 40; ++t)
    EXPECT_NEAR(given.coefficients(t, 0), same.coefficients(t, 0), 1e-6 * std::abs(same.coefficients(t, 0)) + 1e-9);
  EXPECT_NEAR(*limited.report.number("held_out_error"), *free.report.number("held_out_error"),
              0.02);  // other held-out rows
}

TEST(LeastSquares, OverwhelmingLambdaGivesTheMeanAndSaysSo) {
  FamilyOptions narrow = family("rw-sign", 20);
  narrow.theta.reset();
  narrow.gamma = 0.05;
  SolverCase s(smooth_problem(300, 60, 1, 12), narrow);
  s.options.lambda = 1e-4;
  const FitResult result = s.fit();
  const RowMatrix f = s.predict(result, s.rows.x);
  EXPECT_TRUE(f.allFinite());
  EXPECT_NEAR(f.maxCoeff(), f.minCoeff(), 1e-9);
  ASSERT_FALSE(result.report.warnings.empty());
  EXPECT_NE(result.report.warnings.front().find("gamma"), std::string::npos);
}

}  // namespace
}  // namespace weft
