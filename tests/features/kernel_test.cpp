// G, M, K_X and the constants against Monte Carlo and against each other.
#include <weft/feature_map.hpp>

#include "compute/weight_kernel.hpp"
#include "dense_algebra.hpp"
#include "features/random_block.hpp"
#include "features/truth.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>

namespace weft {

using namespace detail;
namespace {

using testing::random_block;
using testing::test_name;

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

RowMatrix to_eigen(const Matrix& m) {
  return Eigen::Map<const RowMatrix>(m.data(), m.rows(), m.cols());
}

FamilyOptions with(const std::string& family, Index features = 6) {
  FamilyOptions options;
  options.family = family;
  options.features = features;
  options.sigma = 0.8;
  options.gamma = 1.3;
  options.pool = 3;
  options.seed = 4;
  return options;
}

/// Draws (w, w2) of a family as dense vectors over all inputs, for Monte Carlo.
struct Sampler {
  const FeatureMap& map;
  const FeaturePart& part = map.parts().front();
  Random group_random{91, RandomStream::subset_choice};
  Random normal{91, RandomStream::centres};
  Random phase{91, RandomStream::phases};

  Index group(std::uint64_t i, std::uint32_t which) const {
    return group_random.below(static_cast<Index>(part.centres.groups.size()), i, which);
  }
  std::vector<double> weights(std::uint64_t i, std::uint32_t which, Index g) const {
    std::vector<double> w;
    const auto size = static_cast<std::uint32_t>(part.dimension(g));
    const bool cauchy = part.family.law == Law::cauchy;
    for (std::uint32_t j = which * 64; j < which * 64 + size; ++j)
      w.push_back(part.sigma * (cauchy ? normal.cauchy(i, j) : normal.normal(i, j)));
    return w;
  }
  double feature(const std::vector<double>& w, Index g, const Matrix& x, Index i, double b) const {
    const auto& columns = part.centres.groups[static_cast<std::size_t>(g)].columns;
    double z = b;
    if (part.family.projection.kind == Projection::Kind::axis)
      z += x(columns[0], i) - w[0];
    else
      for (std::size_t j = 0; j < w.size(); ++j) z += w[j] * x(columns[j], i);
    return part.family.amplitude * part.family.activation->value(z);
  }
};

class WeightedFamily : public ::testing::TestWithParam<std::string> {};
class ImplicitKernel : public ::testing::TestWithParam<std::string> {};

TEST_P(WeightedFamily, L2GramMatchesMonteCarlo) {
  const FeatureMap map = FeatureMap::draw(with(GetParam()), Inputs::plain(3));
  const Sampler sampler{map};
  const Centres& centres = sampler.part.centres;
  const Matrix m = map.l2_gram();
  for (const auto& pair : {std::pair<Index, Index>{0, 0}, {0, 1}, {2, 4}, {3, 5}}) {
    const Index s = pair.first, t = pair.second;
    const auto estimate = truth::monte_carlo(100000, [&](std::uint64_t i) {
      const Index g = sampler.group(i, 0);
      if (centres.group_of[static_cast<std::size_t>(s)] != g || centres.group_of[static_cast<std::size_t>(t)] != g)
        return 0.0;
      const auto w = sampler.weights(i, 0, g);
      const auto n = static_cast<Index>(w.size());
      return truth::kernel(sampler.part, centres.weights.row(s), w.data(), n) *
             truth::kernel(sampler.part, centres.weights.row(t), w.data(), n);
    });
    EXPECT_NEAR(m(s, t), estimate.mean, 5 * estimate.error + 1e-15) << s << "," << t;
  }
}

TEST_P(WeightedFamily, GramIsTheKernelSymmetricAndPositive) {
  const FeatureMap map = FeatureMap::draw(with(GetParam(), 40), Inputs::plain(3));
  const Centres& centres = map.parts().front().centres;
  const Matrix gram = map.gram();
  for (Index s = 0; s < 40; ++s)
    for (Index t = 0; t < 40; ++t) {
      const bool meet = centres.group_of[static_cast<std::size_t>(s)] == centres.group_of[static_cast<std::size_t>(t)];
      const double expected = meet ? truth::kernel(map.parts().front(), centres.weights.row(s), centres.weights.row(t),
                                                   centres.weights.cols())
                                   : 0;
      EXPECT_NEAR(gram(s, t), expected, 1e-12 * (1 + expected));
      EXPECT_EQ(gram(s, t), gram(t, s));
    }
  for (const Matrix& matrix : {gram, map.l2_gram()}) {
    const Eigen::VectorXd values = testing::eigenvalues(to_eigen(matrix));
    EXPECT_GT(values(0), -1e-12 * values(values.size() - 1));
  }
}

TEST_P(WeightedFamily, ScaledGramsAreTheGramsDividedByAmplitudes) {
  const FeatureMap map = FeatureMap::draw(with(GetParam(), 20), Inputs::plain(3));
  const std::vector<double> logs = map.log_amplitudes();
  const Matrix gram = map.gram(), scaled = map.scaled_gram(0.7), l2 = map.l2_gram(),
               l2_scaled = map.scaled_l2_gram(0.7);
  for (std::size_t s = 0; s < 20; ++s)
    for (std::size_t t = 0; t < 20; ++t) {
      const auto i = static_cast<Index>(s), j = static_cast<Index>(t);
      const double factor = std::exp(2 * 0.7 - logs[s] - logs[t]);
      EXPECT_NEAR(scaled(i, j), gram(i, j) * factor, 1e-11 * std::abs(scaled(i, j)) + 1e-300);
      EXPECT_NEAR(l2_scaled(i, j), l2(i, j) * factor, 1e-11 * std::abs(l2_scaled(i, j)) + 1e-300);
    }
}

TEST_P(ImplicitKernel, MatchesMonteCarlo) {
  const FeatureMap map = FeatureMap::draw(with(GetParam()), Inputs::plain(3));
  const Sampler sampler{map};
  const bool none = sampler.part.family.kernel.none();
  const Matrix x = random_block(3, 4, 8);
  const Matrix k = map.implicit_kernel(x, x);
  for (const auto& pair : {std::pair<Index, Index>{0, 0}, {0, 1}, {2, 3}}) {
    const Index a = pair.first, b = pair.second;
    const auto estimate = truth::monte_carlo(150000, [&](std::uint64_t i) {
      const Index g = sampler.group(i, 0);
      const auto u = sampler.weights(i, 0, g);
      const double phase = sampler.part.phase ? *sampler.part.phase : 2 * std::numbers::pi * sampler.phase.uniform(i);
      if (none) return sampler.feature(u, g, x, a, phase) * sampler.feature(u, g, x, b, phase);
      if (sampler.group(i, 1) != g) return 0.0;
      const auto w = sampler.weights(i, 1, g);
      return truth::kernel(sampler.part, u.data(), w.data(), static_cast<Index>(w.size())) *
             sampler.feature(u, g, x, a, phase) * sampler.feature(w, g, x, b, phase);
    });
    EXPECT_NEAR(k(a, b), estimate.mean, 5 * estimate.error + 1e-15) << a << "," << b;
  }
}

TEST_P(ImplicitKernel, IsSymmetricPositiveSemidefinite) {
  const FeatureMap map = FeatureMap::draw(with(GetParam()), Inputs::plain(3));
  const Matrix x = random_block(3, 40, 9);
  const RowMatrix k = to_eigen(map.implicit_kernel(x, x));
  EXPECT_LT((k - k.transpose()).cwiseAbs().maxCoeff(), 1e-13 * k.cwiseAbs().maxCoeff());
  const Eigen::VectorXd values = testing::eigenvalues(k);
  EXPECT_GT(values(0), -1e-11 * values(values.size() - 1));
}

// Pairs of values that repeat are computed once per block of rows: entries are those of single rows, to the last bit.
TEST(ImplicitKernelOfStumps, RepeatedValuesHaveTheEntriesOfSingleRows) {
  Matrix x = random_block(3, 150, 11);
  for (Index i = 0; i < x.cols(); ++i) {
    x(0, i) = static_cast<double>(i % 3) - 1;
    x(1, i) = i % 2 == 0 ? 0.0 : -0.0;
  }
  for (const char* family : {"rw-stumps", "rks-stumps", "rff-laplace/axis"}) {
    SCOPED_TRACE(family);
    const FeatureMap map = FeatureMap::draw(with(family), Inputs::plain(3));
    const Matrix k = map.implicit_kernel(x, x);
    const View<const double> rows = x;
    for (const Index i : {0, 1, 63, 64, 149})
      for (Index j = 0; j < x.cols(); ++j)
        EXPECT_EQ(k(i, j), map.implicit_kernel(rows.col_range(i, 1), rows.col_range(j, 1))(0, 0)) << i << "," << j;
  }
}

// Φ G⁻¹ Φᵀ (kernel none: ΦΦᵀ/T) is the projection of K_X on T centres: it approaches K_X as T grows.
TEST_P(ImplicitKernel, IsTheLimitOfManyCentres) {
  const Matrix x = random_block(3, 6, 10);
  double previous = 1e300;
  double last = 0;
  const FeatureMap any = FeatureMap::draw(with(GetParam(), 1), Inputs::plain(3));
  const RowMatrix k = to_eigen(any.implicit_kernel(x, x));
  const bool none = any.parts().front().family.kernel.none();
  // Monte Carlo error falls like T^{-1/2}; with a kernel the projection converges far faster.
  const std::vector<Index> counts = none ? std::vector<Index>{50, 3200, 204800} : std::vector<Index>{4, 40, 400};
  for (const Index count : counts) {
    const FeatureMap map = FeatureMap::draw(with(GetParam(), count), Inputs::plain(3));
    Matrix phi_block(count, 6);
    map.values(x, phi_block);
    const RowMatrix phi = to_eigen(phi_block);
    RowMatrix approximation;
    if (none) {
      approximation = phi.transpose() * phi / static_cast<double>(count);
    } else {
      RowMatrix gram = to_eigen(map.gram());
      gram.diagonal() *= 1 + 1e-12;
      approximation = phi.transpose() * testing::solve_symmetric(gram, phi);
    }
    last = (approximation - k).norm() / k.norm();
    EXPECT_LT(last, previous) << count;
    previous = last;
  }
  EXPECT_LT(last, none ? 0.02 : 0.1);
}

std::vector<std::string> weighted() {
  return {"rw-sign",   "rw-relu", "rw-exp-sign",      "rw-exp-relu",
          "rw-stumps", "rw-cos",  "rw-sign/sparse:2", "rw-exp-relu/sparse:2"};
}
std::vector<std::string> with_plain() {
  auto names = weighted();
  for (const char* name :
       {"rks-sign", "rks-relu", "rks-cos", "rks-stumps", "rks-relu/sparse:2", "rw-step", "rw-abs", "rw-erf",
        "rw-gaussian", "rw-sin", "rw-relu/axis", "rff-rbf", "rff-laplace", "rff-laplace/sparse:2", "rff-laplace/axis"})
    names.emplace_back(name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Families, WeightedFamily, ::testing::ValuesIn(weighted()),
                         [](const auto& tested) { return test_name(tested.param); });
INSTANTIATE_TEST_SUITE_P(Families, ImplicitKernel, ::testing::ValuesIn(with_plain()),
                         [](const auto& tested) { return test_name(tested.param); });

double relative_gap(double a, double b) {
  return std::abs(a - b) / std::abs(b);
}

// relu is homogeneous: ⟨cw, x⟩ = c⟨w, x⟩ and K depends on w/γ alone, so K_X(cσ, cγ) = c²K_X(σ, γ).
TEST(LimitKernel, IsHomogeneousHoweverWideTheWeights) {
  const Matrix x = random_block(2, 4, 3);
  for (const double ratio : {1e-6, 1.0, 1e6}) {
    const auto kernel = [&](double c) {
      FamilyOptions options = with("rw-relu");
      options.sigma = c * ratio;
      options.gamma = c;
      return FeatureMap::draw(options, Inputs::plain(2)).implicit_kernel(x, x);
    };
    const Matrix one = kernel(1);
    const Matrix seven = kernel(7);
    for (Index i = 0; i < 4; ++i)
      for (Index j = 0; j < 4; ++j) EXPECT_LT(relative_gap(seven(i, j), 49 * one(i, j)), 1e-11) << ratio;
  }
  FamilyOptions narrow = with("rw-exp-relu");
  narrow.gamma = narrow.sigma / std::sqrt(2.0) * (1 - 1e-12);
  const FeatureMap map = FeatureMap::draw(narrow, Inputs::plain(2));
  EXPECT_THROW(map.implicit_kernel(x, x), Error);
}

TEST(LimitKernel, OfSignsKnowsDirectionsOnly) {
  const Matrix x = random_block(3, 4, 5);
  for (const char* family : {"rw-sign", "rw-sign/sparse:2", "rw-exp-sign"}) {
    const FeatureMap map = FeatureMap::draw(with(family), Inputs::plain(3));
    const Matrix expected = map.implicit_kernel(x, x);
    for (const double scale : {1e-90, 1e90}) {
      Matrix scaled = x;
      for (Index k = 0; k < 12; ++k) scaled.data()[k] *= scale;
      const Matrix kernel = map.implicit_kernel(scaled, scaled);
      for (Index i = 0; i < 4; ++i)
        for (Index j = 0; j < 4; ++j) EXPECT_NEAR(kernel(i, j), expected(i, j), 1e-12) << family << " " << scale;
    }
  }
}

// sqrt(v)·sqrt(v') scales a dual of degree one without leaving the doubles on the way.
TEST(Duals, OfHugeAndTinyVariancesStayAccurate) {
  for (const char* name : {"relu", "leaky-relu", "abs", "identity"}) {
    const ActivationPtr h = find_activation(name);
    for (const double scale : {1e-180, 1e180})
      EXPECT_LT(relative_gap(h->dual(2 * scale, 3 * scale, 0.4), scale * h->dual(2, 3, 0.4)), 1e-13) << name;
  }
  const double huge = 1e180;
  EXPECT_EQ(find_activation("gaussian")->dual(huge, huge, 0.5), 0);
  EXPECT_NEAR(find_activation("gaussian")->dual(huge, huge, 1) * std::sqrt(2 * huge), 1, 1e-14);
  EXPECT_NEAR(find_activation("erf")->dual(huge, huge, 1), 1, 1e-7);
  EXPECT_NEAR(find_activation("erf")->dual(huge, huge, 0.5), 1.0 / 3, 1e-14);
}

// K_X and the constants belong to the families of a union, however many centres each would get.
TEST(WithoutCentres, HasTheKernelAndTheConstantsOfAnyDraw) {
  const Matrix x = random_block(3, 5, 8);
  for (const char* family : {"rw-relu", "rw-sign:4+rks-cos", "rw-stumps:30+rw-relu/sparse:2", "auto"}) {
    FamilyOptions options = with(family, 100);
    options.gamma.reset();
    const FeatureMap map = FeatureMap::without_centres(options, Inputs::plain(3));
    const FeatureMap drawn = FeatureMap::draw(options, Inputs::plain(3));
    EXPECT_EQ(map.features(), 0);
    const Matrix kernel = map.implicit_kernel(x, x);
    const Matrix expected = drawn.implicit_kernel(x, x);
    EXPECT_TRUE(std::equal(kernel.data(), kernel.data() + 25, expected.data())) << family;
    EXPECT_EQ(map.constants(1.0).theta, drawn.constants(1.0).theta) << family;
  }
}

TEST(Constants, SignHasTheValuesWorkedOutByHand) {
  const Constants c = FeatureMap::draw(with("rw-sign"), Inputs::plain(3)).constants(std::nullopt);
  EXPECT_NEAR(*c.theta_bound, 0.655, 5e-4);
  EXPECT_NEAR(*c.theta, 0.276, 5e-4);
  EXPECT_NEAR(*c.kappa, 1, 1e-15);
  EXPECT_NEAR(c.tau, 1, 1e-15);
}

TEST(Constants, FollowThePapersTable) {
  const double s = 0.8, g = 1.3, ratio = s * s / (g * g), radius = 2;
  const Index n = 3;
  const auto constants = [&](const std::string& family) {
    return FeatureMap::draw(with(family), Inputs::plain(n)).constants(radius);
  };
  const Constants relu = constants("rw-relu");
  EXPECT_NEAR(*relu.theta_bound, s / std::sqrt(2 * std::numbers::pi) * radius * std::pow(1 + 2 * ratio, -0.5), 1e-14);
  EXPECT_NEAR(*relu.kappa, s / std::sqrt(2.0) * radius, 1e-14);
  const Constants exp_sign = constants("rw-exp-sign");
  EXPECT_NEAR(*exp_sign.theta_bound, std::pow(1 - ratio / 2, -1.5), 1e-13);
  EXPECT_NEAR(*exp_sign.kappa, std::pow(1 - ratio, -0.75), 1e-13);
  const Constants exp_relu = constants("rw-exp-relu");
  EXPECT_NEAR(*exp_relu.theta_bound, s / std::sqrt(2 * std::numbers::pi) * radius / (1 - ratio / 2), 1e-13);
  EXPECT_NEAR(*exp_relu.kappa, s / std::sqrt(2.0) * radius * std::pow(1 - ratio, -1.25), 1e-13);
  const Constants stumps = constants("rw-stumps");
  EXPECT_NEAR(*stumps.theta_bound, std::pow(3.0, -0.5) * std::pow(1 + 2 * ratio, -0.25), 1e-14);
  EXPECT_NEAR(*stumps.kappa, 1, 1e-13);
  for (const Constants& c : {relu, exp_sign, exp_relu, stumps}) {
    EXPECT_LE(*c.theta, *c.theta_bound * (1 + 1e-12));
    EXPECT_LE(*c.theta, *c.kappa);
  }
}

TEST(Constants, ExactThetaBoundsEveryFeatureNormOnTheData) {
  // θ² = sup_x K_X(x, x): over given rows it is the largest diagonal entry, and below the supremum over the ball.
  const Matrix x = random_block(3, 50, 12);
  double radius = 0;
  for (Index i = 0; i < 50; ++i)
    radius = std::max(radius, std::sqrt(x(0, i) * x(0, i) + x(1, i) * x(1, i) + x(2, i) * x(2, i)));
  for (const char* family :
       {"rw-sign", "rw-relu", "rw-stumps", "rw-cos", "rw-exp-relu", "rw-relu/sparse:2", "rw-sign+rw-stumps"}) {
    FamilyOptions options = with(family);
    const FeatureMap map = FeatureMap::draw(options, Inputs::plain(3));
    const Matrix k = map.implicit_kernel(x, x);
    double largest = 0, mean = 0;
    for (Index i = 0; i < 50; ++i) {
      largest = std::max(largest, k(i, i));
      mean += k(i, i) / 50;
    }
    const Constants on_rows = map.constants(x.view());
    const Constants on_ball = map.constants(radius);
    if (map.parts().size() == 1) {
      EXPECT_NEAR(*on_rows.theta * *on_rows.theta, largest, 1e-12 * largest) << family;
    }
    EXPECT_NEAR(on_rows.theta_mean.value(), std::sqrt(mean), 1e-12 * std::sqrt(mean)) << family;
    EXPECT_FALSE(on_ball.theta_mean);
    EXPECT_LE(on_rows.tau_mean.value(), on_rows.tau * (1 + 1e-12)) << family;
    EXPECT_GE(*on_rows.theta * (1 + 1e-12), std::sqrt(largest)) << family;
    EXPECT_LE(*on_rows.theta, *on_ball.theta * (1 + 1e-9)) << family;
    EXPECT_LE(on_rows.tau, on_ball.tau * (1 + 1e-9)) << family;
  }
}

TEST(Constants, WithoutARadiusBoundedActivationsAreSearchedEverywhere) {
  FamilyOptions options = with("rw-erf");
  options.sigma = 0.01;
  options.gamma = 1;
  // erf saturates far out: E[erf²] → 1, and K_X tends to the kernel of sign.
  const Constants erf = FeatureMap::draw(options, Inputs::plain(2)).constants(std::nullopt);
  EXPECT_NEAR(*erf.kappa, 1, 1e-6);
  options.family = "rw-sign";
  EXPECT_NEAR(*erf.theta, *FeatureMap::draw(options, Inputs::plain(2)).constants(std::nullopt).theta, 1e-6);
  // E[sin²(z)] = ½(1 − e^{−2V}) → ½, and K_X(x, x) = Z e^{−V} sinh(rV) is largest where tanh(rV) = r.
  options.family = "rw-sin";
  const FeatureMap sin = FeatureMap::draw(options, Inputs::plain(2));
  const detail::JointLaw law = detail::joint_law_of(sin.parts()[0].family.kernel, 0.01, 1);
  const double peak = std::atanh(law.r) / law.r;
  EXPECT_NEAR(*sin.constants(std::nullopt).kappa, std::sqrt(0.5), 1e-6);
  EXPECT_NEAR(*sin.constants(std::nullopt).theta,
              std::sqrt(std::exp(2 * law.log_z_per_dim - peak) * std::sinh(law.r * peak)), 1e-9);
  options.family = "rks-sin/axis";
  EXPECT_NEAR(FeatureMap::draw(options, Inputs::plain(1)).constants(std::nullopt).tau, 1, 1e-3);
}

TEST(Constants, PlainFeaturesHaveNoL2Gram) {
  EXPECT_THROW(FeatureMap::draw(with("rks-relu"), Inputs::plain(3)).l2_gram(), Error);
}

}  // namespace
}  // namespace weft
