// Kernels against their definitions, and kernel sections as a feature map.
#include <weft/feature_map.hpp>

#include "core/random.hpp"
#include "data/expect_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace weft {

using namespace detail;
namespace {

Matrix points(Index inputs, Index count, std::uint32_t seed, double offset = 0) {
  const Random random(seed, RandomStream::generator);
  Matrix x(inputs, count);
  for (Index j = 0; j < inputs; ++j)
    for (Index i = 0; i < count; ++i)
      x(j, i) = offset + random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(j));
  return x;
}

using Formula = double (*)(const Matrix& a, Index i, const Matrix& b, Index j);

double rbf(const Matrix& a, Index i, const Matrix& b, Index j) {
  double sum = 0;
  for (Index c = 0; c < a.rows(); ++c) sum += (a(c, i) - b(c, j)) * (a(c, i) - b(c, j));
  return std::exp(-sum / (2 * 1.7 * 1.7));
}

double laplace(const Matrix& a, Index i, const Matrix& b, Index j) {
  double sum = 0;
  for (Index c = 0; c < a.rows(); ++c) sum += std::abs(a(c, i) - b(c, j));
  return std::exp(-sum / 1.7);
}

double angular(const Matrix& a, Index i, const Matrix& b, Index j) {
  double xx = 0, yy = 0, xy = 0;
  for (Index c = 0; c < a.rows(); ++c) {
    xx += a(c, i) * a(c, i);
    yy += b(c, j) * b(c, j);
    xy += a(c, i) * b(c, j);
  }
  return 2 / std::numbers::pi * std::asin(xy / std::sqrt(xx * yy));
}

Kernel make(const std::string& name, Index inputs) {
  FamilyOptions family;
  family.gamma = 1.5;
  return Kernel::make(name, 1.7, family, Inputs::plain(inputs));
}

TEST(Kernel, IsItsDefinition) {
  const Matrix a = points(7, 301, 1);
  const Matrix b = points(7, 517, 2);
  for (const auto& [name, formula] :
       std::vector<std::pair<std::string, Formula>>{{"rbf", rbf}, {"laplace", laplace}, {"angular", angular}}) {
    SCOPED_TRACE(name);
    Matrix values(a.cols(), b.cols());
    make(name, 7).values(a, b, values);
    for (Index i = 0; i < a.cols(); ++i)
      for (Index j = 0; j < b.cols(); ++j) ASSERT_NEAR(values(i, j), formula(a, i, b, j), 1e-14);
  }
}

TEST(Kernel, FarFromTheOriginDistancesKeepTheirDigits) {
  const Matrix a = points(5, 40, 3, 1e5);
  Matrix values(a.cols(), a.cols());
  Kernel::rbf(1.7).values(a, a, values);
  for (Index i = 0; i < a.cols(); ++i)
    for (Index j = 0; j < a.cols(); ++j) ASSERT_NEAR(values(i, j), rbf(a, i, a, j), 1e-13);
}

TEST(Kernel, ImplicitIsTheLimitOfTheFamily) {
  const Matrix a = points(3, 20, 4);
  FamilyOptions family;
  family.gamma = 1.5;
  for (const char* name : {"rw-sign", "rw-relu/sparse:2", "rw-stumps", "rks-cos", "rw-stumps+rw-relu"}) {
    SCOPED_TRACE(name);
    family.family = name;
    const FeatureMap limit = FeatureMap::without_centres(family, Inputs::plain(3));
    const Matrix truth = limit.implicit_kernel(a, a);
    const Kernel kernel = make(std::string("implicit:") + name, 3);
    const Matrix gram = kernel.gram(a);
    const std::vector<double> diagonal = kernel.diagonal(a);
    EXPECT_EQ(kernel.name(), std::string("implicit:") + name);
    for (Index i = 0; i < 20; ++i) {
      EXPECT_NEAR(diagonal[static_cast<std::size_t>(i)], truth(i, i), 1e-14);
      for (Index j = 0; j < 20; ++j) ASSERT_NEAR(gram(i, j), truth(i, j), 1e-14);
    }
  }
}

TEST(Kernel, TheRbfKernelIsTwiceTheLimitOfRandomFourierFeatures) {
  const Matrix a = points(4, 15, 5);
  FamilyOptions family{.family = "rks-cos"};
  family.sigma = 1 / 1.7;
  const Matrix limit = FeatureMap::without_centres(family, Inputs::plain(4)).implicit_kernel(a, a);
  const Matrix gram = Kernel::rbf(1.7).gram(a);
  for (Index i = 0; i < 15; ++i)
    for (Index j = 0; j < 15; ++j) EXPECT_NEAR(gram(i, j), 2 * limit(i, j), 1e-14);
}

