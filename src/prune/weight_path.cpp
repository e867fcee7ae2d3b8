#include "prune/weight_path.hpp"

#include "linalg/lasso.hpp"
#include "linalg/ridge.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

namespace {

constexpr LassoSolverOptions kLasso{.tolerance = 1e-8};
constexpr double kRidge = 1e-12;   // of the unit diagonal, for survivors that are nearly dependent
constexpr double kRepeat = 1e-12;  // 1 − |correlation| below which two features are duplicates

LassoProblem problem_of(const Geometry& geometry, const Matrix& cross, Index output) {
  return {geometry.correlations,
          {cross.row(output), static_cast<std::size_t>(cross.cols())},
          1,
          static_cast<double>(cross.cols()),
          2};
}

}  // namespace

WeightPath::WeightPath(Geometry geometry, View<const double> coefficients)
    : geometry_(std::move(geometry)), target_(to_units(geometry_, coefficients)) {
  merge_repeats();
  cross_ = correlate(geometry_, target_.shares);
}

void WeightPath::merge_repeats() {
  Matrix& correlations = geometry_.correlations;
  Matrix& shares = target_.shares;
  for (Index s = 0; s < correlations.rows(); ++s)
    for (Index t = s + 1; t < correlations.cols(); ++t) {
      const double correlation = correlations(s, t);
      if (std::abs(correlation) < 1 - kRepeat) continue;
      for (Index o = 0; o < shares.rows(); ++o) {
        shares(o, s) += std::copysign(1, correlation) * shares(o, t);
        shares(o, t) = 0;
      }
      for (Index k = 0; k < correlations.rows(); ++k) correlations(t, k) = correlations(k, t) = 0;
    }
}

double WeightPath::lambda_max() const {
  double largest = 0;
  for (Index o = 0; o < cross_.rows(); ++o)
    largest = std::max(largest, lasso_lambda_max(problem_of(geometry_, cross_, o)));
  return largest;
}

Matrix WeightPath::solve(double lambda, const Matrix& start, const Run& run) const {
  Matrix shares(cross_.rows(), cross_.cols());
  for (Index o = 0; o < cross_.rows(); ++o) {
    const LassoProblem problem = problem_of(geometry_, cross_, o);
    if (lambda >= lasso_lambda_max(problem)) continue;
    std::span<const double> begin;
    if (start.rows() > 0) begin = {start.row(o), static_cast<std::size_t>(start.cols())};
    const LassoResult result = lasso(problem, lambda, begin, kLasso, run);
    std::copy(result.coefficients.begin(), result.coefficients.end(), shares.row(o));
  }
  return shares;
}

Matrix WeightPath::project(const std::vector<Index>& features, int threads) const {
  const auto count = static_cast<Index>(features.size());
  Matrix gram(count, count);
  Matrix rhs(count, cross_.rows());
  for (Index i = 0; i < count; ++i) {
    const Index s = features[static_cast<std::size_t>(i)];
    for (Index j = 0; j < count; ++j) gram(i, j) = geometry_.correlations(s, features[static_cast<std::size_t>(j)]);
    for (Index o = 0; o < cross_.rows(); ++o) rhs(i, o) = cross_(o, s);
  }
  const Matrix solution = solve_regularised(gram, {}, 0, kRidge, rhs, threads).coefficients;
  Matrix shares(cross_.rows(), cross_.cols());
  for (Index i = 0; i < count; ++i)
    for (Index o = 0; o < cross_.rows(); ++o) shares(o, features[static_cast<std::size_t>(i)]) = solution(i, o);
  return coefficients(shares);
}

std::vector<Index> used_features(View<const double> coefficients) {
  std::vector<Index> used;
  for (Index t = 0; t < coefficients.rows; ++t)
    if (std::any_of(coefficients.row(t), coefficients.row(t) + coefficients.cols, [](double b) { return b != 0; }))
      used.push_back(t);
  return used;
}

}  // namespace weft::detail
