#include "linalg/normal_equations.hpp"

#include <algorithm>

namespace weft::detail {

NormalEquations normal_equations(const Accumulator& sums, bool intercept, int threads) {
  NormalEquations equations;
  equations.weight = sums.weight();
  if (intercept) {
    CentredSums centred = sums.centred(threads);
    equations.gram = std::move(centred.gram);
    equations.cross = std::move(centred.cross);
    equations.yy = std::move(centred.yy);
    equations.feature_means = std::move(centred.feature_means);
    equations.target_means = std::move(centred.target_means);
    return equations;
  }
  equations.gram = sums.gram(threads);
  equations.cross = Matrix(sums.features(), sums.targets());
  const View<const double> cross = sums.cross();
  for (Index t = 0; t < cross.rows; ++t) std::copy_n(cross.row(t), cross.cols, equations.cross.row(t));
  equations.yy = sums.yy();
  return equations;
}

std::vector<double> NormalEquations::intercepts(View<const double> coefficients) const {
  std::vector<double> result(static_cast<std::size_t>(coefficients.cols), 0.0);
  if (feature_means.empty()) return result;
  for (Index o = 0; o < coefficients.cols; ++o) {
    double shift = 0;
    for (Index t = 0; t < coefficients.rows; ++t)
      shift += coefficients(t, o) * feature_means[static_cast<std::size_t>(t)];
    result[static_cast<std::size_t>(o)] = target_means[static_cast<std::size_t>(o)] - shift;
  }
  return result;
}

double squared_error(const Accumulator& sums, View<const double> coefficients, const std::vector<double>& intercepts,
                     Index output) {
  // With the lower triangle of the Gram alone.
  const View<const double> gram = sums.gram_lower();
  double quadratic = 0;
  for (Index s = 0; s < gram.rows; ++s) {
    const double b = coefficients(s, output);
    if (b == 0) continue;
    double row = 0.5 * gram(s, s) * b;
    for (Index t = 0; t < s; ++t) row += gram(s, t) * coefficients(t, output);
    quadratic += 2 * b * row;
  }
  return squared_error(sums, coefficients, intercepts, output, quadratic);
}

double squared_error(const Accumulator& sums, View<const double> coefficients, const std::vector<double>& intercepts,
                     Index output, double quadratic) {
  // Σw(y−c−bᵀφ)² = Σwy² − 2bᵀΦᵀWy + bᵀΦᵀWΦb − 2c(Σwy − bᵀΦᵀw) + c²Σw
  const View<const double> cross = sums.cross();
  const std::vector<double> feature_sums = sums.feature_sums();
  const auto o = static_cast<std::size_t>(output);
  double linear = 0;
  double offset = sums.target_sums()[o];
  for (Index s = 0; s < cross.rows; ++s) {
    const double b = coefficients(s, output);
    if (b == 0) continue;
    linear += b * cross(s, output);
    offset -= b * feature_sums[static_cast<std::size_t>(s)];
  }
  const double c = intercepts[o];
  const double sum = sums.yy()[o] - 2 * linear + quadratic - 2 * c * offset + c * c * sums.weight();
  return std::max(0.0, sum) / sums.weight();
}

double total_variance(const Accumulator& sums, Index output) {
  const auto o = static_cast<std::size_t>(output);
  const double mean = sums.target_sums()[o] / sums.weight();
  return std::max(0.0, sums.yy()[o] / sums.weight() - mean * mean);
}

}  // namespace weft::detail
