// Learned activations (Ma et al. 2025): h(z) = Σ a_i B_i(z), B_i copies of one bump on an even grid. An activation like
// any other: its Gaussian smoothing is exact, so every family, kernel and fit supports it.
#pragma once

#include <weft/activation.hpp>
#include <weft/choices.hpp>

#include <optional>

namespace WEFT_PUBLIC weft {

/// N copies of one bump, `step` apart. rbf: exp(−(z−c_i)²/2h²), h the width. bspline: the B-spline of the degree whose
/// knots are `step` apart, centred at c_i; the width is unused.
struct ActivationBasis {
  enum class Kind { rbf, bspline };
  friend constexpr auto choice_names(Kind) { return std::array{"rbf", "bspline"}; }
  static constexpr Index kMostDegree = 5;

  Kind kind = Kind::rbf;
  Index count = 0;   ///< N
  double first = 0;  ///< c_0
  double step = 1;
  double width = 1;
  Index degree = 0;

  /// Centres from low to high; no width: the step, so that neighbours overlap at 0.88 and their sum is flat to 1e-8.
  static ActivationBasis rbf(double low, double high, Index count, std::optional<double> width = {});
  /// Sums to 1 from low to high: the outer centres lie (degree − 1)/2 steps outside. Needs count > degree.
  static ActivationBasis bspline(double low, double high, Index count, Index degree);

  double centre(Index i) const { return first + step * static_cast<double>(i); }
  double low() const;  ///< of the interval that is covered
  double high() const;
  /// B-splines: values[j] = B_{i+j}(z) for j = 0 … degree, i the result; the other functions are 0 at z. The i + j need
  /// not all exist.
  Index local_values(double z, double* values) const;
  const char* name() const { return name_of(kind); }
  /// Throws weft::Error(option) for N < 2, a width that is not positive, too few functions for the degree, an empty
  /// interval.
  void check() const;
};

class LearnedActivation final : public Activation {
 public:
  static constexpr const char* kName = "learned";

  /// One coefficient per basis function.
  LearnedActivation(const ActivationBasis& basis, std::vector<double> coefficients);

  const ActivationBasis& basis() const { return basis_; }
  const std::vector<double>& coefficients() const { return coefficients_; }
  /// B_i alone.
  static ActivationPtr basis_function(const ActivationBasis& basis, Index i);

  std::string name() const override { return kName; }
  double value(double z) const override;
  double smooth(double mu, double nu) const override;
  bool smooth_is_closed_form() const override { return true; }
  double dual(double v, double v2, double rho) const override { return shifted_dual(0, 0, v, v2, rho); }
  bool dual_is_closed_form() const override { return false; }
  /// Knots of a B-spline; centres of an rbf, which is smooth but may be much narrower than the density it is integrated
  /// against.
  std::vector<double> kinks() const override;

  SpreadTerms terms(double nu) const override;
  void value_block(Index n, const double* z, double offset, double* out) const override;
  void value_block(Index n, const float* z, float offset, float* out) const override;
  void smooth_block(Index n, const double* mu, double offset, const double* p, const double* q,
                    double* out) const override;
  void smooth_block(Index n, const float* mu, float offset, const float* p, const float* q, float* out) const override;
  void slope_block(Index n, const double* mu, double offset, const double* nu, double* first,
                   double* second) const override;

 private:
  template <class Real>
  void values(Index n, const Real* z, Real offset, Real* out) const;
  template <class Real>
  void smoothings(Index n, const Real* mu, Real offset, const Real* p, const Real* q, Real* out) const;
  template <class Real>
  void add_bumps(Index n, const Real* mu, Real offset, const Real* p, const Real* q, Real* out) const;
  double spline(double t) const;
  double spline_slope(double t) const;
  double smooth_spline(double t, double spread, Index order) const;  // its derivative of that order, up to 2, in t

  ActivationBasis basis_;
  std::vector<double> coefficients_;
  Index first_used_ = 0;  // coefficients outside first_used_ … last_used_ are 0
  Index last_used_ = -1;
  Matrix pieces_;  // B-splines: h on every cell between knots, as coefficients of a polynomial, highest power first
};

}  // namespace weft
