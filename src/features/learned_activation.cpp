// Two bumps. An rbf smoothed by a Gaussian is a wider, lower rbf: the vector code of the activation "gaussian" with the
// spread terms below gives it. A B-spline is evaluated as a polynomial per cell; smoothed, by the recursion of Cox and
// de Boor, in which E[z·f(z)] = μE[f] + ν²E[f'] (Stein) and f' is a difference of splines one degree lower.
#include <weft/learned_activation.hpp>

#include <weft/error.hpp>

#include "compute/spline_pieces.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace weft {

using detail::first_knot, detail::spline_pieces;

namespace {

using BasisKind = ActivationBasis::Kind;

constexpr Index kPiece = 256;
// Beyond this many knot intervals of spread the recursion subtracts what it added (a loss of spread² per degree).
// The normal law is then so flat on a cell that five nodes of Gauss and Legendre, on [0, 1], are exact to 1e-14.
constexpr double kWidestRecursion = 3;
constexpr std::array kNodes = {0.046910077030668, 0.23076534494715845, 0.5, 0.76923465505284155, 0.953089922969332};
constexpr std::array kNodeWeights = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444, 0.23931433524968324,
                                     0.11846344252809454};
// A normal variable is farther than this many deviations from its mean with probability 2e-19.
constexpr double kReach = 9;

/// E[B_k(z)], z ~ N(t, spread²), of `count` B-splines, B_k on the knots k … k + degree + 1. Level m holds those of
/// degree m, one more per level down; level −1, whose differences are the slopes of level 0, the density at the knots,
/// which is also what degree −1 asks for.
void expected_splines(double t, double spread, Index degree, Index count, std::vector<double>& level) {
  const Index knots = count + degree + 1;
  thread_local std::vector<double> below, above;
  for (std::vector<double>* values : {&below, &level, &above}) values->resize(static_cast<std::size_t>(knots));
  double last = 0;
  for (Index k = 0; k < knots; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const double z = (static_cast<double>(k) - t) / spread;
    below[at] = std::exp(-0.5 * z * z) / (spread * std::sqrt(2 * std::numbers::pi));
    const double next = std::erf(z * std::numbers::sqrt2 / 2);
    if (k > 0) level[at - 1] = 0.5 * (next - last);
    last = next;
  }
  if (degree < 0) level = below;
  for (Index m = 1; m <= degree; ++m) {
    for (Index k = 0; k < knots - m - 1; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const double rise = t - static_cast<double>(k);
      const double fall = static_cast<double>(k + m + 1) - t;
      const double slopes = below[at] - 2 * below[at + 1] + below[at + 2];
      above[at] = (rise * level[at] + fall * level[at + 1] + spread * spread * slopes) / static_cast<double>(m);
    }
    std::swap(below, level);
    std::swap(level, above);
  }
}

}  // namespace

ActivationBasis ActivationBasis::rbf(double low, double high, Index count, std::optional<double> width) {
  ActivationBasis basis{BasisKind::rbf, count, low, (high - low) / static_cast<double>(std::max<Index>(1, count - 1))};
  basis.width = width.value_or(basis.step);
  basis.check();
  return basis;
}

ActivationBasis ActivationBasis::bspline(double low, double high, Index count, Index degree) {
  ActivationBasis basis{BasisKind::bspline,
                        count,
                        low,
                        (high - low) / static_cast<double>(std::max<Index>(1, count - degree)),
                        1,
                        degree};
  basis.first = low - 0.5 * static_cast<double>(degree - 1) * basis.step;
  basis.check();
  return basis;
}

double ActivationBasis::low() const {
  return kind == BasisKind::rbf ? first : first + 0.5 * static_cast<double>(degree - 1) * step;
}

double ActivationBasis::high() const {
  return kind == BasisKind::rbf ? centre(count - 1) : centre(count - 1) - 0.5 * static_cast<double>(degree - 1) * step;
}