TEST(Kernel, BitsDoNotDependOnThreads) {
  const Matrix a = points(6, 700, 6);
  weft::Run one, three;
  one.threads = 1;
  three.threads = 3;
  for (const char* name : {"rbf", "laplace", "laplace-l2", "implicit:rw-sign"}) {
    const Matrix first = make(name, 6).gram(a, one);
    const Matrix second = make(name, 6).gram(a, three);
    for (Index i = 0; i < 700; ++i)
      for (Index j = 0; j < 700; ++j) {
        ASSERT_EQ(first(i, j), second(i, j)) << name;
        ASSERT_EQ(first(i, j), first(j, i)) << name;
      }
  }
}

TEST(Kernel, MistakesAreNamed) {
  const auto bad = [](const std::string& name) { Kernel::make(name, 1.0, {}, Inputs::plain(2)); };
  testing::expect_error([&] { bad("gauss"); }, ErrorKind::option, {"kernel", "gauss", "implicit:FAMILY"});
  testing::expect_error([&] { bad("implicit:nothing"); }, ErrorKind::option, {"nothing"});
  testing::expect_error([&] { Kernel::rbf(0); }, ErrorKind::option, {"bandwidth"});
  testing::expect_error([&] { Kernel::laplace(1, 0); }, ErrorKind::option, {"exponent"});
  testing::expect_error([&] { Kernel::make("rbf", 1.0, {}, Inputs::plain(2), nullptr, 0.7); }, ErrorKind::option,
                        {"exponent", "rbf"});
}

TEST(KernelSections, AreAFeatureMap) {
  const Matrix z = points(4, 12, 7);
  const Matrix x = points(4, 33, 8);
  const FeatureMap map = FeatureMap::from_sections({Kernel::rbf(1.7), z}, Inputs::plain(4));
  ASSERT_EQ(map.features(), 12);
  Matrix phi(12, 33), features(12, 33);
  BasicMatrix<float> single(12, 33);
  map.smoothings(x, phi.view());
  map.smoothings(x, single.view());
  map.values(x, features);
  const Matrix gram = map.gram();
  const Matrix scaled = map.scaled_gram(0.5);
  for (Index t = 0; t < 12; ++t) {
    for (Index i = 0; i < 33; ++i) {
      EXPECT_NEAR(phi(t, i), rbf(z, t, x, i), 1e-14);
      EXPECT_EQ(features(t, i), phi(t, i));
      EXPECT_EQ(single(t, i), static_cast<float>(phi(t, i)));
    }
    for (Index s = 0; s < 12; ++s) {
      EXPECT_NEAR(gram(s, t), rbf(z, s, z, t), 1e-14);
      EXPECT_NEAR(scaled(s, t), std::exp(1.0) * gram(s, t), 1e-14);
    }
  }
  EXPECT_EQ(map.log_amplitudes(), std::vector<double>(12, 0.0));
  testing::expect_error([&] { map.l2_gram(); }, ErrorKind::option, {"L2(p)", "rkhs"});

  const FeatureMap some = map.subset({1, 5, 11});
  Matrix fewer(3, 33);
  some.smoothings(x, fewer.view());
  for (Index i = 0; i < 33; ++i) EXPECT_NEAR(fewer(2, i), phi(11, i), 1e-15);
}

TEST(KernelSections, ThetaIsTheRootOfTheLargestDiagonal) {
  const Matrix z = points(3, 5, 9);
  const Matrix x = points(3, 50, 10);
  EXPECT_EQ(FeatureMap::from_sections({Kernel::laplace(2), z}, Inputs::plain(3)).constants(x).theta, 1.0);
  const Kernel relu = make("implicit:rw-relu", 3);
  const FeatureMap map = FeatureMap::from_sections({relu, z}, Inputs::plain(3));
  double largest = 0;
  for (const double k : relu.diagonal(x)) largest = std::max(largest, k);
  EXPECT_NEAR(*map.constants(x).theta, std::sqrt(largest), 1e-14);
  EXPECT_NEAR(*map.constants(2.0).theta, *relu.limit()->constants(2.0).theta, 0);
  EXPECT_FALSE(map.constants(x).kappa.has_value());
}

}  // namespace
}  // namespace weft
