#include "train/search/winner_analysis.hpp"

#include <cmath>

namespace weft::detail {

namespace {

/// The winner's λ, and where none was given its neighbours in powers of ten. Effective.
std::vector<double> lambdas_around(double lambda, bool given) {
  std::vector<double> lambdas;
  for (int k = given ? 0 : 2; k >= (given ? 0 : -2); --k) lambdas.push_back(lambda * std::pow(10.0, k));
  return lambdas;
}

}  // namespace

WinnerAnalysis analyse(const Trial& winner, const Inputs& inputs, const Validation& validation, const FitOptions& fit,
                       const Run& run) {
  const FeatureMap map = FeatureMap::draw(winner.family, inputs);
  const bool few_rows = fits_in_row_coordinates(map, validation, fit);
  MapSet maps(map);
  if (few_rows) maps.in_row_coordinates(validation.rows.rows());
  // Coordinates depend on the order of the rows: leaving one out has them as they come.
  const PartSums sums = few_rows ? std::move(accumulate_parts(maps, validation.rows, fit, 1, {}, run).front())
                                 : std::move(accumulate_folds(maps, validation, fit, run).front());
  const auto& own = fit.own<LeastSquaresOptions>();
  const Penalty penalty = make_penalty(map, own.regularizer, run, own.coefficient_ridge);
  const double lambda = penalty.effective(*winner.lambda);
  if (!std::isfinite(lambda)) return {};
  const std::vector<double> lambdas = lambdas_around(lambda, fit.lambda.has_value());
  const Growth grown = growth(winner.family, inputs);
  auto curve = few_rows ? feature_curve_of_rows(map, grown, penalty, lambdas, validation, fit, run)
                        : feature_curve(map, grown, sums, penalty, lambdas, validation, fit, run);
  return {std::move(curve).value_or(std::vector<CurvePoint>()),
          leave_one_out(maps, sums, penalty, lambda, validation, fit, run)};
}

}  // namespace weft::detail