Index ActivationBasis::local_values(double z, double* values) const {
  const double t = (z - first_knot(*this)) / step;
  // Far outside, and where z is NaN, every spline is zero; the cast must not overflow there.
  const double cell = t > -1 ? std::floor(std::min(t, static_cast<double>(count + degree))) : -1;
  const double u = t - cell;
  values[0] = 1;
  // Cox and de Boor: at level m, values[j] belongs to the spline that starts m − j cells to the left of this one.
  for (Index m = 1; m <= degree; ++m) {
    double carried = 0;
    for (Index j = 0; j < m; ++j) {
      const double shared = values[j] / static_cast<double>(m);
      values[j] = carried + (static_cast<double>(j + 1) - u) * shared;
      carried = (u + static_cast<double>(m - 1 - j)) * shared;
    }
    values[m] = carried;
  }
  return static_cast<Index>(cell) - degree;
}

void ActivationBasis::check() const {
  const auto fail = [](const std::string& what, const char* option, const std::string& remedy) {
    throw Error(ErrorKind::option, what, option, remedy);
  };
  if (count < 2) fail(fmt::format("a grid of {} points is not supported", count), "‹grid_points›", "use at least 2");
  if (kind == BasisKind::bspline && (degree < 1 || degree > kMostDegree))
    fail(fmt::format("B-splines of degree {} are not supported", degree), "‹degree›", "use 1 to 5");
  if (kind == BasisKind::bspline && count <= degree)
    fail(fmt::format("{} B-splines of degree {} cover no interval", count, degree), "‹grid_points›",
         fmt::format("use at least {}", degree + 1));
  if (!(step > 0) || !std::isfinite(step) || !std::isfinite(first))
    fail("the grid covers no interval", "‹grid_range›", "write LOW:HIGH with LOW < HIGH");
  if (!(width > 0) || !std::isfinite(width))
    fail(fmt::format("the basis width must be positive, not {:g}", width), "‹basis_width›", "use a positive number");
}

LearnedActivation::LearnedActivation(const ActivationBasis& basis, std::vector<double> coefficients)
    : basis_(basis), coefficients_(std::move(coefficients)) {
  basis_.check();
  if (static_cast<Index>(coefficients_.size()) != basis_.count)
    throw Error(ErrorKind::option,
                fmt::format("{} coefficients for {} basis functions", coefficients_.size(), basis_.count), {},
                "give one per function");
  for (const double a : coefficients_)
    if (!std::isfinite(a))
      throw Error(ErrorKind::data, "a coefficient of the activation is not finite", {},
                  "look for extreme values in the inputs");
  const auto zero = [](double a) { return a == 0; };
  first_used_ = std::find_if_not(coefficients_.begin(), coefficients_.end(), zero) - coefficients_.begin();
  last_used_ = coefficients_.rend() - std::find_if_not(coefficients_.rbegin(), coefficients_.rend(), zero) - 1;
  if (basis_.kind == BasisKind::rbf) return;
  pieces_ = spline_pieces(basis_, coefficients_);
}

ActivationPtr LearnedActivation::basis_function(const ActivationBasis& basis, Index i) {
  std::vector<double> unit(static_cast<std::size_t>(basis.count), 0.0);
  unit[static_cast<std::size_t>(i)] = 1;
  return std::make_shared<LearnedActivation>(basis, std::move(unit));
}

double LearnedActivation::value(double z) const {
  double out = 0;
  value_block(1, &z, 0.0, &out);
  return out;
}

double LearnedActivation::smooth(double mu, double nu) const {
  const SpreadTerms spread = terms(nu);
  double out = 0;
  smooth_block(1, &mu, 0.0, &spread.p, &spread.q, &out);
  return out;
}

std::vector<double> LearnedActivation::kinks() const {
  std::vector<double> points;
  const bool knots = basis_.kind == BasisKind::bspline;
  for (Index k = 0; k < basis_.count + (knots ? basis_.degree + 1 : 0); ++k)
    points.push_back((knots ? first_knot(basis_) : basis_.first) + basis_.step * static_cast<double>(k));
  return points;
}

