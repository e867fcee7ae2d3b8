// What the tests of fits by Newton's method share.
#pragma once

#include "dense_algebra.hpp"
#include "methods/fit_case.hpp"
#include "methods/newton/newton.hpp"
#include "objective/penalty.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace weft::testing {

using namespace detail;
using Column = Eigen::VectorXd;

/// A smooth target of two inputs with noise whose spread grows with the first; every tenth is far off.
inline TableRows noisy_rows(Index rows, bool outliers = true) {
  const Random random(23, RandomStream::generator);
  TableRows table(Matrix(3, rows), Matrix(1, rows));
  table.block_rows = 100;
  table.streamed = true;
  for (Index i = 0; i < rows; ++i) {
    const auto at = static_cast<std::uint64_t>(i);
    for (std::uint32_t j = 0; j < 2; ++j) table.x(j, i) = random.normal(at, j);
    table.x(2, i) = 1;
    const double spread = 0.3 + 0.2 * std::abs(table.x(0, i));
    table.y(0, i) = std::sin(2 * table.x(0, i)) + table.x(1, i) + spread * random.normal(at, 10);
    if (outliers && i % 10 == 0) table.y(0, i) += 30;
  }
  return table;
}

/// Poisson counts by inversion.
inline TableRows counted_rows(Index rows) {
  TableRows table = noisy_rows(rows, false);
  const Random random(29, RandomStream::noise);
  for (Index i = 0; i < rows; ++i) {
    const double mean = std::exp(0.5 + 0.6 * table.x(0, i) - 0.4 * table.x(1, i));
    double left = random.uniform(static_cast<std::uint64_t>(i)), p = std::exp(-mean), count = 0;
    for (; left > p && count < 100; p *= mean / ++count) left -= p;
    table.y(0, i) = count;
  }
  return table;
}

struct LossCase : FitCase {
  LossCase(TableRows table, RegressionLoss loss, Index features = 25, const std::string& name = "rw-relu")
      : FitCase(std::move(table), Task::regression, features, name) {
    options.lambda = 1e-3;
    own().loss = loss;
    own().regularizer = Regularizer::ridge;
    own().tolerance = 1e-10;
  }
  NewtonOptions& own() { return options.use<NewtonOptions>(); }
  FitResult fit() const { return fit_newton(problem()); }
  Dense phi() const { return features(map); }
  double effective() const {
    return make_penalty(map, options.own<NewtonOptions>().regularizer, run).effective(*options.lambda);
  }
  double total() const {
    double sum = 0;
    for (Index i = 0; i < rows.rows(); ++i) sum += weight(i);
    return sum;
  }
};

inline Column column(const Matrix& matrix, Index k) {
  Column result(matrix.rows());
  for (Index t = 0; t < matrix.rows(); ++t) result(t) = matrix(t, k);
  return result;
}

/// Scores of the training rows by output k.
inline Column scores(const LossCase& c, const FitResult& fit, Index k = 0) {
  Column f = c.phi().transpose() * column(fit.coefficients, k);
  f.array() += fit.intercepts[static_cast<std::size_t>(k)];
  return f;
}

/// (1/W) Σ w ℓ + λ‖b‖² of output k.
inline double primal(const LossCase& c, const FitResult& fit, Index k = 0) {
  const Column f = scores(c, fit, k);
  double sum = 0;
  for (Index i = 0; i < c.rows.rows(); ++i) sum += c.weight(i) * fit.loss.value(f(i), c.rows.y(0, i), k);
  return sum / c.total() + c.effective() * column(fit.coefficients, k).squaredNorm();
}

/// The largest entry of the gradient, slopes given per row; the intercept's is last.
inline double gradient(const LossCase& c, const FitResult& fit,
                       const std::function<double(double f, double y)>& slope) {
  const Column f = scores(c, fit);
  const Dense phi = c.phi();
  Column g = 2 * c.effective() * column(fit.coefficients, 0);
  double intercept = 0;
  for (Index i = 0; i < c.rows.rows(); ++i) {
    const double s = c.weight(i) * slope(f(i), c.rows.y(0, i)) / c.total();
    g += s * phi.col(i);
    intercept += s;
  }
  return std::max(g.cwiseAbs().maxCoeff(), std::abs(intercept));
}

}  // namespace weft::testing
