#include "methods/learned_activation/learned_steps.hpp"

#include "compute/device.hpp"
#include "core/parallel.hpp"
#include "core/tiles.hpp"
#include "linalg/accumulator.hpp"
#include "linalg/cholesky.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

namespace {

constexpr Index kStripRows = 256;
constexpr Index kNormRows = 1000;      // whose projections show where an activation matters
constexpr Index kNormStrip = 16;       // of them at a time: N times their features are held
constexpr double kLeastSquare = 1e-8;  // of a function that no row meets: P is positive definite

/// Strips are the unit of parallel work here.
Run serial_run() {
  Run run;
  run.threads = 1;
  return run;
}

}  // namespace

FeatureMap unscaled_map(const FeatureMap& map, const ActivationPtr& activation) {
  std::vector<FeaturePart> parts = map.parts();
  for (FeaturePart& part : parts) {
    part.family.activation = activation;
    part.family.amplitude = 1;
    part.centres.scales.clear();
  }
  return FeatureMap::from_parts(std::move(parts), map.inputs());
}

namespace {

/// Adds the products S_i·S_j of every feature at these rows.
void add_products(const LearnedProblem& learned, View<const double> strip, const double* weights, Accumulator& sums) {
  const FeatureMap& map = learned.problem.map;
  const Index features = map.features();
  Matrix projections(features, strip.cols);
  map.project(strip, projections.view(), serial_run());
  Matrix values(learned.basis.count, features * strip.cols);
  for (Index i = 0; i < learned.basis.count; ++i)
    map.activate_projected(strip, projections, *learned.bumps[static_cast<std::size_t>(i)],
                           View<double>(values.row(i), features, strip.cols), serial_run());
  std::vector<double> repeated;
  for (Index m = 0; m < features; ++m) repeated.insert(repeated.end(), weights, weights + strip.cols);
  sums.add(values, View<const double>(nullptr, 0, values.cols()), repeated.data(), learned.problem.run.thread_count());
}

/// Σ S_i·S_j over features and some kNormRows rows, evenly spaced.
Accumulator sum_products(const LearnedProblem& learned) {
  const BlockSource& rows = learned.problem.rows;
  const Index stride = std::max<Index>(1, rows.rows() / kNormRows);
  Accumulator sums(learned.basis.count, 0);
  rows.for_each([&](const TrainingBlock& block) {
    learned.problem.run.check_cancelled();
    Index next = (stride - block.first_row % stride) % stride;
    while (next < block.rows()) {
      Matrix strip(block.x.rows, std::min(kNormStrip, (block.rows() - next - 1) / stride + 1));
      std::vector<double> weights;
      for (Index i = 0; i < strip.cols(); ++i, next += stride) {
        for (Index j = 0; j < strip.rows(); ++j) strip(j, i) = block.x(j, next);
        weights.push_back(block.weights != nullptr ? block.weights[next] : 1);
      }
      add_products(learned, strip, weights.data(), sums);
    }
    return true;
  });
  return sums;
}

/// P = I/R²: J is then the problem min_V (1/W)Σ w ℓ + λ·tr VᵀRV subject to ‖a‖₂ ≤ R of Ma et al. 2025, eq. 5, for more
/// than R would only lower the penalty, so that the constraint holds with equality, and J does not depend on scale.
Matrix coefficient_norm(const LearnedProblem& learned, double radius) {
  Matrix norm(learned.basis.count, learned.basis.count);
  for (Index i = 0; i < norm.rows(); ++i) norm(i, i) = 1 / (radius * radius);
  return norm;
}

Matrix make_norm(const LearnedProblem& learned) {
  const auto& own = learned.problem.options.own<LearnedActivationOptions>();
  const double radius = own.activation_radius;
  if (own.activation_norm == ActivationNorm::coefficients) return coefficient_norm(learned, radius);
  const Accumulator sums = sum_products(learned);
  const Index count = learned.basis.count;
  const double functions = static_cast<double>(count);
  Matrix norm = sums.gram();
  for (Index i = 0; i < count * count && sums.weight() > 0; ++i) norm.data()[i] /= sums.weight();
  for (Index i = 0; i < count; ++i) norm(i, i) += kLeastSquare / functions;
  constexpr double kDifference[] = {1, -2, 1};
  for (Index first = 0; first + 2 < count; ++first)
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 3; ++j)
        norm(first + i, first + j) += own.smoothness / functions * kDifference[i] * kDifference[j];
  for (Index i = 0; i < count * count; ++i) norm.data()[i] /= radius * radius;
  return norm;
}

}  // namespace

