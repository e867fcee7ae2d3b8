#include <weft/learned_activation.hpp>

#include <weft/error.hpp>

#include "features/truth.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <boost/math/quadrature/gauss.hpp>

namespace weft {

using namespace detail;
namespace {

std::vector<double> wavy(Index count) {
  std::vector<double> a;
  for (Index i = 0; i < count; ++i) a.push_back(std::sin(1.3 * static_cast<double>(i) + 0.4) + 0.2);
  return a;
}

/// The B-spline of the degree on knots 0, 1, …, degree + 1 by its definition with truncated powers.
double truncated_power_spline(double t, Index degree) {
  double sum = 0, binomial = 1, factorial = 1;
  for (Index k = 1; k <= degree; ++k) factorial *= static_cast<double>(k);
  for (Index k = 0; k <= degree + 1; ++k) {
    const double base = t - static_cast<double>(k);
    if (base > 0) sum += (k % 2 == 0 ? 1 : -1) * binomial * std::pow(base, static_cast<double>(degree));
    binomial = binomial * static_cast<double>(degree + 1 - k) / static_cast<double>(k + 1);
  }
  return sum / factorial;
}

double truth_value(const LearnedActivation& h, double z) {
  const ActivationBasis& basis = h.basis();
  double sum = 0;
  for (Index i = 0; i < basis.count; ++i) {
    const double t = z - basis.centre(i);
    const double bump =
        basis.kind == ActivationBasis::Kind::rbf
            ? std::exp(-t * t / (2 * basis.width * basis.width))
            : truncated_power_spline(t / basis.step + 0.5 * static_cast<double>(basis.degree + 1), basis.degree);
    sum += h.coefficients()[static_cast<std::size_t>(i)] * bump;
  }
  return sum;
}

class EveryBasis : public ::testing::TestWithParam<int> {
 protected:
  // 0: rbf, 1 … 5: B-splines of that degree.
  static ActivationBasis basis() {
    const int degree = GetParam();
    return degree == 0 ? ActivationBasis::rbf(-3, 2, 9, 0.7) : ActivationBasis::bspline(-3, 2, 9, degree);
  }
  LearnedActivation h_{basis(), wavy(9)};
};

TEST_P(EveryBasis, ValuesFollowTheDefinition) {
  EXPECT_NEAR(h_.basis().low(), -3, 1e-14);
  EXPECT_NEAR(h_.basis().high(), 2, 1e-14);
  for (double z = -8; z < 7; z += 0.173) EXPECT_NEAR(h_.value(z), truth_value(h_, z), 1e-11) << z;
}

TEST_P(EveryBasis, SmoothingEqualsQuadrature) {
  for (const double nu : {0.01, 0.2, 0.9, 2.5, 9.0, 60.0})
    for (const double mu : {-7.0, -2.9, 0.13, 1.5, 4.0}) {
      // Pieces between knots and half a deviation wide: twenty nodes are exact there.
      std::vector<double> cuts = h_.kinks();
      const double low = cuts.front() - 8, high = cuts.back() + 8;
      cuts.insert(cuts.end(), {low, high});
      for (int k = -20; k <= 20; ++k) cuts.push_back(std::clamp(mu + 0.5 * k * nu, low, high));
      std::sort(cuts.begin(), cuts.end());
      double sum = 0;
      for (std::size_t k = 1; k < cuts.size(); ++k)
        sum += boost::math::quadrature::gauss<double, 20>::integrate(
            [&](double z) { return truth_value(h_, z) * truth::normal_pdf(z - mu, nu); }, cuts[k - 1], cuts[k]);
      EXPECT_NEAR(h_.smooth(mu, nu), sum, 1e-11) << "mu " << mu << " nu " << nu;
    }
  EXPECT_EQ(h_.smooth(0.3, 0), h_.value(0.3));
}

TEST_P(EveryBasis, BlocksEqualSingleValuesHoweverTheyAreCut) {
  const Index n = 700;
  std::vector<double> z, p, q, values(n), smooths(n), again(n);
  std::vector<float> z_single, out_single(n), p_single, q_single;
  for (Index i = 0; i < n; ++i) {
    z.push_back(-6 + 12.0 * static_cast<double>(i) / n);
    const SpreadTerms terms = h_.terms(0.1 + 0.002 * static_cast<double>(i));
    p.push_back(terms.p);
    q.push_back(terms.q);
    z_single.push_back(static_cast<float>(z.back()));
    p_single.push_back(static_cast<float>(terms.p));
    q_single.push_back(static_cast<float>(terms.q));
  }
  h_.value_block(n, z.data(), 0.25, values.data());
  h_.smooth_block(n, z.data(), 0.25, p.data(), q.data(), smooths.data());
  h_.smooth_block(n, z_single.data(), 0.25F, p_single.data(), q_single.data(), out_single.data());
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    EXPECT_NEAR(values[i], h_.value(z[i] + 0.25), 1e-13);
    EXPECT_NEAR(smooths[i], h_.smooth(z[i] + 0.25, 0.1 + 0.002 * static_cast<double>(i)), 1e-13);
    EXPECT_NEAR(static_cast<double>(out_single[i]), smooths[i], 2e-5);
  }
  for (Index first = 0; first < n; first += 77)
    h_.value_block(std::min<Index>(77, n - first), z.data() + first, 0.25, again.data() + first);
  EXPECT_EQ(values, again);
}

TEST_P(EveryBasis, DualEqualsMonteCarlo) {
  const Random random(3, RandomStream::noise);
  const double v = 0.8, v2 = 2.1, rho = 0.6;
  double sum = 0, squares = 0;
  const int draws = 40000;
  for (int k = 0; k < draws; ++k) {
    const double g = random.normal(static_cast<std::uint64_t>(k), 0);
    const double g2 = rho * g + std::sqrt(1 - rho * rho) * random.normal(static_cast<std::uint64_t>(k), 1);
    const double product = h_.value(std::sqrt(v) * g) * h_.value(std::sqrt(v2) * g2);
    sum += product;
    squares += product * product;
  }
  const double mean = sum / draws;
  const double error = std::sqrt((squares / draws - mean * mean) / draws);
  EXPECT_NEAR(h_.dual(v, v2, rho), mean, 5 * error);
}

INSTANTIATE_TEST_SUITE_P(Bases, EveryBasis, ::testing::Range(0, 6));

TEST(LearnedActivation, BasisFunctionsAddUpToTheActivation) {
  const ActivationBasis basis = ActivationBasis::bspline(-1, 1, 6, 2);
  const LearnedActivation h(basis, wavy(6));
  for (const double z : {-1.2, -0.4, 0.0, 0.77, 1.3}) {
    double sum = 0, ones = 0;
    for (Index i = 0; i < basis.count; ++i) {
      const double bump = LearnedActivation::basis_function(basis, i)->value(z);
      sum += h.coefficients()[static_cast<std::size_t>(i)] * bump;
      ones += bump;
    }
    EXPECT_NEAR(h.value(z), sum, 1e-14);
    if (std::abs(z) <= 1) {
      EXPECT_NEAR(ones, 1, 1e-14);
    }
  }
  EXPECT_EQ(h.value(40), 0);
  EXPECT_EQ(h.smooth(-400, 0.5), 0);
}

TEST(LearnedActivation, RefusesWhatIsNoBasis) {
  EXPECT_THROW(ActivationBasis::rbf(-1, 1, 1), Error);
  EXPECT_THROW(ActivationBasis::rbf(1, 1, 5), Error);
  EXPECT_THROW(ActivationBasis::rbf(2, 1, 5), Error);
  EXPECT_THROW(ActivationBasis::rbf(-1, 1, 5, 0.0), Error);
  EXPECT_THROW(ActivationBasis::rbf(-1, 1, 5, -2.0), Error);
  EXPECT_THROW(ActivationBasis::bspline(-1, 1, 3, 3), Error);
  EXPECT_THROW(ActivationBasis::bspline(-1, 1, 9, 6), Error);
  EXPECT_THROW(LearnedActivation(ActivationBasis::rbf(-1, 1, 5), {1, 2}), Error);
  EXPECT_THROW(LearnedActivation(ActivationBasis::rbf(-1, 1, 2), {1, NAN}), Error);
  EXPECT_THROW(parse_family("rks-learned"), Error);
}

TEST(LearnedActivation, IsAnActivationOfEveryFamily) {
  const auto h = std::make_shared<LearnedActivation>(ActivationBasis::bspline(-4, 4, 10, 3), wavy(10));
  const Inputs inputs = Inputs::plain(3, true);
  const Matrix x = [] {
    Matrix values(4, 1);
    for (Index j = 0; j < 4; ++j) values(j, 0) = 0.4 * static_cast<double>(j) - 0.3;
    return values;
  }();
  FamilyOptions options;
  options.family = "rw-learned";
  options.features = 3;
  options.gamma = 1.5;
  const FeatureMap map = FeatureMap::draw(options, inputs, h);
  EXPECT_EQ(map.parts().front().family.name(), "rw-learned");
  Matrix phi(3, 1), projections(3, 1), again(3, 1);
  map.values(x, phi.view());
  for (Index t = 0; t < 3; ++t) {
    const double* w = map.parts().front().centres.weights.row(t);
    EXPECT_NEAR(phi(t, 0),
                truth::dense_feature(map.parts().front(), {w, w + 4}, {x(0, 0), x(1, 0), x(2, 0), x(3, 0)}, 0), 1e-8);
  }
  options.family = "rw-relu";
  const FeatureMap other = FeatureMap::draw(options, inputs);
  map.smoothings(x, phi.view());
  other.project(x, projections.view());
  other.activate_projected(x, projections, *h, again.view());
  for (Index t = 0; t < 3; ++t) EXPECT_NEAR(again(t, 0), phi(t, 0), 1e-14);
  other.with_activation(h).smoothings(x, again.view());
  for (Index t = 0; t < 3; ++t) EXPECT_EQ(again(t, 0), phi(t, 0));
}

}  // namespace
}  // namespace weft
