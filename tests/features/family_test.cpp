#include <weft/family.hpp>
#include <weft/feature_map.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace weft {
namespace {

TEST(Family, ParsesNamesProjectionsCountsAndUnions) {
  const auto parts = parse_family("rw-stumps:300+rw-relu/sparse:3:700+rks-cos");
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].family.name(), "rw-stumps");
  EXPECT_EQ(parts[0].features, 300);
  EXPECT_EQ(parts[1].family.name(), "rw-relu/sparse:3");
  EXPECT_EQ(parts[1].family.projection.variables, 3);
  EXPECT_EQ(parts[1].features, 700);
  EXPECT_EQ(parts[2].family.name(), "rks-cos");
  EXPECT_EQ(parts[2].features, 0);
  EXPECT_TRUE(parts[2].family.kernel.none());
  EXPECT_EQ(parse_family("rw-exp-sign").front().family.kernel.kind(), WeightKernel::Kind::exponential);
  EXPECT_EQ(parse_family("rw-relu/axis").front().family.projection.kind, Projection::Kind::axis);
}

TEST(Family, EveryRowOfTheTableParsesToItself) {
  for (const FamilyRow& row : family_table()) EXPECT_EQ(parse_family(row.name).front().family.name(), row.name);
  EXPECT_GE(family_table().size(), 36u);
}

TEST(Family, MistakesNameTheRemedy) {
  for (const char* text : {"", "relu", "rw-tanh", "rw-relu/sparse", "rw-relu/sparse:0", "rw-relu/round", "rw-relu:x",
                           "rw-relu+", "rw-relu:5:6", "rw-custom", "rff-sign", "rff"}) {
    try {
      parse_family(text);
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::option) << text;
      EXPECT_EQ(error.field(), "family") << text;
      EXPECT_FALSE(error.hint().empty()) << text;
    }
  }
}

TEST(Family, GammaFromTargetsInvertsTheConstants) {
  for (const Index n : {1, 3, 100, 784})
    for (const double sigma : {0.1, 2.0}) {
      const double g = gamma_from_theta(0.3, sigma, n);
      EXPECT_NEAR(std::pow(1 + 2 * sigma * sigma / (g * g), -static_cast<double>(n) / 4), 0.3, 1e-12);
      const double k = gamma_from_kappa(7, sigma, n);
      EXPECT_NEAR(std::pow(1 - sigma * sigma / (k * k), -static_cast<double>(n) / 4), 7, 1e-9);
      const double c = gamma_from_shrink(0.2, sigma, n);
      EXPECT_NEAR(std::pow(1 + sigma * sigma / (c * c), -static_cast<double>(n) / 2), 0.2, 1e-12);
    }
}

// θ itself, as the implicit kernel has it. It has a maximum over γ, and is to grow with γ.
TEST(Family, GammaFromTheExactThetaInvertsTheImplicitKernel) {
  for (const Index n : {1, 3, 100, 784})
    for (const double sigma : {0.1, 2.0}) {
      const auto theta_at = [&](double gamma) {
        const FamilyOptions options{.family = "rw-sign", .features = 1, .sigma = sigma, .gamma = gamma};
        return *FeatureMap::draw(options, Inputs::plain(n)).constants(std::nullopt).theta;
      };
      const double wanted = 0.1 / static_cast<double>(n);
      const double gamma = gamma_from_exact_theta(wanted, sigma, n);
      EXPECT_NEAR(theta_at(gamma), wanted, 1e-9 * wanted) << n;
      EXPECT_GT(theta_at(1.01 * gamma), wanted) << n;
      EXPECT_LT(gamma, gamma_from_theta(0.99, sigma, n));
      FamilyOptions options{.family = "rw-sign", .features = 1, .sigma = sigma, .exact_theta = wanted};
      EXPECT_EQ(FeatureMap::draw(options, Inputs::plain(n)).parts()[0].gamma, gamma);
      options.gamma = 1.0;
      EXPECT_THROW(FeatureMap::draw(options, Inputs::plain(n)), Error);
    }
  try {
    gamma_from_exact_theta(0.5, 1, 784);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.field(), "exact_theta");
    EXPECT_NE(std::string(error.what()).find("at most 0.01"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace weft
