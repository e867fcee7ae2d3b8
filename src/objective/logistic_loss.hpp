// Logistic and softmax losses of a row, with their slopes and curvatures.
#pragma once

#include <weft/matrix.hpp>

namespace weft::detail {

/// The loss of row i. Its scores are overwritten with the slopes ∂ℓ/∂f; curvature gets the diagonal of ∂²ℓ/∂f² and,
/// last, what all outputs may share (see logistic_objective.hpp).
double binary_row(double y, double& score, View<double> curvature, Index i);
double softmax_row(View<const double> y, View<double> scores, View<double> curvature, Index i);

}  // namespace weft::detail
