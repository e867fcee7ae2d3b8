#include <weft/activation.hpp>

#include <weft/error.hpp>

#include "compute/activations/all.hpp"
#include "compute/cpu/vector_kernels.hpp"
#include "features/quadrature.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft {

using namespace detail;

namespace {

template <class Terms>
void fill_terms(Index n, const double* nu, double* p, double* q, Terms&& terms) {
  for (Index i = 0; i < n; ++i) {
    const auto t = terms(nu[i]);
    p[i] = t.p;
    q[i] = t.q;
  }
}

// Finite: the inverse spread of an all-zero row is huge, and 0·∞ would be NaN.
float finite_float(double term) {
  constexpr double kLimit = std::numeric_limits<float>::max() / 4;
  return static_cast<float>(std::clamp(term, -kLimit, kLimit));
}

template <class Formula>
class BuiltIn final : public Activation {
 public:
  explicit BuiltIn(const KernelSet& kernels) : kernels_(kernels) {}

  std::string name() const override { return Formula::kName; }
  double value(double z) const override { return Formula::value(z); }
  double smooth(double mu, double nu) const override {
    if (nu == 0) return value(mu);
    const SpreadTerms spread = terms(nu);
    return Formula::smooth(mu, spread.p, spread.q);
  }
  bool smooth_is_closed_form() const override { return true; }
  double dual(double v, double v2, double rho) const override { return Formula::dual(v, v2, rho); }
  bool dual_is_closed_form() const override { return true; }
  double shifted_dual(double m, double m2, double v, double v2, double rho) const override {
    if constexpr (requires { Formula::shifted_dual(m, m2, v, v2, rho); })
      return Formula::shifted_dual(m, m2, v, v2, rho);
    else
      return m == 0 && m2 == 0 ? dual(v, v2, rho) : Activation::shifted_dual(m, m2, v, v2, rho);
  }
  std::vector<double> kinks() const override { return Formula::kinks(); }

  SpreadTerms terms(double nu) const override {
    const formula::Terms<double> spread = Formula::terms(nu);
    return {spread.p, spread.q};
  }
  void terms_block(Index n, const double* nu, double* p, double* q) const override {
    fill_terms(n, nu, p, q, [](double spread) { return Formula::terms(spread); });
  }
  void terms_block(Index n, const float* nu, float* p, float* q) const override { kernels_.terms(n, nu, p, q); }
  void value_block(Index n, const double* z, double offset, double* out) const override {
    kernels_.in_double.value(n, z, offset, out);
  }
  void value_block(Index n, const float* z, float offset, float* out) const override {
    kernels_.in_float.value(n, z, offset, out);
  }
  void smooth_block(Index n, const double* mu, double offset, const double* p, const double* q,
                    double* out) const override {
    kernels_.in_double.smooth(n, mu, offset, p, q, out);
  }
  void smooth_block(Index n, const float* mu, float offset, const float* p, const float* q, float* out) const override {
    kernels_.in_float.smooth(n, mu, offset, p, q, out);
  }
  void slope_block(Index n, const double* mu, double offset, const double* nu, double* first,
                   double* second) const override {
    kernels_.slopes(n, mu, offset, nu, first, second);
  }

 private:
  const KernelSet& kernels_;
};

template <class... Rows>
std::vector<ActivationPtr> make_built_ins(formula::Table<Rows...>) {
  const KernelSet* kernels = chosen_kernels().set->activations;
  return {std::make_shared<BuiltIn<Rows>>(*kernels++)...};
}

const std::vector<ActivationPtr>& built_ins() {
  static const std::vector<ActivationPtr> all = make_built_ins(formula::Activations{});
  return all;
}

class Custom final : public Activation {
 public:
  Custom(std::string name, std::function<double(double)> h, std::vector<double> kinks)
      : name_(std::move(name)), h_(std::move(h)), kinks_(std::move(kinks)) {}

  std::string name() const override { return name_; }
  double value(double z) const override { return h_(z); }
  double smooth(double mu, double nu) const override { return normal_expectation(h_, mu, nu, kinks_); }
  bool smooth_is_closed_form() const override { return false; }
  double dual(double v, double v2, double rho) const override { return shifted_dual(0, 0, v, v2, rho); }
  bool dual_is_closed_form() const override { return false; }
  std::vector<double> kinks() const override { return kinks_; }