/// rbf: q·exp(p·(μ−c)²) with h² + ν² in place of h². B-splines: the spread in knot intervals.
SpreadTerms LearnedActivation::terms(double nu) const {
  if (basis_.kind == BasisKind::bspline) return {nu / basis_.step, 0};
  const double wide = std::hypot(basis_.width, nu);
  return {-0.5 / (wide * wide), basis_.width / wide};
}

template <class Real>
void LearnedActivation::add_bumps(Index n, const Real* mu, Real offset, const Real* p, const Real* q, Real* out) const {
  static const ActivationPtr gaussian = find_activation("gaussian");
  std::array<Real, kPiece> bump;
  std::array<Real, kPiece> sum;
  for (Index first = 0; first < n; first += kPiece) {
    const Index count = std::min(kPiece, n - first);
    sum.fill(0);
    for (Index i = first_used_; i <= last_used_; ++i) {
      const auto a = static_cast<Real>(coefficients_[static_cast<std::size_t>(i)]);
      gaussian->smooth_block(count, mu + first, offset - static_cast<Real>(basis_.centre(i)), p + first, q + first,
                             bump.data());
      for (Index k = 0; k < count; ++k) sum[static_cast<std::size_t>(k)] += a * bump[static_cast<std::size_t>(k)];
    }
    std::copy_n(sum.data(), count, out + first);
  }
}

/// h at t knot intervals from the first knot.
double LearnedActivation::spline(double t) const {
  if (!(t >= 0) || !(t < static_cast<double>(pieces_.rows()))) return 0;
  const auto cell = static_cast<Index>(t);
  const double u = t - static_cast<double>(cell);
  const double* c = pieces_.row(cell);
  double sum = c[0];
  for (Index power = 1; power < pieces_.cols(); ++power) sum = sum * u + c[power];
  return sum;
}

/// Its derivative in t.
double LearnedActivation::spline_slope(double t) const {
  if (!(t >= 0) || !(t < static_cast<double>(pieces_.rows()))) return 0;
  const auto cell = static_cast<Index>(t);
  const double u = t - static_cast<double>(cell);
  const double* c = pieces_.row(cell);
  double sum = 0;
  for (Index k = 0; k + 1 < pieces_.cols(); ++k) sum = sum * u + static_cast<double>(pieces_.cols() - 1 - k) * c[k];
  return sum;
}

// A derivative of Σ a_i B_i is a spline one degree lower, whose coefficients are differences of the a_i; under the
// integral of the quadrature, one of the density.
double LearnedActivation::smooth_spline(double t, double spread, Index order) const {
  if (spread == 0 || !std::isfinite(t)) return order == 0 ? spline(t) : order == 1 ? spline_slope(t) : 0;
  // The splines that the normal law reaches; t counts from the first knot.
  const auto last_knot = static_cast<double>(pieces_.rows());
  const auto low = static_cast<Index>(std::clamp(t - kReach * spread, 0.0, last_knot));
  const auto high = static_cast<Index>(std::clamp(t + kReach * spread, 0.0, last_knot));
  const Index from = std::max(first_used_, low - basis_.degree);
  const Index to = std::min(last_used_, high);
  if (from > to) return 0;
  if (spread > kWidestRecursion) {
    double sum = 0;
    for (Index k = from; k <= to + basis_.degree; ++k)
      for (std::size_t j = 0; j < kNodes.size(); ++j) {
        const double z = static_cast<double>(k) + kNodes[j];
        const double far = (z - t) / spread;
        const double factor = order == 0 ? 1 : order == 1 ? far / spread : (far * far - 1) / (spread * spread);
        sum += kNodeWeights[j] * spline(z) * factor * std::exp(-0.5 * far * far);
      }
    return sum / (spread * std::sqrt(2 * std::numbers::pi));
  }
  thread_local std::vector<double> expected;
  expected_splines(t - static_cast<double>(from), spread, basis_.degree - order, to - from + 1 + order, expected);
  const auto a = [&](Index i) { return i < from || i > to ? 0 : coefficients_[static_cast<std::size_t>(i)]; };
  double sum = 0;
  for (Index i = from; i <= to + order; ++i) {
    const double difference = order == 0 ? a(i) : order == 1 ? a(i) - a(i - 1) : a(i) - 2 * a(i - 1) + a(i - 2);
    sum += difference * expected[static_cast<std::size_t>(i - from)];
  }
  return sum;
}

