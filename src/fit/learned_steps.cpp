#include "fit/learned_steps.hpp"

#include "core/parallel.hpp"
#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/tiles.hpp"

#include <cmath>

namespace weft {

namespace {

constexpr Index kStripRows = 256;

}  // namespace

LearnedProblem::LearnedProblem(const Problem& problem_, const ActivationBasis& basis_)
    : problem(problem_),
      basis(basis_),
      penalty(make_penalty(problem_.map, problem_.options.regularizer, problem_.run)),
      norm(basis_.count, basis_.count) {
  for (Index i = 0; i < basis.count; ++i) {
    bumps.push_back(LearnedActivation::basis_function(basis, i));
    norm(i, i) += 1;
  }
  constexpr double kDifference[] = {1, -2, 1};
  for (Index first = 0; first + 2 < basis.count; ++first)
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 3; ++j)
        norm(first + i, first + j) += problem.options.smoothness * kDifference[i] * kDifference[j];
}

FeatureMap LearnedProblem::map(const std::vector<double>& a) const {
  return problem.map.with_activation(std::make_shared<LearnedActivation>(basis, a));
}

double LearnedProblem::squared_norm(const std::vector<double>& a) const {
  double sum = 0;
  for (Index i = 0; i < basis.count; ++i)
    for (Index j = 0; j < basis.count; ++j)
      sum += a[static_cast<std::size_t>(i)] * norm(i, j) * a[static_cast<std::size_t>(j)];
  return sum;
}

double penalty_form(const Penalty& penalty, const Matrix& v, int threads) {
  Matrix product(v.rows(), v.cols());
  if (penalty.identity())
    product = v;
  else
    add_symmetric_product(1, penalty.matrix, v, product, threads);
  double form = 0;
  for (Index i = 0; i < v.rows() * v.cols(); ++i) form += v.data()[i] * product.data()[i];
  return form;
}

void balance(LearnedPoint& point, const LearnedProblem& learned) {
  const double form = penalty_form(learned.penalty, point.v, learned.problem.run.thread_count());
  const double square = learned.squared_norm(point.a);
  if (!(form > 0) || !(square > 0)) return;
  const double factor = std::pow(form / square, 0.25);
  for (double& a : point.a) a *= factor;
  for (Index i = 0; i < point.v.rows() * point.v.cols(); ++i) point.v.data()[i] /= factor;
}

void basis_sums(const LearnedProblem& learned, View<const double> x, const Matrix& v, Matrix& u) {
  const FeatureMap& map = learned.problem.map;
  const auto functions = static_cast<Index>(learned.bumps.size());
  u.reshape(v.cols() * functions, x.cols);
  Run serial;  // strips are the unit of parallel work here
  serial.threads = 1;
  parallel_for(tile_count(x.cols, kStripRows), learned.problem.run.thread_count(), [&](Index k) {
    const Tile part = tile(k, x.cols, kStripRows);
    const View<const double> strip = x.col_range(part.first, part.count);
    Matrix projections(map.features(), part.count);
    Matrix phi(map.features(), part.count);
    map.project(strip, projections.view(), serial);
    for (Index i = 0; i < functions; ++i) {
      map.activate_projected(strip, projections, *learned.bumps[static_cast<std::size_t>(i)], phi.view(), serial);
      // Row o·N + i of u for every output o: rows N apart.
      cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, blas::narrow(v.cols()), blas::narrow(part.count),
                  blas::narrow(v.rows()), 1, v.data(), blas::narrow(v.cols()), phi.data(), blas::narrow(part.count), 0,
                  u.row(i) + part.first, blas::narrow(functions * u.cols()));
    }
  });
}

}  // namespace weft