  SpreadTerms terms(double nu) const override { return {nu, 0}; }
  void value_block(Index n, const double* z, double offset, double* out) const override { values(n, z, offset, out); }
  void value_block(Index n, const float* z, float offset, float* out) const override { values(n, z, offset, out); }
  void smooth_block(Index n, const double* mu, double offset, const double* p, const double*,
                    double* out) const override {
    smooths(n, mu, offset, p, out);
  }
  void smooth_block(Index n, const float* mu, float offset, const float* p, const float*, float* out) const override {
    smooths(n, mu, offset, p, out);
  }

 private:
  template <class Real>
  void values(Index n, const Real* z, Real offset, Real* out) const {
    for (Index i = 0; i < n; ++i) out[i] = static_cast<Real>(h_(z[i] + offset));
  }
  template <class Real>
  void smooths(Index n, const Real* mu, Real offset, const Real* nu, Real* out) const {
    for (Index i = 0; i < n; ++i) out[i] = static_cast<Real>(smooth(mu[i] + offset, nu[i]));
  }

  std::string name_;
  std::function<double(double)> h_;
  std::vector<double> kinks_;
};

}  // namespace

// E[h(z)h(z')] with z' | z normal: the inner expectation is the smoothing, the outer one a quadrature.
double Activation::shifted_dual(double m, double m2, double v, double v2, double rho) const {
  const double slope = v > 0 ? rho * std::sqrt(v2 / v) : 0;
  const double spread = std::sqrt(std::max(0.0, v2 * (1 - rho) * (1 + rho)));
  std::vector<double> splits = kinks();
  // With |rho| = 1 the inner smoothing is h itself, seen through a straight line.
  if (spread == 0 && slope != 0)
    for (const double kink : kinks()) splits.push_back(m + (kink - m2) / slope);
  return normal_expectation([&](double z) { return value(z) * smooth(m2 + slope * (z - m), spread); }, m, std::sqrt(v),
                            splits);
}

// S' = E[h(z)·t]/ν and S'' = E[h(z)(t² − 1)]/ν², t = (z − μ)/ν.
void Activation::slope_block(Index n, const double* mu, double offset, const double* nu, double* first,
                             double* second) const {
  const std::vector<double> cuts = kinks();
  for (Index i = 0; i < n; ++i) {
    const double z = mu[i] + offset, spread = nu[i];
    if (spread == 0) {
      const double step = 1e-6 * std::max(1.0, std::abs(z));
      first[i] = (value(z + step) - value(z - step)) / (2 * step);
      second[i] = 0;
      continue;
    }
    const auto moment = [&](auto&& polynomial) {
      return normal_expectation([&](double y) { return value(y) * polynomial((y - z) / spread); }, z, spread, cuts);
    };
    first[i] = moment([](double t) { return t; }) / spread;
    second[i] = moment([](double t) { return t * t - 1; }) / (spread * spread);
  }
}

void Activation::terms_block(Index n, const double* nu, double* p, double* q) const {
  fill_terms(n, nu, p, q, [this](double spread) { return terms(spread); });
}

void Activation::terms_block(Index n, const float* nu, float* p, float* q) const {
  for (Index i = 0; i < n; ++i) {
    const SpreadTerms t = terms(static_cast<double>(nu[i]));
    p[i] = finite_float(t.p);
    q[i] = finite_float(t.q);
  }
}

std::vector<std::string> activation_names() {
  std::vector<std::string> names;
  for (const ActivationPtr& activation : built_ins()) names.push_back(activation->name());
  return names;
}

ActivationPtr find_activation(const std::string& name) {
  for (const ActivationPtr& activation : built_ins())
    if (activation->name() == name) return activation;
  throw Error(ErrorKind::option, fmt::format("unknown activation '{}'", name), "‹family›",
              fmt::format("choose one of {}", fmt::join(activation_names(), ", ")));
}

ActivationPtr custom_activation(std::string name, std::function<double(double)> h, std::vector<double> kinks) {
  return std::make_shared<Custom>(std::move(name), std::move(h), std::move(kinks));
}

}  // namespace weft
