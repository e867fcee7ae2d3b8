// Activations h, which random features apply to their projections, and their Gaussian smoothings.
#pragma once

#include <weft/matrix.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

/// Terms of a smoothing that depend only on the spread ν of a row: computed once per row, used for every feature.
struct SpreadTerms {
  double p = 0;
  double q = 0;
};

/// h and its Gaussian smoothing S_h(μ, ν) = E[h(z)], z ~ N(μ, ν²), with S_h(μ, 0) = h(μ).
class Activation {
 public:
  virtual ~Activation() = default;

  virtual std::string name() const = 0;
  virtual double value(double z) const = 0;
  virtual double smooth(double mu, double nu) const = 0;
  virtual bool smooth_is_closed_form() const = 0;

  /// D_h = E[h(z)h(z')] for centred normal (z, z') with variances v, v2 and correlation rho.
  virtual double dual(double v, double v2, double rho) const = 0;
  virtual bool dual_is_closed_form() const = 0;
  /// The same with means m, m2: by one-dimensional quadrature of h · S_h unless there is a closed form.
  virtual double shifted_dual(double m, double m2, double v, double v2, double rho) const;

  /// The points where h is not smooth; quadrature is split there.
  virtual std::vector<double> kinks() const = 0;

  // Blocks: n values at once. `offset` is added to every mu (a phase, or minus a threshold); in and out may be the same
  // array. Results do not depend on the block boundaries.
  virtual SpreadTerms terms(double nu) const = 0;
  virtual void terms_block(Index n, const double* nu, double* p, double* q) const;
  virtual void terms_block(Index n, const float* nu, float* p, float* q) const;
  virtual void value_block(Index n, const double* z, double offset, double* out) const = 0;
  virtual void value_block(Index n, const float* z, float offset, float* out) const = 0;
  virtual void smooth_block(Index n, const double* mu, double offset, const double* p, const double* q,
                            double* out) const = 0;
  virtual void smooth_block(Index n, const float* mu, float offset, const float* p, const float* q,
                            float* out) const = 0;
  /// ∂S_h/∂μ and ∂²S_h/∂μ² at mu + offset and the spreads nu; ∂S_h/∂ν is nu times the latter. Without a spread h' and a
  /// finite number; jumps count as flat there. By quadrature unless there is a closed form.
  virtual void slope_block(Index n, const double* mu, double offset, const double* nu, double* first,
                           double* second) const;
};

using ActivationPtr = std::shared_ptr<const Activation>;

/// Built in, by name: sign, step, relu, leaky-relu, abs, identity, square, cos, sin, erf, gaussian.
ActivationPtr find_activation(const std::string& name);
std::vector<std::string> activation_names();

/// Any h: smoothing and dual by quadrature (Gauss–Hermite where h is smooth, Gauss–Legendre pieces between the kinks).
ActivationPtr custom_activation(std::string name, std::function<double(double)> h, std::vector<double> kinks = {});

/// The vector instructions in use: "avx512", "avx2", "sse2" or "scalar".
const char* vector_instructions();

}  // namespace weft
