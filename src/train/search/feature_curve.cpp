#include "train/search/feature_curve.hpp"

#include "core/parallel.hpp"
#include "linalg/normal_equations.hpp"
#include "linalg/ridge.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weft::detail {

namespace {

constexpr Index kFewestFeatures = 10;

std::vector<Index> part_counts(FamilyOptions family, Index features, const Inputs& inputs) {
  family.features = features;
  std::vector<Index> counts;
  const FeatureMap map = FeatureMap::draw(family, inputs);
  for (const FeaturePart& part : map.parts()) counts.push_back(part.centres.count());
  return counts;
}

Matrix reordered(View<const double> symmetric, const std::vector<Index>& order) {
  Matrix out(symmetric.rows, symmetric.cols);
  for (Index i = 0; i < out.rows(); ++i)
    for (Index j = 0; j < out.cols(); ++j)
      out(i, j) = symmetric(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]);
  return out;
}

Matrix reordered_rows(View<const double> a, const std::vector<Index>& order) {
  Matrix out(a.rows, a.cols);
  for (Index i = 0; i < out.rows(); ++i) std::copy_n(a.row(order[static_cast<std::size_t>(i)]), a.cols, out.row(i));
  return out;
}

/// Alternatives are λs outermost, sizes inside.
void fit_fold(const Accumulator& training, const Penalty& penalty, const Matrix& regulariser, const Growth& growth,
              std::span<const double> lambdas, const FitOptions& options, const Run& run, Matrix& coefficients,
              std::vector<double>& intercepts) {
  NormalEquations equations = normal_equations(training, options.intercept);
  penalty.add_ridge(equations);
  const Matrix gram = reordered(equations.gram, growth.order);
  const Matrix cross = reordered_rows(equations.cross, growth.order);
  const Index outputs = training.targets();
  const auto sizes = static_cast<Index>(growth.sizes.size());
  const auto alternatives = static_cast<Index>(lambdas.size()) * sizes;
  coefficients = Matrix(training.features(), alternatives * outputs);
  intercepts.assign(static_cast<std::size_t>(alternatives * outputs), 0.0);
  parallel_for(static_cast<Index>(lambdas.size()), run.thread_count(), [&](Index l) {
    const double lambda = lambdas[static_cast<std::size_t>(l)] * equations.weight;
    const RidgeSolution full = solve_regularised(
        gram, regulariser, lambda, options.own<LeastSquaresOptions>().epsilon * equations.weight, cross, 1);
    const std::vector<Matrix> leading = full.factor.solve_leading(cross, growth.sizes);
    for (Index s = 0; s < sizes; ++s) {
      Matrix solution(training.features(), outputs);
      for (Index k = 0; k < leading[static_cast<std::size_t>(s)].rows(); ++k)
        std::copy_n(leading[static_cast<std::size_t>(s)].row(k), outputs,
                    solution.row(growth.order[static_cast<std::size_t>(k)]));
      const Index first = (l * sizes + s) * outputs;
      for (Index t = 0; t < solution.rows(); ++t) std::copy_n(solution.row(t), outputs, coefficients.row(t) + first);
      const std::vector<double> at = equations.intercepts(solution);
      std::copy(at.begin(), at.end(), intercepts.begin() + first);
    }
  });
}

/// Of every size its best λ; `results` are λs outermost, sizes inside.
std::vector<CurvePoint> curve_of(const std::vector<ValidationScore>& results, const Growth& growth,
                                 const Penalty& penalty, std::span<const double> lambdas, Metric metric) {
  const std::size_t sizes = growth.sizes.size();
  std::vector<CurvePoint> curve;
  for (std::size_t s = 0; s < sizes; ++s) {
    std::size_t best = 0;
    for (std::size_t l = 1; l < lambdas.size(); ++l)
      if (better(metric, results[l * sizes + s].score, results[best * sizes + s].score)) best = l;
    const ValidationScore& result = results[best * sizes + s];
    // λ of a ridge counts the features: f = (1/T)Σ a φ.
    const double of_all = penalty.user_lambda(lambdas[best]);
    const double lambda =
        !penalty.identity() ? of_all
                            : of_all * static_cast<double>(growth.sizes.back()) / static_cast<double>(growth.sizes[s]);
    curve.push_back({growth.sizes[s], lambda, result.score, result.standard_error});
  }
  return curve;
}

}  // namespace

