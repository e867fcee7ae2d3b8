// Problems for the tests of kernel ridge regression, and their dense solution from the definition alone.
#pragma once

#include "dense_algebra.hpp"
#include "methods/kernel/kernel_checks.hpp"
#include "methods/kernel/kernel_ridge.hpp"
#include "methods/kernel/landmarks.hpp"
#include "methods/table_rows.hpp"

#include <cmath>

namespace weft::testing_rows {

using namespace detail;

inline double rbf_value(const Matrix& a, Index i, const Matrix& b, Index j, double bandwidth) {
  double sum = 0;
  for (Index c = 0; c < a.rows(); ++c) sum += (a(c, i) - b(c, j)) * (a(c, i) - b(c, j));
  return std::exp(-sum / (2 * bandwidth * bandwidth));
}

inline RowMatrix rbf_matrix(const Matrix& a, const Matrix& b, double bandwidth) {
  RowMatrix k(a.cols(), b.cols());
  for (Index i = 0; i < a.cols(); ++i)
    for (Index j = 0; j < b.cols(); ++j) k(i, j) = rbf_value(a, i, b, j, bandwidth);
  return k;
}

struct KernelCase {
  TableRows rows;
  FamilyOptions family;
  FitOptions options;
  Run run;

  explicit KernelCase(TableRows table) : rows(std::move(table)) { own().bandwidth = "1.3"; }
  KernelRidgeOptions& own() { return options.use<KernelRidgeOptions>(); }
  static KernelCase smooth(Index count, Index outputs = 1) { return KernelCase(smooth_problem(3, count, outputs, 11)); }

  void add_weights() {
    const Random random(4, RandomStream::noise);
    for (Index i = 0; i < rows.rows(); ++i)
      rows.weights.push_back(0.2 + 2 * random.uniform(static_cast<std::uint64_t>(i)));
  }
  FittedMap landmarks() const {
    return choose_landmarks(
        {family, options, Inputs::plain(rows.x.rows() - 1, true), {rows, rows}, Task::regression, run});
  }
  FitResult fit(const FittedMap& landmarks, Task task = Task::regression) const {
    return fit_kernel_ridge({landmarks.map, rows, task, options, family, run, landmarks.shares});
  }
  double bandwidth() const { return std::stod(options.own<KernelRidgeOptions>().bandwidth); }
};

/// rows × outputs of a fit.
inline RowMatrix predictions(const FeatureMap& map, const FitResult& fit, const Matrix& x) {
  Matrix phi(map.features(), x.cols());
  map.smoothings(x, phi.view());
  RowMatrix f = to_eigen(phi.view()).transpose() * to_eigen(fit.coefficients.view());
  for (Eigen::Index o = 0; o < f.cols(); ++o) f.col(o).array() += fit.intercepts[static_cast<std::size_t>(o)];
  return f;
}

/// (K + μW⁻¹)a + c1 = y, 1ᵀa = 0 for positive weights, without row `left_out`; predictions at x.
inline RowMatrix dense_predictions(const KernelCase& c, double mu, const Matrix& x, Index left_out = -1) {
  std::vector<Index> kept;
  for (Index i = 0; i < c.rows.rows(); ++i)
    if (i != left_out) kept.push_back(i);
  const auto n = static_cast<Eigen::Index>(kept.size());
  const Eigen::Index extra = c.options.intercept ? 1 : 0;
  RowMatrix system = RowMatrix::Zero(n + extra, n + extra);
  RowMatrix rhs = RowMatrix::Zero(n + extra, c.rows.y.rows());
  RowMatrix fresh = RowMatrix::Ones(x.cols(), n + extra);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Index at = kept[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < n; ++j)
      system(i, j) = rbf_value(c.rows.x, at, c.rows.x, kept[static_cast<std::size_t>(j)], c.bandwidth());
    system(i, i) += mu / (c.rows.weights.empty() ? 1 : c.rows.weights[static_cast<std::size_t>(at)]);
    for (Eigen::Index o = 0; o < rhs.cols(); ++o) rhs(i, o) = c.rows.y(o, at);
    if (extra == 1) system(n, i) = system(i, n) = 1;
    for (Eigen::Index k = 0; k < x.cols(); ++k) fresh(k, i) = rbf_value(x, k, c.rows.x, at, c.bandwidth());
  }
  return fresh * testing::solve(system, rhs);
}

inline double total_weight(const KernelCase& c) {
  double sum = 0;
  for (Index i = 0; i < c.rows.rows(); ++i)
    sum += c.rows.weights.empty() ? 1 : c.rows.weights[static_cast<std::size_t>(i)];
  return sum;
}

}  // namespace weft::testing_rows