LearnedProblem::LearnedProblem(const Problem& problem_, const ActivationBasis& basis_, Matrix norm_)
    : problem(problem_),
      basis(basis_),
      penalty(make_penalty(problem_.map, problem_.options.own<LearnedActivationOptions>().regularizer, problem_.run)),
      projections(unscaled_map(problem_.map, find_activation("identity"))),
      norm(std::move(norm_)) {
  for (Index i = 0; i < basis.count; ++i) bumps.push_back(LearnedActivation::basis_function(basis, i));
}

LearnedProblem::LearnedProblem(const Problem& problem_, const ActivationBasis& basis_)
    : LearnedProblem(problem_, basis_, Matrix()) {
  norm = make_norm(*this);
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

namespace {

/// Rows [first, first + strip.cols) of u, by one function after the other: any basis, any family.
void sum_functions(const LearnedProblem& learned, View<const double> strip, const Matrix& v, Index first, Matrix& u) {
  const FeatureMap& map = learned.problem.map;
  const auto functions = static_cast<Index>(learned.bumps.size());
  Matrix projections(map.features(), strip.cols);
  Matrix phi(map.features(), strip.cols);
  map.project(strip, projections.view(), serial_run());
  for (Index i = 0; i < functions; ++i) {
    map.activate_projected(strip, projections, *learned.bumps[static_cast<std::size_t>(i)], phi.view(), serial_run());
    // Row o·N + i of u for every output o: rows N apart.
    cpu().multiply(1, transpose(v), phi, 0, {u.row(i) + first, v.cols(), strip.cols, functions * u.cols()});
  }
}

/// The same for B-splines that no kernel smooths: a projection meets degree + 1 of them.
void sum_local_functions(const LearnedProblem& learned, View<const double> strip, const Matrix& v, Index first,
                         Matrix& u) {
  const ActivationBasis& basis = learned.basis;
  const FeaturePart& part = learned.problem.map.parts().front();
  Matrix z(v.rows(), strip.cols);
  learned.projections.smoothings(strip, z.view(), serial_run());
  Matrix sums(strip.cols, u.rows());  // transposed: a row's sums lie together
  double values[ActivationBasis::kMostDegree + 1];
  for (Index m = 0; m < z.rows(); ++m)
    for (Index r = 0; r < strip.cols; ++r) {
      const Index from = basis.local_values(z(m, r), values);
      const Index low = std::max<Index>(0, -from);
      const Index high = std::min(basis.degree, basis.count - 1 - from);
      for (Index o = 0; o < v.cols(); ++o) {
        double* row = sums.row(r) + o * basis.count + from;
        const double weight = v(m, o) * part.scale(m);
        for (Index j = low; j <= high; ++j) row[j] += weight * values[j];
      }
    }
  for (Index k = 0; k < u.rows(); ++k)
    for (Index r = 0; r < strip.cols; ++r) u(k, first + r) = sums(r, k);
}

}  // namespace

void basis_sums(const LearnedProblem& learned, View<const double> x, const Matrix& v, Matrix& u) {
  u.reshape(v.cols() * learned.basis.count, x.cols);
  const bool local =
      learned.basis.kind == ActivationBasis::Kind::bspline && learned.problem.map.parts().front().family.kernel.none();
  parallel_for(tile_count(x.cols, kStripRows), learned.problem.run.thread_count(), [&](Index k) {
    const Tile part = tile(k, x.cols, kStripRows);
    const View<const double> strip = x.col_range(part.first, part.count);
    if (local)
      sum_local_functions(learned, strip, v, part.first, u);
    else
      sum_functions(learned, strip, v, part.first, u);
  });
}

}  // namespace weft::detail