Growth growth(const FamilyOptions& family, const Inputs& inputs) {
  const std::vector<Index> full = part_counts(family, family.features, inputs);
  const Index total = std::accumulate(full.begin(), full.end(), Index{0});
  Growth result;
  const Index fewest = std::min<Index>(total, std::max<Index>(kFewestFeatures, static_cast<Index>(full.size())));
  std::vector<std::vector<Index>> counts;
  if (total == family.features)
    for (double size = static_cast<double>(total); size >= static_cast<double>(fewest); size /= std::sqrt(2.0)) {
      const auto features = static_cast<Index>(std::llround(size));
      const std::vector<Index> at = features == total ? full : part_counts(family, features, inputs);
      if (std::accumulate(at.begin(), at.end(), Index{0}) != features) break;
      result.sizes.push_back(features);
      counts.push_back(at);
    }
  if (result.sizes.empty()) {
    result.sizes = {total};
    counts = {full};
  }
  std::reverse(result.sizes.begin(), result.sizes.end());
  std::reverse(counts.begin(), counts.end());
  std::vector<Index> taken(full.size(), 0);
  for (const std::vector<Index>& at : counts) {
    Index first = 0;
    for (std::size_t p = 0; p < full.size(); ++p) {
      for (; taken[p] < at[p]; ++taken[p]) result.order.push_back(first + taken[p]);
      first += full[p];
    }
  }
  return result;
}

std::optional<std::vector<CurvePoint>> feature_curve(const FeatureMap& map, const Growth& growth, const PartSums& sums,
                                                     const Penalty& penalty, std::span<const double> lambdas,
                                                     const Validation& validation, const FitOptions& options,
                                                     const Run& run) {
  const Matrix reordered_penalty = penalty.identity() ? Matrix() : reordered(penalty.matrix, growth.order);
  const auto sizes = growth.sizes.size();
  FoldFits fits{static_cast<Index>(lambdas.size() * sizes), std::vector<Matrix>(sums.parts.size()),
                std::vector<std::vector<double>>(sums.parts.size())};
  for (auto f = static_cast<std::size_t>(validation.folds.first()); f < sums.parts.size(); ++f) {
    run.check_cancelled();
    if (run.out_of_time()) return std::nullopt;
    fit_fold(training_sums(sums, validation.folds, f), penalty, reordered_penalty, growth, lambdas, options, run,
             fits.coefficients[f], fits.intercepts[f]);
  }
  std::vector<ValidationScore> results;
  if (validation.metric == Metric::mse) {
    results = validation_scores(sums, validation.folds, fits, run);
  } else {
    add_shift(sums, fits);
    MapSet maps(map);
    const std::vector<Matrix> scores = held_out_scores(maps, {fits}, validation, run);
    if (scores.empty()) return std::nullopt;
    results = validation_scores(validation, scores.front(), fits.alternatives);
  }
  return curve_of(results, growth, penalty, lambdas, validation.metric);
}

std::optional<std::vector<CurvePoint>> feature_curve_of_rows(const FeatureMap& map, const Growth& growth,
                                                             const Penalty& penalty, std::span<const double> lambdas,
                                                             const Validation& validation, const FitOptions& options,
                                                             const Run& run) {
  const std::size_t sizes = growth.sizes.size();
  std::vector<ValidationScore> results(lambdas.size() * sizes);
  for (std::size_t s = 0; s < sizes; ++s) {
    if (run.out_of_time()) return std::nullopt;
    MapSet maps(map);
    const auto first = growth.order.begin();
    maps.in_row_coordinates(validation.rows.rows(), {std::vector<Index>(first, first + growth.sizes[s])});
    const PartSums sums = std::move(accumulate_folds(maps, validation, options, run).front());
    FoldFits fits = fit_path(sums, validation.folds, penalty, lambdas, options, run);
    std::vector<ValidationScore> own;
    if (validation.metric == Metric::mse) {
      own = validation_scores(sums, validation.folds, fits, run);
    } else {
      add_shift(sums, fits);
      const std::vector<Matrix> scores = held_out_scores(maps, {fits}, validation, run);
      if (scores.empty()) return std::nullopt;
      own = validation_scores(validation, scores.front(), fits.alternatives);
    }
    for (std::size_t l = 0; l < lambdas.size(); ++l) results[l * sizes + s] = std::move(own[l]);
  }
  return curve_of(results, growth, penalty, lambdas, validation.metric);
}

std::size_t smallest_good(Metric metric, const std::vector<CurvePoint>& curve) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < curve.size(); ++k)
    if (better(metric, curve[k].score, curve[best].score)) best = k;
  const double slack = larger_is_better(metric) ? -curve[best].standard_error : curve[best].standard_error;
  for (std::size_t k = 0; k < best; ++k)
    if (!better(metric, curve[best].score + slack, curve[k].score)) return k;
  return best;
}

}  // namespace weft::detail
