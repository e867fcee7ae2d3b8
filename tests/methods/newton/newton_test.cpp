// Losses of regression: against dense Newton, the dual problem, their optimality conditions and each other.
#include "methods/newton_case.hpp"

#include "methods/least_squares/least_squares.hpp"
#include "methods/method.hpp"
#include "objective/row_loss.hpp"

namespace weft::testing {
namespace {

TEST(Newton, SquaredLossIsLeastSquares) {
  LossCase c(noisy_rows(300), RegressionLoss::squared);
  const FitResult newton = c.fit();
  LossCase least = c;
  least.options.method = LeastSquaresOptions{.regularizer = Regularizer::ridge, .epsilon = 0.0};
  const FitResult expected = fit_least_squares(least.problem());
  EXPECT_LT((scores(c, newton) - scores(c, expected)).cwiseAbs().maxCoeff(), 1e-7);
}

TEST(Newton, PoissonEqualsDenseNewton) {
  for (const bool weighted : {false, true}) {
    LossCase c(counted_rows(400), RegressionLoss::poisson);
    for (Index i = 0; weighted && i < 400; ++i) c.rows.weights.push_back(0.5 + static_cast<double>(i % 3));
    const FitResult fit = c.fit();
    EXPECT_EQ(word(fit.report, "stopped"), "converged");
    EXPECT_EQ(fit.loss.kind, RegressionLoss::poisson);
    const Index t = c.map.features();
    Dense a(t + 1, 400);
    a.topRows(t) = c.phi();
    a.row(t).setOnes();
    Column b = Column::Zero(t + 1);
    for (int step = 0; step < 60; ++step) {
      Column slope = 2 * c.effective() * b;
      Eigen::MatrixXd hessian = 2 * c.effective() * Eigen::MatrixXd::Identity(t + 1, t + 1);
      slope(t) = hessian(t, t) = 0;
      for (Index i = 0; i < 400; ++i) {
        const double mean = std::exp(b.dot(a.col(i)));
        slope += c.weight(i) / c.total() * (mean - c.rows.y(0, i)) * a.col(i);
        hessian += c.weight(i) / c.total() * mean * a.col(i) * a.col(i).transpose();
      }
      b -= solve_symmetric(hessian, slope);
    }
    EXPECT_LT((scores(c, fit) - Column(a.transpose() * b)).cwiseAbs().maxCoeff(), 1e-5);
    EXPECT_LT(gradient(c, fit, [](double f, double y) { return std::exp(f) - y; }), 1e-6);
  }
}

TEST(Newton, HuberIsStationaryAtAThresholdOfTheRobustScale) {
  LossCase c(noisy_rows(400), RegressionLoss::huber);
  const FitResult fit = c.fit();
  const double threshold = fit.loss.thresholds.at(0);
  EXPECT_LT(gradient(c, fit, [&](double f, double y) { return std::clamp(f - y, -threshold, threshold); }), 1e-6);
  // The scale by its definition; the fit that it is of was rough. λ is in units of 1.35 times the scale of the targets.
  const auto median = [](std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + 200, values.end());
    return values[200];
  };
  std::vector<double> targets(c.rows.y.data(), c.rows.y.data() + 400);
  const double middle = median(targets);
  for (double& y : targets) y = std::abs(y - middle);
  LossCase absolute(c.rows, RegressionLoss::absolute);
  absolute.options.lambda = *c.options.lambda / (1.35 * 1.4826 * median(targets));
  absolute.own().tolerance = 1e-6;
  const Column f = scores(absolute, absolute.fit());
  std::vector<double> residuals;
  for (Index i = 0; i < 400; ++i) residuals.push_back(std::abs(f(i) - c.rows.y(0, i)));
  EXPECT_NEAR(number(fit.report, "scale"), 1.4826 * median(residuals), 0.1 * median(residuals));
  EXPECT_NEAR(threshold, 1.35 * number(fit.report, "scale"), 1e-12);
  c.own().huber_multiple = 0.05;  // nearly the absolute loss
  const FitResult narrow = c.fit();
  const double least = narrow.loss.thresholds.at(0);
  EXPECT_LT(gradient(c, narrow, [&](double score, double y) { return std::clamp(score - y, -least, least); }), 1e-6);
  c.own().huber_multiple = 1e6;  // the squared loss, halved
  const FitResult wide = c.fit();
  LossCase squared(c.rows, RegressionLoss::squared);
  squared.options.lambda = 2 * *c.options.lambda;
  EXPECT_LT((scores(c, wide) - scores(c, squared.fit())).cwiseAbs().maxCoeff(), 1e-4);
}

/// The maximum of the dual of a quantile fit without intercept, which bounds the primal from below: with multipliers
/// τ − 1 ≤ a_i ≤ τ, D(a) = (1/W)Σ w a y − ‖Σ w a φ‖²/4λW². By coordinate ascent.
double dual(const LossCase& c, double quantile, double factor = 1) {
  const Dense phi = c.phi();
  const double lambda = c.effective(), total = c.total();
  Column a = Column::Zero(c.rows.rows()), b = Column::Zero(phi.rows());
  for (int sweep = 0; sweep < 4000; ++sweep)
    for (Index i = 0; i < c.rows.rows(); ++i) {
      const double w = c.weight(i) / total;
      const double curvature = w * w * phi.col(i).squaredNorm() / (2 * lambda);
      if (!(curvature > 0)) continue;
      const double moved = std::clamp(a(i) + w * (c.rows.y(0, i) - b.dot(phi.col(i))) / curvature,
                                      factor * (quantile - 1), factor * quantile);
      b += (moved - a(i)) * w / (2 * lambda) * phi.col(i);
      a(i) = moved;
    }
  double value = -lambda * b.squaredNorm();
  for (Index i = 0; i < c.rows.rows(); ++i) value += c.weight(i) / total * a(i) * c.rows.y(0, i);
  return value;
}

TEST(Newton, QuantilesReachTheDualBoundWithinTheStatedGap) {
  for (const double tolerance : {1e-3, 1e-6}) {
    LossCase c(noisy_rows(150), RegressionLoss::quantile, 15);
    c.options.intercept = false;
    c.options.lambda = 1e-2;
    c.own().tolerance = tolerance;
    c.own().quantiles = "0.1,0.5,0.85";
    for (Index i = 0; i < 150; ++i) c.rows.weights.push_back(0.5 + static_cast<double>(i % 2));
    const FitResult fit = c.fit();
    ASSERT_EQ(fit.coefficients.cols(), 3);
    EXPECT_EQ(word(fit.report, "stopped"), "converged");
    double all = 0, gap = 0;
    for (Index k = 0; k < 3; ++k) {
      const double value = primal(c, fit, k), bound = dual(c, fit.loss.quantiles[static_cast<std::size_t>(k)]);
      EXPECT_GE(value, bound - 1e-12);
      all += value;
      gap += value - bound;
    }
    EXPECT_LE(gap, tolerance * all) << tolerance;
    EXPECT_LE(gap, number(fit.report, "relative_excess") * all + 1e-9) << tolerance;
  }
}

TEST(Newton, AbsoluteLossReachesTheDualBound) {
  LossCase c(noisy_rows(150), RegressionLoss::absolute, 15);
  c.options.intercept = false;
  c.options.lambda = 1e-2;
  c.own().tolerance = 1e-6;
  const FitResult fit = c.fit();
  const double value = primal(c, fit), bound = dual(c, 0.5, 2);
  EXPECT_GE(value, bound - 1e-12);
  EXPECT_LE(value - bound, 1e-6 * value);
}

TEST(Newton, AShareTauOfTheRowsIsBelowTheQuantile) {
  // Optimality in the intercept: at most τ of the weight lies below, at least τ at or below.
  LossCase c(noisy_rows(500), RegressionLoss::quantile);
  c.own().quantiles = "0.05,0.3,0.5,0.9";
  c.own().tolerance = 1e-8;
  const FitResult fit = c.fit();
  for (Index k = 0; k < 4; ++k) {
    const Column f = scores(c, fit, k);
    const double quantile = fit.loss.quantiles[static_cast<std::size_t>(k)];
    double below = 0, not_above = 0;
    for (Index i = 0; i < 500; ++i) {
      below += c.rows.y(0, i) < f(i) - 1e-4 ? 1 : 0;
      not_above += c.rows.y(0, i) <= f(i) + 1e-4 ? 1 : 0;
    }
    EXPECT_LE(below / 500, quantile + 1e-9);
    EXPECT_GE(not_above / 500, quantile - 1e-9);
  }
}

TEST(Newton, QuantilesTogetherAreThoseAlone) {
  LossCase c(noisy_rows(300), RegressionLoss::quantile);
  c.own().tolerance = 1e-7;
  c.own().quantiles = "0.8,0.2";
  const FitResult both = c.fit();
  EXPECT_EQ(both.loss.quantiles, (std::vector<double>{0.2, 0.8}));
  for (const Index k : {0, 1}) {
    c.own().quantiles = k == 0 ? "0.2" : "0.8";
    EXPECT_NEAR(primal(c, both, k), primal(c, c.fit()), 1e-6);
  }
}

TEST(Newton, UnitsOfTheTargetDoNotMatter) {
  for (const RegressionLoss loss : {RegressionLoss::quantile, RegressionLoss::absolute, RegressionLoss::huber}) {
    LossCase c(noisy_rows(200), loss);
    c.own().tolerance = 1e-8;
    const bool half = loss == RegressionLoss::huber;  // its loss grows with the square of the unit
    const FitResult small = c.fit();
    for (const double unit : {1e9, 1e-9}) {
      LossCase large = c;
      for (Index i = 0; i < 200; ++i) large.rows.y(0, i) *= unit;
      large.options.lambda = *c.options.lambda * (half ? 1 : 1 / unit);
      const Column expected = scores(c, small);
      const double spread = expected.maxCoeff() - expected.minCoeff();
      EXPECT_LT((scores(large, large.fit()) / unit - expected).cwiseAbs().maxCoeff(), 1e-2 * spread)
          << name_of(loss) << " " << unit;
    }
  }
}

TEST(Newton, WeightsAreCopies) {
  for (const RegressionLoss loss : {RegressionLoss::poisson, RegressionLoss::quantile, RegressionLoss::huber}) {
    LossCase weighted(counted_rows(120), loss, 10), repeated(counted_rows(120), loss, 10);
    Index copies = 0;
    for (Index i = 0; i < 120; ++i) {
      weighted.rows.weights.push_back(static_cast<double>(i % 3));
      copies += i % 3;
    }
    repeated.rows = TableRows(Matrix(3, copies), Matrix(1, copies));
    for (Index i = 0, to = 0; i < 120; ++i)
      for (Index k = 0; k < i % 3; ++k, ++to) {
        for (Index j = 0; j < 3; ++j) repeated.rows.x(j, to) = weighted.rows.x(j, i);
        repeated.rows.y(0, to) = weighted.rows.y(0, i);
      }
    weighted.own().tolerance = repeated.own().tolerance = 1e-8;
    EXPECT_NEAR(primal(weighted, weighted.fit()), primal(weighted, repeated.fit()), 1e-6) << name_of(loss);
  }
}

TEST(Newton, ChoosesLambdaByTheHeldOutLoss) {
  for (const RegressionLoss loss : {RegressionLoss::poisson, RegressionLoss::quantile, RegressionLoss::huber}) {
    LossCase c(counted_rows(500), loss, 100, "rks-relu");
    c.own().tolerance = 1e-7;
    c.options.lambda.reset();
    const FitResult fit = c.fit();
    const std::string name = std::string(name_of(loss)) + " loss";
    double least = 1e9, lambda = 0;
    int count = 0;
    while (fit.report.number("path " + std::to_string(count + 1) + " lambda")) {
      const std::string step = "path " + std::to_string(++count);
      if (number(fit.report, step + " held-out " + name) >= least) continue;
      least = number(fit.report, step + " held-out " + name);
      lambda = number(fit.report, step + " lambda");
    }
    EXPECT_GT(count, 2);
    EXPECT_DOUBLE_EQ(number(fit.report, "lambda"), lambda);
    if (loss == RegressionLoss::huber) continue;  // the scale is that of held-out rows where there are any
    c.options.lambda = lambda;
    EXPECT_NEAR(primal(c, fit), primal(c, c.fit()), 1e-6);
  }
}

TEST(Newton, BitIdenticalForAnyThreadCount) {
  for (const RegressionLoss loss : {RegressionLoss::poisson, RegressionLoss::quantile, RegressionLoss::huber}) {
    LossCase c(counted_rows(600), loss, 60, "rks-relu");
    c.own().tolerance = 1e-5;
    const FitResult expected = c.fit();
    c.run.threads = 3;
    const FitResult result = c.fit();
    for (Index i = 0; i < expected.coefficients.rows() * expected.coefficients.cols(); ++i)
      ASSERT_EQ(expected.coefficients.data()[i], result.coefficients.data()[i]);
    EXPECT_EQ(expected.intercepts, result.intercepts);
  }
}

TEST(Newton, KernelSectionsHaveThePenaltyOfTheKernel) {
  // f = Σ β_t k(z_t, ·) + c at all rows: stationary where (1/n) Σ_i k(z, x_i) (μ_i − y_i) + 2λ Kβ = 0.
  const TableRows table = counted_rows(60);
  const FamilyOptions family;
  const weft::Run run;
  FitOptions options;
  options.lambda = 1e-3;
  options.method = KernelNewtonOptions{
      .loss = RegressionLoss::poisson, .tolerance = 1e-14, .bandwidth = std::string("1.5"), .landmarks = Index{0}};
  const FittedMap made = make_map({family, options, Inputs::plain(2, true), {table, table}, Task::regression, run});
  const FitResult fit = fit_newton({made.map, table, Task::regression, options, family, run, made.shares});
  ASSERT_EQ(fit.coefficients.rows(), 60);
  Eigen::MatrixXd k(60, 60);
  for (Index i = 0; i < 60; ++i)
    for (Index j = 0; j < 60; ++j) {
      double squares = 0;
      for (Index v = 0; v < 3; ++v) squares += std::pow(table.x(v, i) - table.x(v, j), 2);
      k(i, j) = std::exp(-squares / (2 * 1.5 * 1.5));
    }
  const Column beta = column(fit.coefficients, 0);
  const Column f = (k * beta).array() + fit.intercepts[0];
  Column slope(60);
  for (Index i = 0; i < 60; ++i) slope(i) = (std::exp(f(i)) - table.y(0, i)) / 60;
  EXPECT_LT((k * slope + 2 * 1e-3 * k * beta).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_NEAR(slope.sum(), 0, 1e-6);
}

}  // namespace
}  // namespace weft::testing
