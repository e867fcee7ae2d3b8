#include <weft/activation.hpp>

#include "compute/activations/all.hpp"
#include "compute/activations/bivariate_normal.hpp"
#include "compute/cpu/vector_kernels.hpp"
#include "features/truth.hpp"

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

class EveryActivation : public ::testing::TestWithParam<std::string> {
 protected:
  ActivationPtr h_ = find_activation(GetParam());

  double smooth_by_quadrature(double mu, double nu) const {
    const auto f = [&](double t) { return truth::normal_pdf(t, 1) * h_->value(mu + nu * t); };
    const double kink = std::clamp(-mu / nu, -12.0, 12.0);
    double sum = 0;
    for (const auto& [low, high] : {std::pair{-12.0, kink}, std::pair{kink, 12.0}})
      for (int k = 0; k < 16; ++k)
        sum += truth::integrate(f, low + (high - low) * k / 16, low + (high - low) * (k + 1) / 16);
    return sum;
  }
};

TEST_P(EveryActivation, SmoothingMatchesQuadrature) {
  for (const double mu : {-3.0, -0.7, 0.0, 0.2, 1.9})
    for (const double nu : {0.05, 0.8, 2.5})
      EXPECT_NEAR(h_->smooth(mu, nu), smooth_by_quadrature(mu, nu), 1e-12 * (1 + mu * mu + nu * nu))
          << "mu " << mu << " nu " << nu;
}

TEST_P(EveryActivation, SmoothingWithoutSpreadIsTheActivation) {
  for (const double mu : {-2.0, -1e-3, 0.0, 0.5}) {
    EXPECT_EQ(h_->smooth(mu, 0), h_->value(mu));
    const SpreadTerms terms = h_->terms(0);
    double out = 0;
    h_->smooth_block(1, &mu, 0.0, &terms.p, &terms.q, &out);
    EXPECT_NEAR(out, h_->value(mu), 1e-14);
  }
}

TEST_P(EveryActivation, SlopesAreDerivativesOfTheSmoothing) {
  constexpr double kStep = 1e-4;
  for (const double mu : {-3.0, -0.7, 0.0, 0.2, 1.9})
    for (const double nu : {0.3, 0.8, 2.5}) {
      double first = 0, second = 0;
      h_->slope_block(1, &mu, 0.0, &nu, &first, &second);
      const double up = h_->smooth(mu + kStep, nu), down = h_->smooth(mu - kStep, nu), here = h_->smooth(mu, nu);
      EXPECT_NEAR(first, (up - down) / (2 * kStep), 1e-6) << "mu " << mu << " nu " << nu;
      EXPECT_NEAR(second, (up - 2 * here + down) / (kStep * kStep), 1e-5) << "mu " << mu << " nu " << nu;
      EXPECT_NEAR(nu * second, (h_->smooth(mu, nu + kStep) - h_->smooth(mu, nu - kStep)) / (2 * kStep), 1e-6)
          << "mu " << mu << " nu " << nu;
    }
  for (const double mu : {-2.0, 0.5}) {
    const double nu = 0;
    double first = 0, second = 0;
    h_->slope_block(1, &mu, 0.0, &nu, &first, &second);
    EXPECT_NEAR(first, (h_->value(mu + kStep) - h_->value(mu - kStep)) / (2 * kStep), 1e-6) << "mu " << mu;
    EXPECT_TRUE(std::isfinite(second));
  }
}

TEST_P(EveryActivation, DualMatchesMonteCarlo) {
  const Random random(11, RandomStream::noise);
  for (const double rho : {-0.9, -0.2, 0.0, 0.6, 0.99}) {
    const double v = 0.7, v2 = 1.6;
    const auto estimate = truth::monte_carlo(200000, [&](std::uint64_t i) {
      const double a = random.normal(i, 0), b = random.normal(i, 1);
      return h_->value(std::sqrt(v) * a) * h_->value(std::sqrt(v2) * (rho * a + std::sqrt(1 - rho * rho) * b));
    });
    EXPECT_NEAR(h_->dual(v, v2, rho), estimate.mean, 5 * estimate.error + 1e-12) << "rho " << rho;
  }
}

