#include "prune/weight_path.hpp"

#include "dense_algebra.hpp"
#include "prune/prune_case.hpp"

#include <gtest/gtest.h>

namespace weft::testing {

using namespace detail;
namespace {

TEST(Geometry, NormsAreThoseOfTheDenseGram) {
  for (const char* family : {"rw-sign", "rw-exp-relu", "rw-relu/sparse:1", "rw-stumps:20+rw-relu:30", "rks-cos"}) {
    const Model model = plane_model("y,z", family, 50);
    const PlainWeights plain(model.parts());
    const Geometry geometry = weight_geometry(model.parts().map, {});
    const std::vector<double> found = norms(geometry, model.parts().coefficients);
    for (Index o = 0; o < 2; ++o) EXPECT_NEAR(found[static_cast<std::size_t>(o)] / plain.norm(o), 1, 1e-9) << family;
    const UnitWeights units = to_units(geometry, model.parts().coefficients);
    const Matrix back = from_units(geometry, units.shares, units.log_norms);
    const double largest = test::dense(model.parts().coefficients).cwiseAbs().maxCoeff();
    EXPECT_LT(test::largest_difference(test::dense(back), test::dense(model.parts().coefficients)), 1e-12 * largest);
  }
}

TEST(Geometry, AmplitudesOfHundredsOfOrdersStayFinite) {
  const FeatureMap map =
      FeatureMap::draw({.family = "rw-sign", .features = 20, .gamma = 0.5}, Inputs::plain(784, true));
  const std::vector<double> logs = map.log_amplitudes();
  ASSERT_LT(*std::max_element(logs.begin(), logs.end()), -700) << "exp of it is not 0";
  const Matrix coefficients = test::random_matrix(20, 1, 1);
  const Geometry geometry = weight_geometry(map, {});
  const WeightPath path(geometry, coefficients);
  const double lambda = 0.3 * path.lambda_max();
  ASSERT_TRUE(std::isfinite(lambda) && lambda > 0);
  const Matrix pruned = path.coefficients(path.solve(lambda, {}, {}));
  const std::vector<Index> kept = used_features(pruned);
  EXPECT_GE(kept.size(), 1u);
  EXPECT_LT(kept.size(), 20u);
  for (const Index t : kept) EXPECT_LE(std::abs(pruned(t, 0)), std::abs(coefficients(t, 0)));
}

// With the Gaussian kernel the problem is eq. 60 word for word: its optimality conditions, in a and with the dense G.
TEST(WeightPath, SolvesEquation60) {
  const Model model = plane_model("y", "rw-sign");
  const PlainWeights plain(model.parts());
  const Geometry geometry = weight_geometry(model.parts().map, {});
  const WeightPath path(geometry, model.parts().coefficients);
  const auto features = static_cast<double>(plain.a.rows());
  Matrix start;
  Index before = 0;
  for (const double share : {0.9, 0.3, 0.1, 0.03}) {
    const double lambda = share * path.lambda_max();
    start = path.solve(lambda, start, {});
    ModelParts pruned = model.parts();
    pruned.coefficients = path.coefficients(start);
    const test::Dense b = PlainWeights(pruned).a;
    const Eigen::VectorXd gradient = plain.gram * (plain.a - b).col(0) / (features * plain.norm(0));
    for (Eigen::Index t = 0; t < gradient.size(); ++t)
      if (b(t, 0) != 0)
        EXPECT_NEAR(gradient(t), std::copysign(lambda, b(t, 0)), 1e-3 * lambda);
      else
        EXPECT_LE(std::abs(gradient(t)), 1.001 * lambda);
    const auto kept = static_cast<Index>(used_features(pruned.coefficients).size());
    EXPECT_GT(kept, before);
    before = kept;
  }
}

TEST(WeightPath, IsThresholdingWhereFeaturesAreOrthogonal) {
  const Model model = plane_model("y", "rks-cos", 40);
  const Geometry geometry = weight_geometry(model.parts().map, {});
  const WeightPath path(geometry, model.parts().coefficients);
  const Matrix& before = model.parts().coefficients;
  double norm = 0;
  double largest = 0;
  for (Index t = 0; t < 40; ++t) {
    norm += before(t, 0) * before(t, 0);
    largest = std::max(largest, std::abs(before(t, 0)));
  }
  norm = std::sqrt(norm);
  EXPECT_NEAR(path.lambda_max(), largest / norm / 40, 1e-12);
  const double lambda = 0.2 * path.lambda_max();
  const Matrix after = path.coefficients(path.solve(lambda, {}, {}));
  for (Index t = 0; t < 40; ++t) {
    const double soft = std::max(0.0, std::abs(before(t, 0)) - 40 * lambda * norm);
    EXPECT_NEAR(after(t, 0), std::copysign(soft, before(t, 0)), 1e-6 * norm);
  }
}

TEST(WeightPath, ProjectionIsTheDenseOne) {
  const Model model = plane_model("y,z", "rw-sign", 30);
  const PlainWeights plain(model.parts());
  const Geometry geometry = weight_geometry(model.parts().map, {});
  const WeightPath path(geometry, model.parts().coefficients);
  const std::vector<Index> kept = {1, 4, 7, 20};
  ModelParts projected = model.parts();
  projected.coefficients = path.project(kept, 1);
  EXPECT_EQ(used_features(projected.coefficients), kept);
  const test::Dense b = PlainWeights(projected).a;
  for (Eigen::Index o = 0; o < 2; ++o) {
    const Eigen::VectorXd expected = testing::solve(plain.gram(kept, kept), (plain.gram * plain.a.col(o))(kept));
    for (std::size_t i = 0; i < kept.size(); ++i)
      EXPECT_NEAR(b(kept[i], o) / expected(static_cast<Eigen::Index>(i)), 1, 1e-6);
  }
}

TEST(WeightPath, OneLambdaIsAsStrictWithEveryOutput) {
  Model model = plane_model("y", "rw-sign", 30);
  ModelParts parts = model.parts();
  Matrix two(30, 2);
  for (Index t = 0; t < 30; ++t) {
    two(t, 0) = parts.coefficients(t, 0);
    two(t, 1) = -1e-9 * parts.coefficients(t, 0);
  }
  const Geometry geometry = weight_geometry(parts.map, {});
  const WeightPath path(geometry, two);
  const Matrix pruned = path.coefficients(path.solve(0.2 * path.lambda_max(), {}, {}));
  for (Index t = 0; t < 30; ++t) EXPECT_NEAR(pruned(t, 1), -1e-9 * pruned(t, 0), 1e-12 * std::abs(pruned(t, 0)));
}

}  // namespace
}  // namespace weft::testing