namespace {

/// out[i] = spline(t of the point, i), t in knot intervals from the first knot.
template <class Real, class Spline>
void each_point(const ActivationBasis& basis, Index n, const Real* z, Real offset, Real* out, const Spline& spline) {
  const double start = first_knot(basis);
  for (Index i = 0; i < n; ++i)
    out[i] = static_cast<Real>(spline((static_cast<double>(z[i] + offset) - start) / basis.step, i));
}

}  // namespace

template <class Real>
void LearnedActivation::values(Index n, const Real* z, Real offset, Real* out) const {
  if (basis_.kind == BasisKind::bspline)
    return each_point(basis_, n, z, offset, out, [this](double t, Index) { return spline(t); });
  const SpreadTerms none = terms(0);
  std::array<Real, kPiece> p;
  std::array<Real, kPiece> q;
  p.fill(static_cast<Real>(none.p));
  q.fill(static_cast<Real>(none.q));
  for (Index first = 0; first < n; first += kPiece)
    add_bumps(std::min(kPiece, n - first), z + first, offset, p.data(), q.data(), out + first);
}

template <class Real>
void LearnedActivation::smoothings(Index n, const Real* mu, Real offset, const Real* p, const Real* q,
                                   Real* out) const {
  if (basis_.kind == BasisKind::rbf) return add_bumps(n, mu, offset, p, q, out);
  each_point(basis_, n, mu, offset, out,
             [&](double t, Index i) { return smooth_spline(t, static_cast<double>(p[i]), 0); });
}

void LearnedActivation::slope_block(Index n, const double* mu, double offset, const double* nu, double* first,
                                    double* second) const {
  if (basis_.kind == BasisKind::bspline) {
    const double step = basis_.step;
    each_point(basis_, n, mu, offset, first,
               [&](double t, Index i) { return smooth_spline(t, nu[i] / step, 1) / step; });
    each_point(basis_, n, mu, offset, second,
               [&](double t, Index i) { return smooth_spline(t, nu[i] / step, 2) / (step * step); });
    return;
  }
  for (Index i = 0; i < n; ++i) {
    const SpreadTerms spread = terms(nu[i]);
    first[i] = second[i] = 0;
    for (Index k = first_used_; k <= last_used_; ++k) {
      const double far = mu[i] + offset - basis_.centre(k);
      const double bump = coefficients_[static_cast<std::size_t>(k)] * spread.q * std::exp(spread.p * far * far);
      first[i] += 2 * spread.p * far * bump;
      second[i] += 2 * spread.p * (1 + 2 * spread.p * far * far) * bump;
    }
  }
}

void LearnedActivation::value_block(Index n, const double* z, double offset, double* out) const {
  values(n, z, offset, out);
}

void LearnedActivation::value_block(Index n, const float* z, float offset, float* out) const {
  values(n, z, offset, out);
}

void LearnedActivation::smooth_block(Index n, const double* mu, double offset, const double* p, const double* q,
                                     double* out) const {
  smoothings(n, mu, offset, p, q, out);
}

void LearnedActivation::smooth_block(Index n, const float* mu, float offset, const float* p, const float* q,
                                     float* out) const {
  smoothings(n, mu, offset, p, q, out);
}

}  // namespace weft
