#include "linalg/linear_scores.hpp"

#include "compute/device.hpp"

namespace weft::detail {

void linear_scores(const Matrix& coefficients, const std::vector<double>& intercepts, View<const double> phi,
                   View<double> scores, int threads) {
  cpu().scores(coefficients, intercepts.data(), phi, scores, threads);
}

void add_row_scores(const Matrix& coefficients, View<const double> phi, View<double> scores) {
  if (scores.cols == 1)  // a product of matrices would copy all of Φ to its packed form first
    cpu().multiply_vector(1, transpose(phi), coefficients.data(), 1, {scores.data, scores.stride});
  else
    cpu().multiply(1, transpose(phi), coefficients, 1, scores);
}

}  // namespace weft::detail
