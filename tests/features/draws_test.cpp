#include "features/draws.hpp"

#include "core/random.hpp"
#include "features/hadamard.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include <Eigen/Core>

namespace weft {

using namespace detail;
namespace {

FamilyOptions with(const std::string& family, Sampling sampling, Index features, std::uint64_t seed = 1) {
  FamilyOptions options;
  options.family = family;
  options.sampling = sampling;
  options.features = features;
  options.sigma = 0.7;
  options.seed = seed;
  return options;
}

/// (1/T)Σφ_t(x)φ_t(x') of two fixed rows over many seeds, and the kernels by their definitions.
struct KernelEstimates {
  double mean = 0;
  double variance = 0;
  double error = 0;  // of the mean

  static Matrix two_rows(Index n) {
    const Random random(3, RandomStream::noise);
    Matrix x(n, 2);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < 2; ++i)
        x(j, i) = random.normal(static_cast<std::uint64_t>(j), static_cast<std::uint32_t>(i)) /
                  std::sqrt(static_cast<double>(n));
    return x;
  }

  KernelEstimates(const std::string& family, Sampling sampling, Index n, Index features, int seeds) {
    const Matrix x = two_rows(n);
    Matrix phi(features, 2);
    double sum = 0, squares = 0;
    for (int seed = 0; seed < seeds; ++seed) {
      FeatureMap::draw(with(family, sampling, features, static_cast<std::uint64_t>(seed)), Inputs::plain(n))
          .values(x, phi);
      double product = 0;
      for (Index t = 0; t < features; ++t) product += phi(t, 0) * phi(t, 1) / static_cast<double>(features);
      sum += product;
      squares += product * product;
    }
    mean = sum / seeds;
    variance = squares / seeds - mean * mean;
    error = std::sqrt(variance / seeds);
  }

