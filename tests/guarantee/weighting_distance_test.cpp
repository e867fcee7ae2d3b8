// ‖α − β‖_H against its definition, and Theorem 8, which lives on it.
#include "guarantee/weighting_distance.hpp"

#include "data/expect_error.hpp"
#include "guarantee/certificates.hpp"

#include <cmath>

namespace weft::testing {

using namespace detail;

namespace {

/// What ‖α − β‖ is by definition: (a, −b) over all centres of both.
double joint_norm(const Model& small, const Model& full) {
  const Model* models[] = {&full, &small};
  std::vector<std::pair<const Model*, Index>> centres;
  for (const Model* model : models)
    for (Index t = 0; t < model->parts().map.features(); ++t) centres.emplace_back(model, t);
  double sum = 0;
  for (const auto& [m, s] : centres)
    for (const auto& [n, t] : centres) {
      const auto a = [](const Model* model, Index i) {
        return model->parts().coefficients(i, 0) /
               std::exp(model->parts().map.log_amplitudes()[static_cast<std::size_t>(i)]);
      };
      const Matrix& u = m->parts().map.parts()[0].centres.weights;
      const Matrix& v = n->parts().map.parts()[0].centres.weights;
      double distance = 0;
      for (Index j = 0; j < u.cols(); ++j) distance += std::pow(u(s, j) - v(t, j), 2);
      sum += (m == n ? 1 : -1) * a(m, s) * a(n, t) * std::exp(-distance / (2 * 1.9 * 1.9));
    }
  return std::sqrt(sum);
}

TEST(WeightingDistance, Theorem8ComparesWithTheOriginal) {
  const Model full(sample_parts("y", signs(8)));
  ModelParts pruned = full.parts();
  pruned.map = pruned.map.subset({1, 4, 6});
  pruned.coefficients = Matrix(3, 1);
  for (Index t = 0; t < 3; ++t) pruned.coefficients(t, 0) = full.parts().coefficients(2 * t + 1, 0) + 0.1;
  pruned.intercepts[0] += 0.25;
  const Model small(pruned);
  const Data data = sample_data(60, "y");
  const Certificate result = certify(small, data, {.delta = 0.1}, {}, &full);
  const double distance = joint_norm(small, full);
  ASSERT_TRUE(result.distances);
  EXPECT_NEAR((*result.distances)[0], distance, 1e-10 * distance);

  const double theta = *result.constants.theta;
  const double d = theta * distance + 0.25;
  const double reach = theta * full.rkhs_norm(0) + std::abs(full.parts().intercepts[0] - result.target_centres[0]) + d;
  const double gap = 2 * (reach + result.target_radii[0]) * d / std::sqrt(60) * (2 + std::sqrt(2 * std::log(10.0)));
  const BoundLine& line = find(result, "Dubé & Marchand 2023, Theorem 8", "fixed", "exact");
  EXPECT_EQ(line.claim, "difference");
  EXPECT_NEAR(line.gap, gap, 1e-9 * gap);
  EXPECT_NEAR(line.bound, gap + result.train_loss - certify(full, data).train_loss, 1e-9 * gap);
  EXPECT_GT(find(result, "Dubé & Marchand 2023, Theorem 8", "learned", "exact").gap, gap);

  const Certificate itself = certify(full, data, {.bound = Theorem::theorem_8}, {}, &full);
  EXPECT_EQ((*itself.distances)[0], 0);
  EXPECT_EQ(find(itself, "Dubé & Marchand 2023, Theorem 8", "fixed", "exact").bound, 0);
}

TEST(WeightingDistance, OtherCentresEnterByTheJointGram) {
  const Model a(sample_parts("y", signs(8)));
  FamilyOptions other = signs(5);
  other.seed = 77;
  const Model b(sample_parts("y", other));
  const double expected = joint_norm(b, a);
  EXPECT_NEAR(weighting_distance(b, a, {}).norms.at(0), expected, 1e-10 * expected);
  other.gamma = 3;
  EXPECT_NE(weighting_distance(Model(sample_parts("y", other)), a, {}).reason.find("gamma"), std::string::npos);
  EXPECT_NE(weighting_distance(Model(sample_parts("z", signs(8))), a, {}).reason.find("encodes"), std::string::npos);
  const Model stranger(sample_parts("z", signs(8)));
  expect_error([&] { certify(a, sample_data(60, "y"), {.bound = Theorem::theorem_8}, {}, &stranger); },
               ErrorKind::option, {"bound", "encodes"});
}

TEST(WeightingDistance, PartsOfAUnionThatWerePrunedAwayCount) {
  const Model full(sample_parts("y", sample_family("rw-sign:4+rw-relu/sparse:2:6", 10)));
  ModelParts pruned = full.parts();
  pruned.map = pruned.map.subset({5, 7, 9});  // nothing of rw-sign is left
  pruned.coefficients = Matrix(3, 1);
  for (Index t = 0; t < 3; ++t) pruned.coefficients(t, 0) = full.parts().coefficients(5 + 2 * t, 0);
  ModelParts lost = full.parts();
  for (const Index t : {5, 7, 9}) lost.coefficients(t, 0) = 0;
  const double expected = Model(lost).rkhs_norm(0);
  EXPECT_NEAR(weighting_distance(Model(pruned), full, {}).norms.at(0), expected, 1e-12 * expected);
}

}  // namespace

}  // namespace weft::testing
