// Second moments of a model's gradients, which show the inputs and directions that it depends on (the average gradient
// outer product of Radhakrishnan et al. 2024), in blocks of rows: the gradients themselves are never held together.
#pragma once

#include <weft/feature_map.hpp>

#include <vector>

namespace weft::detail {

/// Σ_i w_i Σ_o (∂f_o/∂x_j (x_i))² of every input j. `weights`: one per row, or nullptr for 1. Coefficients as in
/// FeatureMap::gradients.
std::vector<double> gradient_squares(const FeatureMap& map, View<const double> coefficients, View<const double> x,
                                     const double* weights, const Run& run);

/// Σ_i w_i Σ_o ∇f_o(x_i) ∇f_o(x_i)ᵀ, inputs × inputs, symmetric to the last bit.
Matrix gradient_outer(const FeatureMap& map, View<const double> coefficients, View<const double> x,
                      const double* weights, const Run& run);

}  // namespace weft::detail
