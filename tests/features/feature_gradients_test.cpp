// Gradients of random features against differences of the features.
#include <weft/feature_map.hpp>
#include <weft/learned_activation.hpp>

#include "features/random_block.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace weft {

using namespace detail;
namespace {

using testing::random_block;
constexpr Index kInputs = 4, kRows = 9, kOutputs = 2;

Matrix coefficients_of(const FeatureMap& map) {
  Matrix coefficients(map.features(), kOutputs);
  for (Index t = 0; t < map.features(); ++t)
    for (Index o = 0; o < kOutputs; ++o) coefficients(t, o) = std::sin(static_cast<double>(3 * t + o));
  return coefficients;
}

/// Σ_t coefficients(t, o)·smoothing_t.
Matrix scores(const FeatureMap& map, const Matrix& coefficients, const Matrix& x) {
  Matrix phi(map.features(), x.cols()), sums(kOutputs, x.cols());
  map.smoothings(x, phi.view());
  for (Index o = 0; o < kOutputs; ++o)
    for (Index t = 0; t < map.features(); ++t)
      for (Index i = 0; i < x.cols(); ++i) sums(o, i) += coefficients(t, o) * phi(t, i);
  return sums;
}

/// Differences of fourth order: the weights of rff-laplace, which are Cauchy's, make steep features.
void expect_gradients(const FeatureMap& map) {
  const Matrix coefficients = coefficients_of(map), x = random_block(kInputs, kRows, 5);
  Matrix gradients(kOutputs * kInputs, kRows);
  map.gradients(x, coefficients, gradients);
  constexpr double kStep = 1e-5;
  for (Index j = 0; j < kInputs; ++j) {
    const auto moved = [&](double steps) {
      Matrix there = x;
      for (Index i = 0; i < kRows; ++i) there(j, i) += steps * kStep;
      return scores(map, coefficients, there);
    };
    const Matrix up = moved(1), down = moved(-1), far_up = moved(2), far_down = moved(-2);
    for (Index o = 0; o < kOutputs; ++o)
      for (Index i = 0; i < kRows; ++i) {
        const double slope = (8 * (up(o, i) - down(o, i)) - (far_up(o, i) - far_down(o, i))) / (12 * kStep);
        EXPECT_NEAR(gradients(o * kInputs + j, i), slope, 1e-6) << o << ", " << j << ", " << i;
      }
  }
}

FamilyOptions options_of(const std::string& family) {
  FamilyOptions options;
  options.family = family;
  options.features = 150;  // more than a tile
  options.sigma = 0.8;
  options.pool = 3;
  options.seed = 17;
  return options;
}

std::vector<std::string> gradient_families() {
  std::vector<std::string> names;
  for (const FamilyRow& row : family_table()) {
    names.push_back(row.name);
    if (row.family.projection.kind == Projection::Kind::dense) names.push_back(row.name + "/sparse:2");
  }
  for (const char* more : {"rw-relu/axis", "rw-exp-cos/axis", "rks-relu/axis", "rw-stumps:70+rw-relu/sparse:3:80"})
    names.emplace_back(more);
  return names;
}

class EveryFamilysGradients : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryFamilysGradients, AreItsDifferences) {
  for (const double gamma : {0.6, 1.3}) {
    FamilyOptions options = options_of(GetParam());
    if (GetParam().find("rw-exp") == 0)
      options.gamma = 1.3 + gamma;
    else if (GetParam().find("rw-") == 0)
      options.gamma = gamma;
    expect_gradients(FeatureMap::draw(options, Inputs::plain(kInputs)));
  }
}

INSTANTIATE_TEST_SUITE_P(Table, EveryFamilysGradients, ::testing::ValuesIn(gradient_families()),
                         [](const auto& family) {
                           std::string name = family.param;
                           for (char& c : name)
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           return name;
                         });

TEST(FeatureGradients, OfPhasesScalesAndStructuredDraws) {
  FamilyOptions options = options_of("rw-cos");
  options.gamma = 1;
  options.phase = 0.7;
  const FeatureMap map = FeatureMap::draw(options, Inputs::plain(kInputs));
  expect_gradients(map);
  expect_gradients(map.subset({0, 3, 5}, {0.5, 2, 1}));
  options = options_of("rff-rbf");
  options.sampling = Sampling::structured;
  expect_gradients(FeatureMap::draw(options, Inputs::plain(kInputs)));
}

TEST(FeatureGradients, OfLearnedAndCustomActivations) {
  const std::vector<double> heights = {0.3, -1, 2, 0.5, -0.7, 1, 0.2};
  std::vector<ActivationPtr> activations = {
      std::make_shared<LearnedActivation>(ActivationBasis::rbf(-3, 3, 7), heights),
      std::make_shared<LearnedActivation>(ActivationBasis::bspline(-2, 2, 7, 3), heights),
      std::make_shared<LearnedActivation>(ActivationBasis::bspline(-2, 2, 7, 1), heights),
      std::make_shared<LearnedActivation>(ActivationBasis::bspline(-0.3, 0.3, 7, 2), heights),  // wide spreads
      custom_activation("softplus", [](double z) { return std::log1p(std::exp(z)); }),
      custom_activation("hinge", [](double z) { return std::max(z - 0.3, 0.0); }, {0.3})};
  for (const ActivationPtr& activation : activations)
    for (const char* family : {"rw-custom", "rks-custom", "rw-custom/sparse:2", "rw-custom/axis"}) {
      SCOPED_TRACE(activation->name() + family);
      FamilyOptions options = options_of(family);
      if (family[1] == 'w') options.gamma = 1;
      options.features = 12;
      expect_gradients(FeatureMap::draw(options, Inputs::plain(kInputs), activation));
    }
}

TEST(FeatureGradients, AtTheOriginAreFinite) {
  for (const char* family : {"rw-sign", "rw-relu", "rw-step", "rks-sign"}) {
    FamilyOptions options = options_of(family);
    if (family[1] == 'w') options.gamma = 1;
    const FeatureMap map = FeatureMap::draw(options, Inputs::plain(kInputs));
    Matrix gradients(kOutputs * kInputs, 1);
    map.gradients(Matrix(kInputs, 1), coefficients_of(map), gradients);
    for (Index r = 0; r < gradients.rows(); ++r) EXPECT_TRUE(std::abs(gradients(r, 0)) < 1e3) << family;
  }
}

TEST(FeatureGradients, BitsDoNotDependOnThreads) {
  const FeatureMap map =
      FeatureMap::draw(options_of("rw-stumps:40+rw-relu/sparse:2:50+rw-cos:60"), Inputs::plain(kInputs));
  const Matrix x = random_block(kInputs, 600, 5), coefficients = coefficients_of(map);
  Matrix one(kOutputs * kInputs, 600), three = one;
  map.gradients(x, coefficients, one, {.threads = 1});
  map.gradients(x, coefficients, three, {.threads = 3});
  for (Index k = 0; k < one.rows() * one.cols(); ++k) ASSERT_EQ(one.data()[k], three.data()[k]);
}

}  // namespace
}  // namespace weft