TEST_P(EveryActivation, DualIsTheSmoothingUnderTheIntegral) {
  // E[h(z)h(z')] = E_z[h(z) S_h(E[z'|z], sd[z'|z])], which ties dual, shifted dual and smoothing together to rounding.
  const double v = 0.7, v2 = 1.6, rho = 0.45, m = 0.3, m2 = -0.8;
  const auto by_quadrature = [&](double mean, double mean2) {
    const auto f = [&](double z) {
      return truth::normal_pdf(z - mean, std::sqrt(v)) * h_->value(z) *
             h_->smooth(mean2 + rho * std::sqrt(v2 / v) * (z - mean), std::sqrt(v2 * (1 - rho * rho)));
    };
    return truth::integrate_line(f, 12);
  };
  EXPECT_NEAR(h_->dual(v, v2, rho), by_quadrature(0, 0), 1e-11);
  EXPECT_NEAR(h_->shifted_dual(m, m2, v, v2, rho), by_quadrature(m, m2), 1e-11);
}

TEST_P(EveryActivation, BlocksEqualScalarsWhereverTheyAreCut) {
  const Index n = 203;
  const Random random(3, RandomStream::noise);
  std::vector<double> mu, nu, p, q;
  std::vector<float> mu_f, p_f, q_f;
  for (Index i = 0; i < n; ++i) {
    mu.push_back(3 * random.normal(static_cast<std::uint64_t>(i), 0));
    nu.push_back(0.1 + random.uniform(static_cast<std::uint64_t>(i), 1));
    const SpreadTerms terms = h_->terms(nu.back());
    p.push_back(terms.p);
    q.push_back(terms.q);
    mu_f.push_back(static_cast<float>(mu.back()));
    p_f.push_back(static_cast<float>(terms.p));
    q_f.push_back(static_cast<float>(terms.q));
  }
  std::vector<double> whole(n), pieces(n), values(n);
  std::vector<float> whole_f(n);
  h_->smooth_block(n, mu.data(), 0.25, p.data(), q.data(), whole.data());
  h_->smooth_block(n, mu_f.data(), 0.25F, p_f.data(), q_f.data(), whole_f.data());
  h_->value_block(n, mu.data(), 0.25, values.data());
  for (Index first = 0; first < n; first += 7) {
    const Index count = std::min<Index>(7, n - first);
    h_->smooth_block(count, mu.data() + first, 0.25, p.data() + first, q.data() + first, pieces.data() + first);
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    const double scale = 1 + mu[i] * mu[i];
    EXPECT_EQ(whole[i], pieces[i]);
    EXPECT_NEAR(whole[i], h_->smooth(mu[i] + 0.25, nu[i]), 4e-15 * scale);
    EXPECT_NEAR(whole_f[i], h_->smooth(mu[i] + 0.25, nu[i]), 4e-6 * scale);
    EXPECT_NEAR(values[i], h_->value(mu[i] + 0.25), 4e-15 * scale);
  }
}

