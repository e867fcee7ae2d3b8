#include "features/quadrature.hpp"

#include "compute/device.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <boost/math/quadrature/gauss.hpp>

namespace weft::detail {

namespace {

struct HermiteRule {
  std::vector<double> nodes;    // for the standard normal weight
  std::vector<double> weights;  // sum to 1
};

// Golub–Welsch: nodes are the eigenvalues of the Jacobi matrix of the (probabilists') Hermite polynomials, weights the
// squared first components of its eigenvectors.
HermiteRule make_hermite_rule(Index points) {
  Matrix jacobi(points, points);
  for (Index k = 1; k < points; ++k) jacobi(k, k - 1) = jacobi(k - 1, k) = std::sqrt(static_cast<double>(k));
  HermiteRule rule;
  cpu().eigen(jacobi, rule.nodes);
  for (Index k = 0; k < points; ++k) rule.weights.push_back(jacobi(k, 0) * jacobi(k, 0));
  return rule;
}

double by_hermite(const std::function<double(double)>& g, double mu, double nu) {
  static const HermiteRule rule = make_hermite_rule(64);
  double sum = 0;
  for (std::size_t k = 0; k < rule.nodes.size(); ++k) sum += rule.weights[k] * g(mu + nu * rule.nodes[k]);
  return sum;
}

double by_panels(const std::function<double(double)>& g, double mu, double nu, const std::vector<double>& kinks) {
  const double reach = 9;
  std::vector<double> cuts;
  for (double t = -reach; t <= reach; t += 1) cuts.push_back(t);
  for (const double kink : kinks)
    if (const double t = (kink - mu) / nu; std::abs(t) < reach) cuts.push_back(t);
  std::sort(cuts.begin(), cuts.end());
  const auto integrand = [&](double t) {
    return g(mu + nu * t) * std::exp(-0.5 * t * t) / std::sqrt(2 * std::numbers::pi);
  };
  double sum = 0;
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k)
    if (cuts[k + 1] > cuts[k])
      sum += boost::math::quadrature::gauss<double, 20>::integrate(integrand, cuts[k], cuts[k + 1]);
  return sum;
}

}  // namespace

double normal_expectation(const std::function<double(double)>& g, double mu, double nu,
                          const std::vector<double>& kinks) {
  if (nu == 0) return g(mu);
  return kinks.empty() ? by_hermite(g, mu, nu) : by_panels(g, mu, nu, kinks);
}

}  // namespace weft::detail