  static double kernel(const std::string& family, Index n) {
    const Matrix x = two_rows(n);
    double l1 = 0, l2 = 0;
    for (Index j = 0; j < n; ++j) {
      l1 += std::abs(x(j, 0) - x(j, 1));
      l2 += (x(j, 0) - x(j, 1)) * (x(j, 0) - x(j, 1));
    }
    return family == "rff-rbf" ? std::exp(-0.5 * 0.49 * l2) : std::exp(-0.7 * l1);
  }
};

TEST(Draws, AreUnbiasedForTheirKernels) {
  for (const std::string family : {"rff-rbf", "rff-laplace"})
    for (const Sampling sampling :
         {Sampling::plain, Sampling::orthogonal, Sampling::structured, Sampling::halton, Sampling::sobol})
      for (const Index n : {1, 3, 6}) {
        if (family == "rff-laplace" && sampling == Sampling::structured) continue;
        const KernelEstimates estimates(family, sampling, n, 7, 4000);
        EXPECT_NEAR(estimates.mean, KernelEstimates::kernel(family, n), 4.5 * estimates.error)
            << family << " " << name_of(sampling) << " " << n;
      }
}

TEST(Draws, OrthogonalOnesHaveLowerVariance) {
  for (const std::string family : {"rff-rbf", "rff-laplace"}) {
    const double plain = KernelEstimates(family, Sampling::plain, 8, 16, 4000).variance;
    const double orthogonal = KernelEstimates(family, Sampling::orthogonal, 8, 16, 4000).variance;
    EXPECT_LT(orthogonal, (family == "rff-rbf" ? 0.95 : 1.0) * plain) << family;
  }
}

TEST(Draws, LowDiscrepancyHasFarLowerVarianceInFewDimensions) {
  for (const std::string family : {"rff-rbf", "rff-laplace"}) {
    const double plain = KernelEstimates(family, Sampling::plain, 2, 1000, 300).variance;
    for (const Sampling sampling : {Sampling::halton, Sampling::sobol})
      EXPECT_LT(KernelEstimates(family, sampling, 2, 1000, 300).variance, 0.3 * plain) << family << name_of(sampling);
  }
}

TEST(Draws, OrthogonalBlocksAreOrthogonalWithTheLengthsOfPlainCentres) {
  const Index n = 6, features = 15;
  const auto weights = [&](Sampling sampling) {
    return FeatureMap::draw(with("rks-relu", sampling, features), Inputs::plain(n)).parts()[0].centres.weights;
  };
  const Matrix plain = weights(Sampling::plain), orthogonal = weights(Sampling::orthogonal);
  const auto dot = [&](const Matrix& w, Index s, Index t) {
    double sum = 0;
    for (Index j = 0; j < n; ++j) sum += w(s, j) * w(t, j);
    return sum;
  };
  for (Index s = 0; s < features; ++s) {
    EXPECT_NEAR(dot(orthogonal, s, s), dot(plain, s, s), 1e-13);
    for (Index t = 0; t < s; ++t)
      if (s / n == t / n) {
        EXPECT_NEAR(dot(orthogonal, s, t), 0, 1e-13) << s << " " << t;
      }
  }
}

TEST(Draws, TheFirstOfManyAreTheFew) {
  for (const std::string family : {"rff-rbf", "rff-laplace"})
    for (const Sampling sampling :
         {Sampling::plain, Sampling::orthogonal, Sampling::structured, Sampling::halton, Sampling::sobol}) {
      if (family == "rff-laplace" && sampling == Sampling::structured) continue;
      const Inputs inputs = Inputs::plain(4, true);
      const Centres many = FeatureMap::draw(with(family, sampling, 33), inputs).parts()[0].centres;
      const Centres few = FeatureMap::draw(with(family, sampling, 13), inputs).parts()[0].centres;
      for (Index t = 0; t < 13; ++t) {
        for (Index j = 0; j < 5; ++j) EXPECT_EQ(many.weights(t, j), few.weights(t, j)) << name_of(sampling);
        EXPECT_EQ(many.phases[static_cast<std::size_t>(t)], few.phases[static_cast<std::size_t>(t)])
            << name_of(sampling);
      }
    }
}

using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Dense hadamard_matrix(Index size) {
  Dense h = Dense::Ones(1, 1);
  while (h.rows() < size) {
    Dense doubled(2 * h.rows(), 2 * h.cols());
    doubled << h, h, h, -h;
    h = doubled;
  }
  return h;
}

TEST(Hadamard, ProjectsAsTheProductOfItsFactors) {
  for (const Index n : {1, 2, 5, 8}) {
    const Index size = hadamard_size(n), count = size + 1;
    const Matrix diagonals = draw_hadamard(count, n, 0.7, 11);
    ASSERT_EQ(diagonals.rows(), 8);
    const Matrix weights = hadamard_weights(diagonals, count, n);
    const Dense h = hadamard_matrix(size);
    for (Index b = 0; b < 2; ++b) {
      const auto diagonal = [&](Index k) {
        return Eigen::Map<const Eigen::VectorXd>(diagonals.row(4 * b + k), size).asDiagonal();
      };
      const Dense w = diagonal(3) * h * diagonal(2) * h * diagonal(1) * h * diagonal(0);
      for (Index t = 0; t < std::min(size, count - b * size); ++t)
        for (Index j = 0; j < n; ++j) EXPECT_NEAR(weights(b * size + t, j), w(t, j), 1e-12) << n;
    }
  }
}

TEST(Hadamard, FeaturesAreThoseOfTheDenseWeights) {
  const Random random(5, RandomStream::noise);
  for (const char* family : {"rff-rbf", "rw-relu", "rks-sin"}) {
    const Index n = 11, rows = 300, features = 37;
    const FeatureMap fast = FeatureMap::draw(with(family, Sampling::structured, features), Inputs::plain(n, true));
    ASSERT_GT(fast.parts()[0].centres.hadamard.rows(), 0);
    std::vector<Index> all(features);
    for (Index t = 0; t < features; ++t) all[static_cast<std::size_t>(t)] = t;
    const FeatureMap dense = fast.subset(all);
    ASSERT_EQ(dense.parts()[0].centres.hadamard.rows(), 0);
    Matrix x(n + 1, rows);
    for (Index k = 0; k < (n + 1) * rows; ++k) x.data()[k] = random.normal(static_cast<std::uint64_t>(k));
    Matrix a(features, rows), b(features, rows);
    BasicMatrix<float> single(features, rows);
    fast.smoothings(x, a);
    dense.smoothings(x, b);
    fast.smoothings(x, single);
    for (Index k = 0; k < features * rows; ++k) {
      EXPECT_NEAR(a.data()[k], b.data()[k], 1e-12) << family;
      EXPECT_NEAR(static_cast<double>(single.data()[k]), b.data()[k], 1e-4) << family;
    }
  }
}

TEST(Draws, MistakesNameTheRemedy) {
  const auto place = [](const FamilyOptions& options, Index n) -> std::string {
    try {
      FeatureMap::draw(options, Inputs::plain(n));
    } catch (const Error& error) {
      EXPECT_FALSE(error.hint().empty());
      return error.field();
    }
    return "none";
  };
  EXPECT_EQ(place(with("rw-relu/sparse:2", Sampling::orthogonal, 5), 3), "sampling");
  EXPECT_EQ(place(with("rw-stumps", Sampling::halton, 5), 3), "sampling");
  EXPECT_EQ(place(with("auto", Sampling::sobol, 5), 3), "sampling");
  EXPECT_EQ(place(with("rff-laplace", Sampling::structured, 5), 3), "sampling");
  EXPECT_EQ(place(with("rff-rbf", Sampling::sobol, 1), 5000), "sampling");
  EXPECT_EQ(place(with("rff-rbf", Sampling::leverage, 5), 3), "sampling");
  FamilyOptions options = with("rff-rbf", Sampling::plain, 5);
  options.candidates = 7;
  EXPECT_EQ(place(options, 3), "candidates");
  options.candidates = default_value(0);
  options.sampling_lambda = 0.1;
  EXPECT_EQ(place(options, 3), "sampling_lambda");
  options.sampling_lambda.reset();
  options.sampling_rho = 2;
  EXPECT_EQ(place(options, 3), "sampling_rho");
  options.sampling_rho = default_value(1);
}

// Variables with shares 4, 2, 1, 1, 0: stumps in proportion, sparse subsets as sequential draws without replacement.
TEST(Draws, VariablesAreDrawnByTheirShares) {
  Inputs inputs = Inputs::plain(5);
  inputs.shares = {4, 2, 1, 1, 0};
  const auto counts = [&](const char* family) {
    std::vector<double> result(5);
    const FeatureMap map = FeatureMap::draw(with(family, Sampling::plain, 20000), inputs);
    const Centres& centres = map.parts().front().centres;
    for (const Index group : centres.group_of)
      for (const Index column : centres.groups[static_cast<std::size_t>(group)].columns)
        result[static_cast<std::size_t>(column)] += 1.0 / 20000;
    return result;
  };
  const std::vector<double> stumps = counts("rks-stumps");
  for (std::size_t v = 0; v < 5; ++v) EXPECT_NEAR(stumps[v], inputs.shares[v] / 8, 0.02) << v;
  EXPECT_EQ(counts("rks-relu/sparse:2")[4], 0);
  // Of the first subsets of many pools: P(0) = 4/8 + 2/8·4/6 + 2·1/8·4/7.
  double with_first = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    FamilyOptions options = with("rks-relu/sparse:2", Sampling::plain, 1, seed);
    options.pool = 1;
    with_first += FeatureMap::draw(options, inputs).parts().front().centres.groups[0].columns[0] == 0 ? 1.0 / 4000 : 0;
  }
  EXPECT_NEAR(with_first, 0.5 + 1.0 / 6 + 1.0 / 7, 0.025);
}

}  // namespace
}  // namespace weft
