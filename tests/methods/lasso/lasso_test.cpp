// The lasso fit: optimality in the coefficients of the features themselves, checked from the rows.
#include "methods/lasso/lasso.hpp"
#include "methods/table_rows.hpp"

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

using testing_rows::RowMatrix;
using testing_rows::smooth_problem;
using testing_rows::TableRows;
using testing_rows::to_eigen;

struct Solved {
  FitResult result;
  RowMatrix phi;             // m × T, raw features (plain ones divided by T)
  Eigen::VectorXd a;         // coefficients of phi
  double penalty = 1;        // of |a_t| in units of λ: 1/T for plain features
  Eigen::VectorXd residual;  // y − f
};

Solved solve(const std::string& name, FitOptions options, Index features = 80) {
  const TableRows rows = smooth_problem(4, 400, 1, 21);
  FamilyOptions family;
  family.family = name;
  family.features = features;
  const FeatureMap map = FeatureMap::draw(family, Inputs::plain(4, true));
  const Run run;
  options.use<LassoOptions>();
  Solved s;
  s.result = fit_lasso({map, rows, Task::regression, options, family, run});
  Matrix phi(features, 400);
  map.values(rows.x, phi);
  s.phi = to_eigen(phi.view()).transpose();
  const bool plain = map.parts()[0].family.kernel.none();
  if (plain) s.phi /= static_cast<double>(features);
  if (plain) s.penalty = 1 / static_cast<double>(features);
  const std::vector<double> logs = map.log_amplitudes();
  s.a.resize(features);
  for (Index t = 0; t < features; ++t)
    s.a(t) = s.result.coefficients(t, 0) / std::exp(logs[static_cast<std::size_t>(t)]) *
             (plain ? static_cast<double>(features) : 1.0);
  s.residual = to_eigen(rows.y.view()).transpose() - s.phi * s.a;
  s.residual.array() -= s.result.intercepts[0];
  return s;
}

TEST(LassoFit, KktConditionsHoldForBothNormalisations) {
  for (const char* name : {"rw-relu", "rw-sign", "rw-stumps", "rks-relu"})
    for (const LassoScale scale : {LassoScale::mean, LassoScale::half_mean}) {
      FitOptions options;
      options.use<LassoOptions>().lasso_scale = scale;
      options.lambda = std::string(name) == "rks-relu" ? 0.1 : 1e-3;
      options.use<LassoOptions>().tolerance = 1e-12;
      const Solved s = solve(name, options);
      EXPECT_NEAR(s.residual.mean(), 0, 1e-9) << name;  // the intercept is not penalised
      const double factor = (scale == LassoScale::mean ? 2.0 : 1.0) / 400;
      const double lambda = *options.lambda * s.penalty;
      Index nonzeros = 0;
      for (Eigen::Index t = 0; t < s.a.size(); ++t) {
        const double gradient = factor * s.phi.col(t).dot(s.residual);
        if (s.a(t) != 0) {
          ++nonzeros;
          EXPECT_NEAR(gradient, lambda * (s.a(t) > 0 ? 1 : -1), 1e-4 * lambda) << name << " " << name_of(scale);
        } else {
          EXPECT_LE(std::abs(gradient), lambda * (1 + 1e-4)) << name << " " << name_of(scale);
        }
      }
      EXPECT_GT(nonzeros, 0) << name;
      EXPECT_LT(nonzeros, 80) << name;
      EXPECT_EQ(static_cast<double>(nonzeros), *s.result.report.number("nonzeros")) << name;
    }
}

/// Proximal gradient descent on (1/m)‖Φa/T − y‖² + (λ/T)‖a‖₁ from the rows alone, as Algorithm 2 of Anonymous 2026
/// states it.
Eigen::VectorXd kitchen_sinks_lasso(const RowMatrix& phi, const Eigen::VectorXd& y, double lambda) {
  const auto m = static_cast<double>(phi.rows());
  const auto features = static_cast<double>(phi.cols());
  const RowMatrix f = phi / features;
  const double step = 0.5 * m / (f.transpose() * f).trace();
  Eigen::VectorXd a = Eigen::VectorXd::Zero(phi.cols());
  Eigen::VectorXd ahead = a;
  double momentum = 1;
  for (int k = 0; k < 200000; ++k) {
    const Eigen::VectorXd moved = ahead - step * (2 / m) * f.transpose() * (f * ahead - y);
    const Eigen::VectorXd next = moved.array().sign() * (moved.array().abs() - step * lambda / features).max(0.0);
    const double grown = 0.5 * (1 + std::sqrt(1 + 4 * momentum * momentum));
    const bool restart = (ahead - next).dot(next - a) > 0;
    ahead = restart ? next : Eigen::VectorXd(next + (momentum - 1) / grown * (next - a));
    momentum = restart ? 1 : grown;
    a = next;
  }
  return a;
}

TEST(LassoFit, PlainFeaturesSolveThePapersProblem) {
  FitOptions options;
  options.intercept = false;
  options.lambda = 0.05;
  options.use<LassoOptions>().tolerance = 1e-13;
  for (const char* name : {"rks-sign", "rks-relu"}) {
    const Solved s = solve(name, options, 40);
    const RowMatrix phi = s.phi * 40;
    const Eigen::VectorXd y = s.residual + s.phi * s.a;
    const Eigen::VectorXd expected = kitchen_sinks_lasso(phi, y, 0.05);
    EXPECT_LT((phi * (s.a - expected)).norm() / 40, 1e-5 * y.norm()) << name;
    for (Eigen::Index t = 0; t < 40; ++t)
      EXPECT_EQ(s.a(t) != 0, std::abs(expected(t)) > 1e-6) << name << " feature " << t;
    EXPECT_GT((s.a.array() != 0).count(), 3) << name;
    EXPECT_LT((s.a.array() != 0).count(), 40) << name;
  }
}

TEST(LassoFit, NonzerosAsksForAtMostSoMany) {
  for (const Index most : {1, 5, 20}) {
    FitOptions options;
    options.use<LassoOptions>().nonzeros = most;
    const Solved s = solve("rw-relu", options);
    const Index kept = (s.a.array() != 0).count();
    EXPECT_EQ(kept, most);
  }
}

TEST(LassoFit, ChoosesALambdaThatPredicts) {
  const Solved s = solve("rw-relu", {});
  // The noise has variance 0.01, the target 0.5.
  EXPECT_LT(s.residual.squaredNorm() / 400, 0.05);
  EXPECT_TRUE(s.result.report.number("lambda").has_value());
  EXPECT_LE(*s.result.report.number("duality_gap"), 1e-5);
}

}  // namespace
}  // namespace weft
