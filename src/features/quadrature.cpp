#include "features/quadrature.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <boost/math/quadrature/gauss.hpp>
#include <Eigen/Eigenvalues>

namespace weft::detail {

namespace {

struct HermiteRule {
  Eigen::VectorXd nodes;    // for the standard normal weight
  Eigen::VectorXd weights;  // sum to 1
};

// Golub–Welsch: nodes are the eigenvalues of the Jacobi matrix of the (probabilists') Hermite polynomials, weights the
// squared first components of its eigenvectors.
HermiteRule make_hermite_rule(Eigen::Index points) {
  Eigen::VectorXd off_diagonal(points - 1);
  for (Eigen::Index k = 1; k < points; ++k) off_diagonal(k - 1) = std::sqrt(static_cast<double>(k));
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(Eigen::VectorXd::Zero(points), off_diagonal);
  return {solver.eigenvalues(), solver.eigenvectors().row(0).transpose().array().square()};
}

double by_hermite(const std::function<double(double)>& g, double mu, double nu) {
  static const HermiteRule rule = make_hermite_rule(64);
  double sum = 0;
  for (Eigen::Index k = 0; k < rule.nodes.size(); ++k) sum += rule.weights(k) * g(mu + nu * rule.nodes(k));
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
