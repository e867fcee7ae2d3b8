// Exact kernel ridge regression against dense solutions of its definition.
#include "methods/kernel_case.hpp"

#include "data/expect_error.hpp"
#include "dense_algebra.hpp"
#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

namespace weft {

using namespace detail;
namespace {

using namespace testing_rows;

double number(const FitResult& fit, const char* name) {
  return fit.report.number(name).value();
}

void expect_dense(const KernelCase& c, double tolerance) {
  const Matrix fresh = smooth_problem(3, 40, 1, 12).x;
  const FittedMap landmarks = c.landmarks();
  const FitResult fit = c.fit(landmarks);
  const double mu = number(fit, "lambda") * total_weight(c);
  const RowMatrix truth = dense_predictions(c, mu, fresh);
  EXPECT_LE((predictions(landmarks.map, fit, fresh) - truth).cwiseAbs().maxCoeff(), tolerance);
}

TEST(KernelRidge, EqualsTheDenseSolution) {
  for (const bool intercept : {true, false})
    for (const bool weighted : {true, false})
      for (const bool given : {true, false}) {
        SCOPED_TRACE(std::to_string(intercept) + std::to_string(weighted) + std::to_string(given));
        KernelCase c = KernelCase::smooth(90, 2);
        c.options.intercept = intercept;
        if (weighted) c.add_weights();
        if (given) c.options.lambda = 1e-3;
        expect_dense(c, 1e-9);
      }
}

TEST(KernelRidge, LeaveOneOutEqualsRefits) {
  for (const bool intercept : {true, false})
    for (const bool given : {true, false}) {
      KernelCase c = KernelCase::smooth(40, 2);
      c.options.intercept = intercept;
      c.add_weights();
      if (given) c.options.lambda = 2e-3;
      const FitResult fit = c.fit(c.landmarks());
      const double mu = number(fit, "lambda") * total_weight(c);
      double sum = 0;
      for (Index i = 0; i < 40; ++i) {
        Matrix x(c.rows.x.rows(), 1);
        for (Index j = 0; j < x.rows(); ++j) x(j, 0) = c.rows.x(j, i);
        const RowMatrix f = dense_predictions(c, mu, x, i);
        for (Index o = 0; o < 2; ++o)
          sum += c.rows.weights[static_cast<std::size_t>(i)] * std::pow(c.rows.y(o, i) - f(0, o), 2);
      }
      EXPECT_NEAR(number(fit, "loo_mse"), sum / 2 / total_weight(c), 1e-9);
    }
}

TEST(KernelRidge, TheChosenLambdaHasTheLeastLeaveOneOutError) {
  KernelCase c = KernelCase::smooth(60);
  const FitResult chosen = c.fit(c.landmarks());
  for (const double factor : {1e-3, 1e-1, 10.0, 1e3}) {
    c.options.lambda = factor * number(chosen, "lambda");
    EXPECT_LE(number(chosen, "loo_mse"), 1.002 * number(c.fit(c.landmarks()), "loo_mse"));
  }
}

TEST(KernelRidge, ReportsTheEffectiveDimensionAndGcv) {
  KernelCase c = KernelCase::smooth(50);
  c.options.intercept = false;
  c.options.lambda = 1e-2;
  const FitResult fit = c.fit(c.landmarks());
  const RowMatrix k = rbf_matrix(c.rows.x, c.rows.x, c.bandwidth());
  const RowMatrix smoother = k * testing::inverse(k + 50 * 1e-2 * RowMatrix::Identity(50, 50));
  EXPECT_NEAR(number(fit, "effective_dimension"), smoother.trace(), 1e-9);
  const RowMatrix y = to_eigen(c.rows.y.view()).transpose();
  const double mse = (y - smoother * y).squaredNorm() / 50;
  EXPECT_NEAR(number(fit, "train_mse"), mse, 1e-10);
  EXPECT_NEAR(number(fit, "gcv"), mse / std::pow(1 - smoother.trace() / 50, 2), 1e-9);
}

TEST(KernelRidge, RowsWithoutWeightDoNotCount) {
  for (const bool given : {true, false}) {
    KernelCase c = KernelCase::smooth(70);
    if (given) c.options.lambda = 1e-3;
    KernelCase fewer = c;
    fewer.rows.x = Matrix(4, 60);
    fewer.rows.y = Matrix(1, 60);
    for (Index i = 0; i < 70; ++i) c.rows.weights.push_back(i < 60 ? 1 : 0);
    for (Index i = 0; i < 60; ++i) {
      for (Index j = 0; j < 4; ++j) fewer.rows.x(j, i) = c.rows.x(j, i);
      fewer.rows.y(0, i) = c.rows.y(0, i);
    }
    const FittedMap all = c.landmarks(), some = fewer.landmarks();
    const FitResult a = c.fit(all), b = fewer.fit(some);
    EXPECT_NEAR(number(a, "loo_mse"), number(b, "loo_mse"), 1e-10);
    EXPECT_LE((predictions(all.map, a, c.rows.x) - predictions(some.map, b, c.rows.x)).cwiseAbs().maxCoeff(), 1e-9);
  }
}

TEST(KernelRidge, BitsDoNotDependOnThreads) {
  for (const bool given : {true, false}) {
    KernelCase c = KernelCase::smooth(300);
    if (given) c.options.lambda = 1e-3;
    c.run.threads = 1;
    const FitResult one = c.fit(c.landmarks());
    c.run.threads = 3;
    const FitResult three = c.fit(c.landmarks());
    for (Index i = 0; i < 300; ++i) ASSERT_EQ(one.coefficients(i, 0), three.coefficients(i, 0));
    EXPECT_EQ(one.intercepts, three.intercepts);
    EXPECT_EQ(number(one, "loo_mse"), number(three, "loo_mse"));
  }
}

TEST(KernelRidge, EdgeCases) {
  KernelCase constant = KernelCase::smooth(20);
  for (Index i = 0; i < 20; ++i) constant.rows.y(0, i) = 7;
  const FitResult flat = constant.fit(constant.landmarks());
  EXPECT_NEAR(flat.intercepts[0], 7, 1e-12);
  for (Index i = 0; i < 20; ++i) EXPECT_NEAR(flat.coefficients(i, 0), 0, 1e-12);

  KernelCase one = KernelCase::smooth(1);
  testing::expect_error([&] { one.fit(one.landmarks()); }, ErrorKind::data, {"lambda", "too few rows"});
  one.options.lambda = 0.1;
  const FittedMap landmarks = one.landmarks();
  EXPECT_NEAR(predictions(landmarks.map, one.fit(landmarks), one.rows.x)(0, 0), one.rows.y(0, 0), 1e-12);

  KernelCase same = KernelCase::smooth(10);
  same.own().bandwidth = "mean";
  for (Index i = 0; i < 10; ++i)
    for (Index j = 0; j < 4; ++j) same.rows.x(j, i) = 2;
  EXPECT_TRUE(std::isfinite(same.fit(same.landmarks()).intercepts[0]));
}

TEST(KernelRidge, LeftOutScoresClassifyAndCalibrate) {
  KernelCase c = KernelCase::smooth(80);
  for (Index i = 0; i < 80; ++i) c.rows.y(0, i) = c.rows.y(0, i) > 3 ? 1 : -1;
  c.own().calibrate = true;
  const FitResult fit = c.fit(c.landmarks(), Task::binary);
  ASSERT_EQ(fit.calibration.slope.size(), 1u);
  EXPECT_LT(fit.calibration.slope[0], 0);
  const double mu = number(fit, "lambda") * 80;
  double missed = 0;
  for (Index i = 0; i < 80; ++i) {
    Matrix x(4, 1);
    for (Index j = 0; j < 4; ++j) x(j, 0) = c.rows.x(j, i);
    missed += (dense_predictions(c, mu, x, i)(0, 0) > 0) == (c.rows.y(0, i) > 0) ? 0 : 1;
  }
  EXPECT_NEAR(number(fit, "loo_error"), missed / 80, 1e-12);
}

// The papers' form: no intercept, λ in K + nλI.
TEST(KernelRidge, EqualsScikitLearn) {
  if (std::system("/usr/bin/python3 -c 'import sklearn' 2>/dev/null") != 0) GTEST_SKIP() << "there is no scikit-learn";
  KernelCase c = KernelCase::smooth(120);
  c.options.intercept = false;
  c.options.lambda = 1e-4;
  const FittedMap landmarks = c.landmarks();
  const RowMatrix ours = predictions(landmarks.map, c.fit(landmarks), c.rows.x);
  const TemporaryFolder folder;
  const std::string table = folder.file("table.txt");
  {
    std::ofstream out(table);
    out.precision(17);
    for (Index i = 0; i < 120; ++i) {
      for (Index j = 0; j < 4; ++j) out << c.rows.x(j, i) << ' ';
      out << c.rows.y(0, i) << '\n';
    }
  }
  const std::string command =
      "/usr/bin/python3 -c \"import numpy as np; from sklearn.kernel_ridge import KernelRidge; t = np.loadtxt('" +
      table +
      "'); x, y = t[:, :-1], t[:, -1]; m = KernelRidge(alpha=120 * 1e-4, kernel='rbf', gamma=0.5 / 1.3**2).fit(x, y); "
      "np.savetxt('" +
      table + "', m.predict(x), fmt='%.17g')\"";
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream in(table);
  for (Index i = 0; i < 120; ++i) {
    double theirs = NAN;
    in >> theirs;
    ASSERT_NEAR(ours(i, 0), theirs, 1e-8);
  }
}

}  // namespace
}  // namespace weft
