// Random Fourier features: their implicit kernels are the kernels they are named after.
#include <weft/feature_map.hpp>

#include "features/truth.hpp"

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

Matrix fourier_rows(Index n, Index rows) {
  const Random random(9, RandomStream::noise);
  Matrix x(n, rows);
  for (Index k = 0; k < n * rows; ++k) x.data()[k] = random.normal(static_cast<std::uint64_t>(k));
  return x;
}

TEST(FourierFeatures, HaveTheRbfAndTheLaplaceKernel) {
  const Matrix x = fourier_rows(4, 6);
  for (const double sigma : {0.3, 2.0}) {
    const auto kernel = [&](const char* family) {
      return FeatureMap::without_centres({.family = family, .sigma = sigma}, Inputs::plain(4)).implicit_kernel(x, x);
    };
    const Matrix rbf = kernel("rff-rbf"), laplace = kernel("rff-laplace");
    for (Index a = 0; a < 6; ++a)
      for (Index b = 0; b < 6; ++b) {
        double l1 = 0, l2 = 0;
        for (Index j = 0; j < 4; ++j) {
          l1 += std::abs(x(j, a) - x(j, b));
          l2 += (x(j, a) - x(j, b)) * (x(j, a) - x(j, b));
        }
        EXPECT_NEAR(rbf(a, b), std::exp(-0.5 * sigma * sigma * l2), 1e-12);
        EXPECT_NEAR(laplace(a, b), std::exp(-sigma * l1), 1e-14);
      }
  }
}

TEST(FourierFeatures, WithAFixedPhaseMatchMonteCarlo) {
  const Matrix x = fourier_rows(2, 2);
  const Random random(31, RandomStream::generator);
  for (const std::string family : {"rff-laplace", "rff-laplace/axis"}) {
    const bool axis = family.ends_with("axis");
    const Matrix kernel = FeatureMap::without_centres({.family = family, .sigma = 0.6, .phase = 0.4}, Inputs::plain(2))
                              .implicit_kernel(x, x);
    const auto estimate = truth::monte_carlo(400000, [&](std::uint64_t k) {
      const std::uint32_t j = static_cast<std::uint32_t>(random.below(2, k, 9));
      const auto feature = [&](Index i) {
        const double z = axis ? x(j, i) - 0.6 * random.cauchy(k)
                              : 0.6 * (random.cauchy(k, 0) * x(0, i) + random.cauchy(k, 1) * x(1, i));
        return std::cos(z + 0.4);
      };
      return 2 * feature(0) * feature(1);
    });
    EXPECT_NEAR(kernel(0, 1), estimate.mean, 5 * estimate.error) << family;
  }
}

TEST(FourierFeatures, HaveUnitConstants) {
  for (const char* family : {"rff-rbf", "rff-laplace", "rff-laplace/sparse:2", "rff-rbf/axis"}) {
    const Constants constants =
        FeatureMap::without_centres({.family = family}, Inputs::plain(3)).constants(std::nullopt);
    EXPECT_NEAR(*constants.theta, 1, 1e-12) << family;
    EXPECT_NEAR(*constants.kappa, 1, 1e-12) << family;
    EXPECT_NEAR(constants.tau, 1, 1e-12) << family;
  }
  // With phase 0, K(x, x) = 1 + exp(−2σ‖x‖₁) is largest at 0; with phase π/2 it grows to 1.
  const auto theta = [](double phase, std::optional<double> radius) {
    return *FeatureMap::without_centres({.family = "rff-laplace", .phase = phase}, Inputs::plain(4))
                .constants(radius)
                .theta;
  };
  EXPECT_NEAR(theta(0, std::nullopt), std::sqrt(2.0), 1e-9);
  EXPECT_NEAR(theta(std::numbers::pi / 2, std::nullopt), 1, 1e-9);
  EXPECT_NEAR(theta(std::numbers::pi / 2, 1.0), std::sqrt(1 - std::exp(-4.0)), 1e-9);  // ‖x‖₁ ≤ √4·‖x‖
}

TEST(FourierFeatures, ScalesMultiplyFeaturesAndGrams) {
  const Matrix x = fourier_rows(3, 5);
  for (const char* family : {"rff-rbf", "rw-relu", "rks-stumps", "rw-exp-sign/sparse:2", "rw-stumps:2+rw-cos"}) {
    const FeatureMap map = FeatureMap::draw({.family = family, .features = 6, .gamma = 2}, Inputs::plain(3));
    const std::vector<double> scales = {2, 0.5, 3};
    const FeatureMap plain = map.subset({0, 2, 5});
    const FeatureMap scaled = map.subset({0, 2, 5}, scales);
    Matrix a(3, 5), b(3, 5);
    plain.values(x, a);
    scaled.values(x, b);
    const Matrix gram = plain.gram(), scaled_gram = scaled.gram();
    for (Index s = 0; s < 3; ++s) {
      const double factor = scales[static_cast<std::size_t>(s)];
      for (Index i = 0; i < 5; ++i) EXPECT_NEAR(b(s, i), factor * a(s, i), 1e-15 * (1 + std::abs(b(s, i)))) << family;
      for (Index t = 0; t < 3; ++t) {
        const bool none = map.parts()[0].family.kernel.none();
        const double expected = none ? gram(s, t) : factor * scales[static_cast<std::size_t>(t)] * gram(s, t);
        EXPECT_NEAR(scaled_gram(s, t), expected, 1e-14) << family;
      }
    }
    EXPECT_EQ(scaled.subset({1}, {4}).parts()[0].scale(0), 2 * plain.subset({1}).parts()[0].scale(0));
  }
}

}  // namespace
}  // namespace weft
