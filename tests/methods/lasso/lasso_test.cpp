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
      options.lambda = std::string(name) == "rks-relu" ? 2e-3 : 1e-3;
      options.use<LassoOptions>().tolerance = 1e-12;
      const Solved s = solve(name, options);
      EXPECT_NEAR(s.residual.mean(), 0, 1e-9) << name;  // the intercept is not penalised
      const double factor = (scale == LassoScale::mean ? 2.0 : 1.0) / 400;
      Index nonzeros = 0;
      for (Eigen::Index t = 0; t < s.a.size(); ++t) {
        const double gradient = factor * s.phi.col(t).dot(s.residual);
        if (s.a(t) != 0) {
          ++nonzeros;
          EXPECT_NEAR(gradient, *options.lambda * (s.a(t) > 0 ? 1 : -1), 1e-4 * *options.lambda)
              << name << " " << name_of(scale);
        } else {
          EXPECT_LE(std::abs(gradient), *options.lambda * (1 + 1e-4)) << name << " " << name_of(scale);
        }
      }
      EXPECT_GT(nonzeros, 0) << name;
      EXPECT_LT(nonzeros, 80) << name;
      EXPECT_EQ(static_cast<double>(nonzeros), *s.result.report.number("nonzeros")) << name;
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
