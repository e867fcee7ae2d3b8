#include "linalg/linear_scores.hpp"

#include "compute/device.hpp"

namespace weft::detail {

void linear_scores(const Matrix& coefficients, const std::vector<double>& intercepts, View<const double> phi,
                   View<double> scores, int threads) {
  cpu().scores(coefficients, intercepts.data(), phi, scores, threads);
}

}  // namespace weft::detail
