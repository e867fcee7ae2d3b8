#include <weft/activation.hpp>

#include <weft/error.hpp>

#include "features/activations/all.hpp"
#include "features/quadrature.hpp"
#include "features/vector_kernels.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft {

using namespace detail;

namespace {

template <class Terms>
void fill_terms(Index n, const double* nu, double* p, double* q, Terms&& terms) {
  for (Index i = 0; i < n; ++i) {
    const SpreadTerms t = terms(nu[i]);
    p[i] = t.p;
    q[i] = t.q;
  }
}

template <class Formula>
class BuiltIn final : public Activation {
 public:
  explicit BuiltIn(const KernelSet& kernels) : kernels_(kernels) {}

  std::string name() const override { return Formula::kName; }
  double value(double z) const override { return Formula::value(z); }
  double smooth(double mu, double nu) const override {
    if (nu == 0) return value(mu);
    const SpreadTerms spread = Formula::terms(nu);
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

  SpreadTerms terms(double nu) const override { return Formula::terms(nu); }
  void terms_block(Index n, const double* nu, double* p, double* q) const override {
    fill_terms(n, nu, p, q, Formula::terms);
  }
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

void Activation::terms_block(Index n, const double* nu, double* p, double* q) const {
  fill_terms(n, nu, p, q, [this](double spread) { return terms(spread); });
}

std::vector<std::string> activation_names() {
  std::vector<std::string> names;
  for (const ActivationPtr& activation : built_ins()) names.push_back(activation->name());
  return names;
}

ActivationPtr find_activation(const std::string& name) {
  for (const ActivationPtr& activation : built_ins())
    if (activation->name() == name) return activation;
  throw Error(ErrorKind::option, fmt::format("there is no activation '{}'", name), "--family",
              fmt::format("choose one of {}", fmt::join(activation_names(), ", ")));
}

ActivationPtr custom_activation(std::string name, std::function<double(double)> h, std::vector<double> kinks) {
  return std::make_shared<Custom>(std::move(name), std::move(h), std::move(kinks));
}

}  // namespace weft