INSTANTIATE_TEST_SUITE_P(BuiltIn, EveryActivation, ::testing::ValuesIn(activation_names()), [](const auto& tested) {
  std::string name = tested.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Activation, EveryInstructionSetAgreesWithTheScalarOne) {
  // The sets this processor cannot run are not tried; the names of those that were are in the log.
  std::vector<std::pair<const char*, const InstructionSet*>> sets;
#if defined(WEFT_HAVE_LIBMVEC)
  sets.emplace_back("sse2", &kernels_sse2());
  if (__builtin_cpu_supports("avx2")) sets.emplace_back("avx2", &kernels_avx2());
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
    sets.emplace_back("avx512", &kernels_avx512());
#endif
  const Index n = 4001;
  std::vector<double> mu, expected(n), got(n);
  for (Index i = 0; i < n; ++i) mu.push_back(-10 + 20.0 * static_cast<double>(i) / (n - 1));
  for (const auto& [name, set] : sets) {
    for (int k = 0; k < formula::Activations::kSize; ++k) {
      const SpreadTerms terms = find_activation(activation_names()[static_cast<std::size_t>(k)])->terms(0.9);
      const std::vector<double> p(n, terms.p), q(n, terms.q);
      kernels_scalar().activations[k].in_double.smooth(n, mu.data(), 0, p.data(), q.data(), expected.data());
      set->activations[k].in_double.smooth(n, mu.data(), 0, p.data(), q.data(), got.data());
      for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
        // libmvec promises 4 ulp; relu and abs add two such terms.
        ASSERT_NEAR(got[i], expected[i], 4e-15 * (1 + std::abs(mu[i])))
            << name << " " << activation_names()[static_cast<std::size_t>(k)];
    }
  }
  RecordProperty("in_use", vector_instructions());
}

TEST(Activation, ReluKeepsItsLeftTail) {
  // S/ν at t = μ/ν: pdf(t) + t·cdf(t), from the integral ∫_{-∞}^t cdf(s) ds by quadrature.
  const ActivationPtr relu = find_activation("relu");
  for (const double t : {-2.0, -5.0, -8.0, -10.0}) {
    const double integral = truth::integrate([](double s) { return 0.5 * std::erfc(-s / std::sqrt(2.0)); }, t - 6, t);
    const SpreadTerms terms = relu->terms(1);
    double out = 0;
    relu->smooth_block(1, &t, 0.0, &terms.p, &terms.q, &out);
    EXPECT_NEAR(out / integral, 1, 1e-11) << t;
  }
}

TEST(Activation, CustomMatchesTheClosedFormsItImitates) {
  const auto softened = custom_activation("my-relu", [](double z) { return z > 0 ? z : 0.0; }, {0});
  const auto wave = custom_activation("my-cos", [](double z) { return std::cos(z); });
  for (const double mu : {-1.0, 0.3, 2.0}) {
    EXPECT_NEAR(softened->smooth(mu, 0.9), find_activation("relu")->smooth(mu, 0.9), 1e-13);
    EXPECT_NEAR(wave->smooth(mu, 0.9), find_activation("cos")->smooth(mu, 0.9), 1e-13);
  }
  EXPECT_NEAR(softened->dual(0.7, 1.6, 0.4), find_activation("relu")->dual(0.7, 1.6, 0.4), 1e-12);
  EXPECT_NEAR(softened->dual(0.7, 1.6, 1), find_activation("relu")->dual(0.7, 1.6, 1), 1e-12);
  EXPECT_NEAR(wave->shifted_dual(0.2, -0.4, 0.7, 1.6, 0.4),
              find_activation("cos")->shifted_dual(0.2, -0.4, 0.7, 1.6, 0.4), 1e-12);
}

TEST(Activation, UnknownNameListsTheKnownOnes) {
  try {
    find_activation("tanh");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("leaky-relu"), std::string::npos);
  }
}

TEST(BivariateNormal, MatchesQuadrature) {
  for (const double rho : {-0.95, -0.3, 0.0, 0.5, 0.999})
    for (const double h : {-1.5, 0.0, 0.4, 3.0})
      for (const double k : {-2.0, 0.0, 0.7}) {
        const auto f = [&](double z) {
          return truth::normal_pdf(z, 1) * normal_cdf((k - rho * z) / std::sqrt(1 - rho * rho));
        };
        double sum = 0;
        for (int i = 0; i < 24; ++i) sum += truth::integrate(f, -12 + (h + 12) * i / 24, -12 + (h + 12) * (i + 1) / 24);
        EXPECT_NEAR(bivariate_normal_cdf(h, k, rho), sum, 1e-13) << h << " " << k << " " << rho;
      }
  EXPECT_EQ(bivariate_normal_cdf(0.3, 0.9, 1), normal_cdf(0.3));
  EXPECT_NEAR(bivariate_normal_cdf(0.3, 0.9, -1), normal_cdf(0.3) + normal_cdf(0.9) - 1, 1e-15);
}

}  // namespace
}  // namespace weft
